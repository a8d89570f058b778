// Fortran's module files. Each compiler has a form of its own: flang's would lie in the place of gfortran's, under the
// same names. So they are kept in a folder of their own inside of the folder where the real compiler's are, and found
// in all folders where those are looked for.
#pragma once

#include <string>
#include <vector>

namespace faultline::frontend {

// The flags, with our folders of module files before the folders that the flags name. Flang looks into the current
// folder before all others and takes what it finds there for its own, so it has to run elsewhere: paths become full
// ones.
std::vector<std::string> with_module_folders(const std::vector<std::string>& flags, const std::string& module_folder,
                                             const std::string& directory);

// Moves the module files that flang has left in `from` into our folder within `module_folder`. A file is whole whenever
// somebody reads it.
void keep_module_files(const std::string& from, const std::string& module_folder);

} // namespace faultline::frontend
