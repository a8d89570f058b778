// Rounding to integers, of ranges.
#pragma once

#include "certificate/range.h"
#include "ops/op.h"

#include <optional>

namespace faultline::certificate {

// The integer that all numbers of the range are rounded to; none if there are several.
std::optional<Range> integer_of(ops::Rounding direction, const Range& a);

} // namespace faultline::certificate
