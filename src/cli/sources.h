// The files that the words SOURCE... mean.
#pragma once

#include <string>
#include <vector>

namespace faultline::cli {

// A file is itself; a folder is the C, C++ and Fortran files in it (not below it), sorted by name. Throws UserError if
// there is no such file, or nothing to compile in the folder.
std::vector<std::string> source_files_of(const std::vector<std::string>& words);

} // namespace faultline::cli
