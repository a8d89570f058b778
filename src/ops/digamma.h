// The logarithmic derivative of the gamma function, for the slopes of tgamma and lgamma.
//
// Accurate to about 1e-14 relative. Near its zeros (1.4616..., and one between each two poles) it is accurate to 1e-15
// absolute, or to the change by an ulp of x if that is more. At the poles 0, -1, -2, ... it is an infinity.
#pragma once

namespace faultline::ops {

double digamma(double x);

} // namespace faultline::ops
