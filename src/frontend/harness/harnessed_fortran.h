// A Fortran source with harnesses for those of its procedures that cannot be called with plain numbers.
//
// They are compiled as a file of their own, with the module files of the source, and linked with it: its lines are its
// own. Where every procedure can be called as it is, nothing is done but to compile.
#pragma once

#include "frontend/sources.h"

#include <string>
#include <vector>

namespace faultline::frontend {

// As compile_with_harnesses; module files go to, and come from, `module_folder`.
std::string compile_fortran_with_harnesses(const std::string& file, const std::vector<std::string>& flags,
                                           const std::string& directory, const std::string& module_folder,
                                           const Sources& sources);

} // namespace faultline::frontend
