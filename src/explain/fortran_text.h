// Advice about code in Fortran. Rules write their expressions as in C (explain/sketch.h).
#pragma once

#include "numeric/format.h"

#include <string>

namespace faultline::explain {

// Translates "write 2 * expm1(x) for pow(y, 0.1) - 1": functions, powers, constants of the format, names of formats. It
// ends with the declarations of functions that Fortran does not have and the C library has.
std::string in_fortran(const std::string& advice, numeric::Format format);

} // namespace faultline::explain
