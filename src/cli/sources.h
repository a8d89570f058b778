// The files that the words SOURCE... mean.
#pragma once

#include <string>
#include <vector>

namespace faultline::cli {

// A file is itself; a folder is the C, C++, Fortran and FPCore files in it (not below it), sorted by name; no word is
// all that the compilation database lists (-p), if there is one. A file that is named twice, by another path or a link,
// is one. Throws UserError if there is no such file, or nothing to compile.
std::vector<std::string> source_files_of(const std::vector<std::string>& words, const std::string& database = {});

} // namespace faultline::cli
