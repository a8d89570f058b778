// Compiler flags from a file in another folder: the relative paths in them are relative to that folder, as whoever
// wrote the file meant them. A compiler's own option for that (-working-directory) is clang's alone, and would move the
// sources, too.
#pragma once

#include <string>
#include <vector>

namespace faultline::cli {

// -Iinclude and -I include, -isystem, -include and so on; other flags stay as they are. An empty folder is the current.
std::vector<std::string> flags_relative_to(const std::string& folder, std::vector<std::string> flags);

// The same for a path, or a word that begins with one (FILE:FUNCTION).
std::string relative_to(const std::string& folder, const std::string& path);

} // namespace faultline::cli
