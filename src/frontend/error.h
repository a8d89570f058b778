// An error the user can cause: what happened, and what to try. The exit status is the command line's contract.
#pragma once

#include <stdexcept>
#include <string>

namespace faultline::frontend {

// The exit statuses of the program.
inline constexpr int status_nothing = 0;      // nothing found
inline constexpr int status_found = 1;        // findings; of an evaluation: not as expected
inline constexpr int status_usage = 2;        // wrong usage or configuration
inline constexpr int status_unsuitable = 3;   // does not compile, or no suitable function
inline constexpr int status_inconclusive = 4; // nothing found, and not all was looked at
inline constexpr int status_internal = 70;    // a bug of ours

class UserError : public std::runtime_error {
public:
  UserError(int status, const std::string& what, std::string hint = {})
      : std::runtime_error(what), status(status), hint(std::move(hint)) {}
  int status;
  std::string hint;
};

} // namespace faultline::frontend
