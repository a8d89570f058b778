// An error the user can cause: what happened, and what to try. The exit status is the command line's contract.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

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

// "Did you mean": the names that look most like a wrong one.

// At most `most` of the names, nearest first, and only those that a typing error could have turned into `wrong`.
std::vector<std::string> nearest(const std::string& wrong, const std::vector<std::string>& names, size_t most = 3);

// Words of a stranger's file in a message.

// Short, printable, in quotes.
std::string shown(std::string_view text);

// How a path from debug information is shown: relative to the current folder if it lies below it, else as it is.
//
// A process that works for another one shows paths as that one does, from a folder that need not exist on its machine.

// From now on, in this process and its forks, this folder stands for the current one.
void show_paths_from(const std::string& folder);

std::string shown_path(const std::string& directory, const std::string& file);

} // namespace faultline::frontend
