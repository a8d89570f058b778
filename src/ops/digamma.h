// The logarithmic derivative of the gamma function, for the slopes of tgamma and lgamma.
//
// Right to about 1e-14 relative; near its zeros (1.4616..., and one between each two poles) to 1e-15 absolute, or to
// what an ulp of x changes if that is more. At the poles 0, -1, -2, ... it is an infinity.
#pragma once

namespace faultline::ops {

double digamma(double x);

} // namespace faultline::ops
