// The modules that a Fortran source defines and uses, by a look at its lines: enough to order files, without a
// compiler. Comments, strings and continued lines are understood, in fixed and in free form; conditions of the
// preprocessor are not: whatever they guard counts.
#pragma once

#include "frontend/compiling/fortran_statements.h"

#include <functional>
#include <set>
#include <string>

namespace faultline::frontend {

struct FortranModules {
  std::set<std::string> defined; // in lower case; a submodule is ancestor:name
  std::set<std::string> used;    // not those that the compiler has (iso_c_binding)
};

// The text of a file that an include line names; empty: it is not there.
using IncludedText = std::function<std::string(const std::string& file)>;

FortranModules modules_in(const std::string& text, FortranForm form, const IncludedText& included);

} // namespace faultline::frontend
