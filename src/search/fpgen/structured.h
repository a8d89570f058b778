// Inputs with structure, for code over many of them. The largest errors of sums, products and factorisations come from
// inputs that cancel exactly but for something tiny: equal or opposite values, powers of two, zeros, and magnitudes far
// apart. Random values from everywhere are none of these.
#pragma once

#include "search/space.h"

namespace faultline::search {

// Every array by rules of its own, drawn anew for each sample.
exec::Input sample_structured(const Space& space, numeric::Rng& rng);

} // namespace faultline::search
