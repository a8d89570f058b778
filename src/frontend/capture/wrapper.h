// faultline cc, c++ and fc: replace a compiler in a build. They run the real compiler, and add bitcode of the sources
// to the objects that it wrote.
#pragma once

#include "base/process.h"
#include "frontend/capture/command.h"

#include <string>
#include <vector>

namespace faultline::frontend {

// Returns the real compiler's exit status. If a signal ended it, the same signal ends this process. Throws UserError if
// there is no real compiler.
int wrap_compiler(Driver driver, const std::vector<std::string>& arguments);

// True for the small test programs that build systems compile first: whether something compiles, whether a header
// exists. There are hundreds, they are never tested, and capturing them would slow a build down. `directory` is where
// the compiler runs.
bool is_probe(const CompilerCommand& command, const std::string& directory);

// Returns the command of the compiler that the wrapper replaces: FAULTLINE_CC, FAULTLINE_CXX or FAULTLINE_FC, else cc,
// c++, gfortran or flang-new-19. Skips names on PATH that link to the wrapper. Throws UserError if there is none.
//
// The compiler gets the wrapper's arguments, environment and open files, and its output is unchanged: a build must not
// notice the wrapper.
std::vector<std::string> real_compiler(Driver driver);

// Removes -flto and flags that depend on it: link-time optimisation drops sections.
std::vector<std::string> without_lto(const std::vector<std::string>& arguments);

// Replaces this process by the real compiler. Throws UserError if it cannot be started.
[[noreturn]] void become_real_compiler(const std::vector<std::string>& command);

// A child process that ends with this one. Signals that would end this process are forwarded to it.
class RealCompiler {
public:
  // SIGINT, SIGTERM and SIGCHLD are blocked until wait() has returned and this object is destroyed. Throws UserError if
  // the compiler cannot be started.
  explicit RealCompiler(const std::vector<std::string>& command);
  ~RealCompiler();

  base::ProcessEnd wait();

private:
  base::BlockedSignals held_;
  base::Process process_;
};

} // namespace faultline::frontend
