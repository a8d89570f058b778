// How far the functions of the C library may be from the exact value, in units in the last place of it.
#pragma once

#include "numeric/format.h"
#include "ops/op.h"

namespace faultline::ops {

// Infinity if nobody says.
double libm_ulps(Op op, numeric::Format format);

} // namespace faultline::ops
