// The compiler in whose place the wrapper stands, and its process. It gets the arguments, the environment and the open
// files that we got, and what it says is its own: a build must not see a difference.
#pragma once

#include "frontend/capture/command.h"

#include <csignal>
#include <string>
#include <sys/types.h>
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
  // SIGINT, SIGTERM and SIGCHLD are held back until wait() has returned and this object is gone.
  explicit RealCompiler(const std::vector<std::string>& command);
  ~RealCompiler();
  RealCompiler(const RealCompiler&) = delete;
  RealCompiler& operator=(const RealCompiler&) = delete;

  // What waitpid says of it.
  int wait();

private:
  pid_t process_ = 0;
  sigset_t before_;
  int state_ = 0;
};

} // namespace faultline::frontend
