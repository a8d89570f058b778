// Inputs to start from: lines run through them, Newton steps leave from them, scouts look from them.
#pragma once

#include "search/space.h"

namespace faultline::search {

// The dimensions that a search along floats moves: floating, and not held.
std::vector<size_t> moving_floats(const Space& space);

// Of ordinary size, all alike in magnitude, or from anywhere.
exec::Input base_point(const Space& space, numeric::Rng& rng);

// Where code with steps takes many of them: anywhere in the reals of a range that was given, and of a range without
// bounds between 2^-4 and 2^20. Floats at random are mostly tiny or huge; one point in eight is made of such.
exec::Input ordinary_point(const Space& space, numeric::Rng& rng);

// `count` base points; in ranges that were given the first two lie near the ends, on either side of most zeros.
std::vector<exec::Input> spread_points(const Space& space, size_t count, numeric::Rng& rng);

} // namespace faultline::search
