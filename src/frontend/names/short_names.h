// Names of functions as lists and reports show them.
#pragma once

#include "frontend/target.h"

#include <vector>

namespace faultline::frontend {

// C++ names get shorter where that leaves them unique: ns::f(double) is ns::f, but for overloads.
void shorten(std::vector<Target>& targets);

} // namespace faultline::frontend
