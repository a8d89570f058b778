// An error that the user can cause: what happened, and what to try. The exit status is part of the command line's
// interface.
#pragma once

#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::base {

inline constexpr int status_nothing = 0;      // nothing found
inline constexpr int status_found = 1;        // findings; for an evaluation: not as expected
inline constexpr int status_usage = 2;        // wrong usage or configuration
inline constexpr int status_unsuitable = 3;   // does not compile, or no suitable function
inline constexpr int status_inconclusive = 4; // nothing found, but not everything was searched
inline constexpr int status_internal = 70;    // a bug in Faultline

class UserError : public std::runtime_error {
public:
  UserError(int status, const std::string& what, std::string hint = {})
      : std::runtime_error(what), status(status), hint(std::move(hint)) {}
  int status;
  std::string hint;
};

// Returns what an exception that no code throws on purpose means to the user: a limit of the system is reached
// (status_inconclusive), or there is a bug (status_internal).
UserError unexpected(const std::exception& problem);

// "Did you mean": returns at most `most` of the names, nearest first, if `wrong` could be a misspelling of them.
std::vector<std::string> nearest(const std::string& wrong, const std::vector<std::string>& names, size_t most = 3);

// Quotes text of an untrusted file for a message: short and printable.
std::string shown(std::string_view text);

// How a path from debug information is shown: relative to the current folder if it lies below it, else unchanged.
//
// A process that works for another one shows paths relative to that one's folder, which may not exist on this machine.

// Makes this folder replace the current one, in this process and its forks.
void show_paths_from(const std::string& folder);

std::string shown_path(const std::string& directory, const std::string& file);

} // namespace faultline::base
