// Inputs that programs treat in a way of their own, or forget to: zeros of both signs, ones, the ends of the format and
// of the ranges. All inputs at once, where all ranges have the value, and one after the other with the rest at 1.
#pragma once

#include "search/space.h"

#include <vector>

namespace faultline::judge {

std::vector<exec::Input> special_inputs(const search::Space& space);

} // namespace faultline::judge
