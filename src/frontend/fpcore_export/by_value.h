// A function that takes numbers by reference, as Fortran's do, as one that takes them by value.
#pragma once

#include "frontend/fpcore_export/prepare.h"
#include "frontend/target.h"

namespace faultline::frontend::fpcore {

// A number that the function is given, by value or by reference, and that nobody reads after the call.
bool is_plain_number(const Parameter& parameter, const Target& target);

// Where all parameters are plain numbers, the function is called by another one that has them as values; simplify()
// makes one of the two. Other functions stay as they are.
void take_by_value(Prepared& prepared, const Target& target);

} // namespace faultline::frontend::fpcore
