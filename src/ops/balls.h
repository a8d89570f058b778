// The operations in Arb's balls: a column of the table that stands in a file of its own, so that who reads the table
// needs no Arb.
//
// Given balls of operands, a ball of all results. Where Arb knows none (a logarithm of what may be negative), its
// radius is not finite.
#pragma once

#include "ops/op.h"

#include <arb.h>

namespace faultline::ops {

using BallFunction = void (*)(arb_t result, const arb_t a, const arb_t b, slong precision);

// Null for operations that are no functions of libm, and for those that Arb lacks. The second operand is for those that
// have one.
BallFunction ball_function(Op op);

} // namespace faultline::ops
