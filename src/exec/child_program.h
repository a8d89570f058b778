// Another program, run as a child without a shell: a compiler, or a test that was built from code under test. It gets
// nothing on standard input, what it says is collected, and it does not outlive its time.
//
// Code under test is hostile. A confined child may do what a worker may do (exec/sandbox/sandbox.h): it computes, reads
// files and writes to its standard output, has a limit on memory, and cannot start processes. A compiler has to write
// files, so it is not confined.
#pragma once

#include "exec/sandbox/sandbox.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace faultline::exec {

struct ChildLimits {
  double seconds = 60;                 // on the clock
  std::optional<uint64_t> memory = {}; // it has a limit, and is code under test
  Confinement confinement = {};        // then: without the program, which is known
};

struct ChildEnd {
  bool started = false;
  bool timed_out = false;
  int signal = 0; // 0: it ended by itself, with `status`
  int status = 0;
  std::string output; // standard output and error, the first megabyte

  bool succeeded() const { return started && !timed_out && signal == 0 && status == 0; }
};

// The first word is the program: a path, or a name that is looked for on PATH. Throws frontend::UserError where it is
// to be confined, and the system has no sandbox.
ChildEnd run_program(const std::vector<std::string>& command, const ChildLimits& limits);

} // namespace faultline::exec
