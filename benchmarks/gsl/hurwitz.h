// The Hurwitz zeta function, sum of (q + k)^-s over k >= 0, for real s > 1 and q > 0, both exact.
//
// Arb has it too, but with an absolute error in mind; here (q + k)^-s may be as small as exp(-1e308), and the error is
// relative to it. Euler-Maclaurin summation: x^-s is completely monotone, so what the sum leaves out is less than the
// first term that it leaves out.
#pragma once

#include "ball.h"

namespace faultline::benchmarks {

Ball hurwitz_zeta(const Ball& s, const Ball& q);

} // namespace faultline::benchmarks
