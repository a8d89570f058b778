// Rounding to integers, of ranges.
#pragma once

#include "certificate/range.h"
#include "ops/op.h"

namespace faultline::certificate {

// All integers that numbers of the range are rounded to.
Range integers_of(ops::Rounding direction, const Range& a);

} // namespace faultline::certificate
