// faultline cc, c++ and fc: stand where a compiler stood, have it do what it was asked for, and put bitcode of what it
// compiled into the objects that it wrote.
#pragma once

#include "base/process.h"
#include "frontend/capture/command.h"

#include <string>
#include <vector>

namespace faultline::frontend {

// The exit status is the real compiler's; where a signal ended it, the same signal ends us. Throws UserError if there
// is no real compiler.
int wrap_compiler(Driver driver, const std::vector<std::string>& arguments);

// Questions that build systems ask of a compiler before they build: does this compile, is there such a header? There
// are hundreds of them, nothing of them is ever hunted in, and what they cost a user waits for.

// `directory` is where the compiler runs.
bool is_probe(const CompilerCommand& command, const std::string& directory);

// The compiler in whose place the wrapper stands, and its process. It gets the arguments, the environment and the open
// files that we got, and what it says is its own: a build must not see a difference.

// The words that start it: FAULTLINE_CC, FAULTLINE_CXX or FAULTLINE_FC, else cc, c++, gfortran or flang-new-19. A name
// on PATH that is a link to us is passed over. Throws UserError if there is none.
std::vector<std::string> real_compiler(Driver driver);

// Without link-time optimisation, which throws sections away: -flto and what needs it are left out.
std::vector<std::string> without_lto(const std::vector<std::string>& arguments);

// Becomes it. Throws UserError if it cannot be started.
[[noreturn]] void become_real_compiler(const std::vector<std::string>& command);

// A child of ours. It ends when we do; a signal that is to end us is handed on.
class RealCompiler {
public:
  // SIGINT, SIGTERM and SIGCHLD are held back until wait() has returned and this object is gone. Throws UserError if it
  // cannot be started.
  explicit RealCompiler(const std::vector<std::string>& command);
  ~RealCompiler();

  base::ProcessEnd wait();

private:
  base::BlockedSignals held_;
  base::Process process_;
};

} // namespace faultline::frontend
