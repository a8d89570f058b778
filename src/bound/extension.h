// Operations on intervals: all values that an operation has within a box of operands, and all slopes.
//
// Functions of libm are evaluated by libm at the ends of their monotone pieces and widened by what that may be wrong by
// (ops/libm_error.h). Where nothing can be said (a divisor that may be 0, a logarithm that may be of a negative number,
// an operation that has no entry here), the interval is not `known`.
#pragma once

#include "bound/interval.h"
#include "ops/op.h"

#include <array>

namespace faultline::bound {

using Operands = std::array<Interval, 3>;

// The exact results. Of operations that jump (floor, conversions to integers): known only if they do not within the
// box. `same`: the first two operands are one value.
Interval extension(ops::Op op, const Operands& operands, bool same);

// The slopes in each operand; where there is a kink (fabs, fmax), all between those on its sides.
std::array<Interval, 3> slopes(ops::Op op, const Operands& operands, const Interval& result);

} // namespace faultline::bound
