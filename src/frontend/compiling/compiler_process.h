// A compiler as a child, without a shell, with limits: on its time, its memory and what it writes.
//
// It ends when we do, whatever ends us, and so do the processes that it has started (a driver runs the compiler proper,
// or a linker). A driver that is killed leaves these behind, so between us and it there is a keeper: a process that
// waits for it, learns of our death from the kernel, and kills them all. SIGINT and SIGTERM to us end it at once.
#pragma once

#include "frontend/error.h"

#include <cstdint>
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

} // namespace faultline::frontend
