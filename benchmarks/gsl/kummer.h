// 1F1(1, a + 1, x) = the sum of x^k / ((a + 1) ... (a + k)), for |x| <= a: the terms fall from the start. exprel_n and
// the lower incomplete gamma function are made of it. Where |x| is close to a huge a, the sum is too long, and unknown.
#pragma once

#include "ball.h"

namespace faultline::benchmarks {

Ball kummer_series(const Ball& a, const Ball& x);

} // namespace faultline::benchmarks
