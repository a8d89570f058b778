// Fortran's module files. Each compiler has a form of its own: flang's would lie in the place of gfortran's, under the
// same names. So they are kept in a folder of their own inside of the folder where the real compiler's are, and found
// in all folders where those are looked for.
#pragma once

#include <string>
#include <vector>

namespace faultline::frontend {

// The flags, with our folder of module files before each folder that the flags name.
std::vector<std::string> with_module_folders(const std::vector<std::string>& flags, const std::string& module_folder);

// Moves the module files that flang has left in `from` into our folder within `module_folder`. A file is whole whenever
// somebody reads it.
void keep_module_files(const std::string& from, const std::string& module_folder);

} // namespace faultline::frontend
