// From sets of reals to floats (Ariadne's Algorithm 6): which floats of a set are worth a try.
#pragma once

#include "numeric/binary.h"
#include "numeric/random.h"
#include "solve/real/real_set.h"

namespace faultline::solve {

// Finite floats by their orders (numeric/binary.h); empty if low > high.
struct FloatRange {
  numeric::Int128 low = 0, high = -1;
};

FloatRange floats_within(const RealInterval& interval, numeric::BinaryFormat format);

// The order of the float at this part of the way from low to high, as reals.
numeric::Int128 between(const FloatRange& range, numeric::BinaryFormat format, double part);

// At most `most` floats: simple ones, middles, ends, and some just outside the ends, since what the reals exclude by a
// little rounding may admit. All intervals take turns. Beyond the first dozen or so they are random.
std::vector<numeric::Bits> floats_to_try(const RealSet& set, numeric::BinaryFormat format, size_t most,
                                         numeric::Rng& rng);

// One float of the set at random: any interval, an end, a middle or anywhere. Nothing if it has none.
std::vector<numeric::Bits> random_float(const RealSet& set, numeric::BinaryFormat format, numeric::Rng& rng);

} // namespace faultline::solve
