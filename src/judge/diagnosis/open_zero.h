// Is a result of zero wrong, or only so by the code's own constants?
//
// Exact arithmetic takes the code's constants as they are. Those of an approximation (the coefficients of a series, pi)
// are rounded, and the method is cut off where the format cannot tell; so it may leave something tiny where the truth
// is zero, as the logarithm of a gamma function at 2 that is 1 but for 3e-17. The code, which rounds that to 1, is
// right. Where the result is ill-conditioned, such a zero is not called wrong.
#pragma once

#include "tape/tape.h"

namespace faultline::judge {

// Would changing a value of the run that depends on a rounded constant by half an ulp change the output, which is zero,
// as much as it is wrong (`absolute`)?
bool is_open_zero(const tape::Tape& tape, uint32_t output, double absolute);

} // namespace faultline::judge
