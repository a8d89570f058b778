// Correct rounding of a value that is known to some bits only.
#pragma once

#include "numeric/bigfloat.h"
#include "numeric/format.h"

#include <cstdint>

namespace faultline::numeric {

// Do all numbers that differ from the value by at most 2^-good_bits of it round to one value of the format? The last
// bits of the value itself must be below that.
bool rounds_to_one(const BigFloat& value, int64_t good_bits, Format format);

} // namespace faultline::numeric
