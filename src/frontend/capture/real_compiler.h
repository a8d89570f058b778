// The compiler in whose place the wrapper stands, and its process. It gets the arguments, the environment and the open
// files that we got, and what it says is its own: a build must not see a difference.
#pragma once

#include "base/process.h"
#include "frontend/capture/command.h"

#include <string>
#include <vector>

namespace faultline::frontend {

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
