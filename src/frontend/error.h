// An error the user can cause: what happened, and what to try. The exit status is the command line's contract.
#pragma once

#include <stdexcept>
#include <string>

namespace faultline::frontend {

inline constexpr int status_usage = 2;      // wrong usage or configuration
inline constexpr int status_unsuitable = 3; // does not compile, or no suitable function

class UserError : public std::runtime_error {
public:
  UserError(int status, const std::string& what, std::string hint = {})
      : std::runtime_error(what), status(status), hint(std::move(hint)) {}
  int status;
  std::string hint;
};

} // namespace faultline::frontend
