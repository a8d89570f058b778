// A compiler as a child, without a shell, with limits: on its time, its memory and what it writes.
//
// It ends when we do, whatever ends us, and so do the processes that it has started (a driver runs the compiler proper,
// or a linker). A driver that is killed leaves these behind, so between us and it there is a keeper: a process that
// waits for it, learns of our death from the kernel, and kills them all. SIGINT and SIGTERM to us end it at once.
#pragma once

#include "base/process.h"
#include "frontend/error.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::frontend {

// 8 GiB, or three quarters of what the machine has, if that is less.
uint64_t usual_compiler_memory();

// Somebody else has killed it, twice: the machine is short of memory, perhaps. That says nothing about the file.
class CompilerKilled : public UserError {
public:
  using UserError::UserError;
};

// Guesses, some times what units that are heavy on templates take: a minute or two, three gigabytes, and some ten
// megabytes of bitcode.
struct CompilerLimits {
  double seconds = 600;                      // on the clock
  uint64_t memory = usual_compiler_memory(); // bytes of address space, for each process
  uint64_t output = uint64_t(1) << 29;       // bytes of each file that it writes
};

// A compiler that came to its own end.
struct CompilerRun {
  int status = 0;
  std::string output;
  std::string errors; // the first megabyte

  bool succeeded() const { return status == 0; }
};

struct CompilerFiles {
  std::string_view input = {};       // its standard input
  std::string temporary_folder = {}; // for files of its own; empty: the usual place
};

// `file` is what is compiled, for messages; `directory` is where, unless it is empty. Throws UserError if there is no
// such compiler, and if it did not come to its own end: killed (CompilerKilled), interrupted, or at one of its limits.
CompilerRun run_compiler(const std::vector<std::string>& command, const std::string& directory, const std::string& file,
                         const CompilerLimits& limits = {});
CompilerRun run_compiler(const std::vector<std::string>& command, const std::string& directory, const std::string& file,
                         const CompilerFiles& files, const CompilerLimits& limits = {});

// A folder that is there only as long as this object: for the module files that Fortran compilers insist on writing.
//
// It goes with us, whatever ends us: a process of its own has made it, learns of our death from the kernel, and removes
// it.
class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder(); // in a fork of the process that made it, does nothing
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string path() const { return path_.string(); }

private:
  std::filesystem::path path_;
  pid_t owner_;
  base::Process keeper_;
};

// A file without a name: nothing is left behind, whatever happens to us.
class UnnamedFile {
public:
  UnnamedFile();
  ~UnnamedFile();
  UnnamedFile(const UnnamedFile&) = delete;
  UnnamedFile& operator=(const UnnamedFile&) = delete;

  int descriptor() const { return descriptor_; }
  void fill(std::string_view text) const;                     // who reads it starts at its beginning
  std::string content(size_t most = std::string::npos) const; // from its beginning

private:
  int descriptor_;
};

} // namespace faultline::frontend
