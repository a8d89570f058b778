// Runs a compiler as a child process, without a shell, with limits on its time, its memory and its output.
//
// The compiler ends when this process does, for any reason, and so do its child processes (a driver runs the compiler
// proper or a linker). A killed driver leaves these behind. So a keeper process runs in between: it waits for the
// compiler, learns from the kernel when this process dies, and kills them all. SIGINT and SIGTERM end the compiler at
// once.
#pragma once

#include "base/error.h"
#include "base/process.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::program {

// The longest that a compiler runs, and a worker prepares code: two minutes, unless --compile-time gives another time.
double usual_compiler_seconds();
void limit_compilers(double seconds); // for this process and its forks

// 8 GiB, or three quarters of the machine's memory if that is less.
uint64_t usual_compiler_memory();

// Another process killed the compiler twice: perhaps memory is short. This does not mean that the file is wrong.
class CompilerKilled : public base::UserError {
public:
  using base::UserError::UserError;
};

// Guesses: template-heavy units take a minute or two, three gigabytes, and some ten megabytes of bitcode.
struct CompilerLimits {
  double seconds = usual_compiler_seconds(); // wall-clock time
  uint64_t memory = usual_compiler_memory(); // bytes of address space per process
  uint64_t output = uint64_t(1) << 29;       // bytes per output file
};

// The result of a compiler that ended by itself.
struct CompilerRun {
  int status = 0;
  std::string output;
  std::string errors; // the first megabyte

  bool succeeded() const { return status == 0; }
};

// Variables can make clang and flang read, write or run other files (CPATH, DEPENDENCIES_OUTPUT, COMPILER_PATH,
// CCC_OVERRIDE_OPTIONS), so they get none but those of the list in the source file.
enum class CompilerEnvironment : uint8_t {
  clean,
  of_build, // as clean, and with what a build says about headers and time
};

constexpr const char* no_configuration_files = "--no-default-config"; // for the drivers

struct CompilerFiles {
  std::string_view input = {};       // its standard input
  std::string temporary_folder = {}; // empty for the default
  CompilerEnvironment environment = CompilerEnvironment::clean;
  std::vector<int> kept = {}; // descriptors; 3, 4, ... in the compiler
  // The only files, and folders with all files in them, that the compiler may read; empty: all. The kernel's Landlock
  // enforces it. On a kernel without it, the caller checks what was read.
  std::vector<std::string> readable = {};
};

// `file` is the compiled file, for messages. Runs in `directory` unless it is empty. Throws UserError if there is no
// such compiler, or if it did not end by itself: killed (CompilerKilled), interrupted, or at one of its limits.
CompilerRun run_compiler(const std::vector<std::string>& command, const std::string& directory, const std::string& file,
                         const CompilerLimits& limits = {});
CompilerRun run_compiler(const std::vector<std::string>& command, const std::string& directory, const std::string& file,
                         const CompilerFiles& files, const CompilerLimits& limits = {});

// A temporary folder for the module files that Fortran compilers always write.
//
// It is removed even if this process is killed: a separate process makes it, learns from the kernel when this process
// dies, and removes it.
class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder(); // does nothing in a fork of the process that made it
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string path() const { return path_.string(); }

private:
  std::filesystem::path path_;
  pid_t owner_;
  base::Process keeper_;
};

// A file without a name: nothing is left behind, even if this process is killed.
class UnnamedFile {
public:
  UnnamedFile();
  ~UnnamedFile();
  UnnamedFile(const UnnamedFile&) = delete;
  UnnamedFile& operator=(const UnnamedFile&) = delete;

  int descriptor() const { return descriptor_; }
  void fill(std::string_view text) const;                     // readers start at the beginning
  std::string content(size_t most = std::string::npos) const; // from its beginning

private:
  int descriptor_;
};

} // namespace faultline::program
