// Words of a command, as a user would paste them into a shell.
#pragma once

#include <string>
#include <vector>

namespace faultline::finding {

// The word as a POSIX shell reads it back: quoted only if it has to be.
std::string shell_quoted(const std::string& word);
std::string shell_line(const std::vector<std::string>& words);

} // namespace faultline::finding
