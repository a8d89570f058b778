// What a target is called with.
#pragma once

#include <vector>

namespace faultline::exec {

// One value for each input cell of the target. x87's format holds every value of the others, and 64-bit integers.
using Input = std::vector<long double>;

// Would a run see no difference? 0 and -0 are equal, and it may tell them apart; a NaN does not equal itself.
bool same_bits(const Input& a, const Input& b);

} // namespace faultline::exec
