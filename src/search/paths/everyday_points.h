// Points that are tried before anything is solved: small integers, halves, powers of ten, the constants of the program
// and what lies beside them, the ends and the middle of a range.
#pragma once

#include "search/space.h"

#include <vector>

namespace faultline::search {

// Of one input, the least strange first; all everyday and within its range. `constants` have no signs.
std::vector<long double> everyday_values(const Dimension& dimension, const std::vector<long double>& constants);

// All combinations of the least strange values of each input and some constants, as many values as make no more than
// half of `most` points; the other half is drawn from all values.
std::vector<exec::Input> everyday_points(const Space& space, const std::vector<long double>& constants, size_t most,
                                         numeric::Rng rng);

} // namespace faultline::search
