// Error-free transformations: the rounding error of one operation, computed in the same precision.
//
// Convention: exact result = rounded result + error. Rounding is to nearest; `s`, `p`, `q`, `r` below must be the
// rounded results of the respective operations.
//
// What is exact:
//   sum_error       always, if the sum does not overflow: the error of an addition is a float, subnormal or not.
//   product_error   if the exact error is a multiple of the smallest subnormal; |p| >= 2^(min_exponent + precision) is
//                   enough.
//   quotient_error  the remainder is exact under a similar condition; the error is that remainder divided by b,
//   sqrt_error      or by 2r, right to a relative 2^-(precision - 2).
// Where a product underflows, the error is rounded to the nearest multiple of the smallest subnormal, which may be
// zero. Where the result is infinite or NaN there is no meaningful rounding error, and 0 is returned.
#pragma once

#include <cmath>
#include <concepts>

namespace faultline::numeric {

// Knuth's 2Sum without the addition: six operations, no assumption about which operand is larger.
template <std::floating_point T> T sum_error(T a, T b, T s) {
  if (!std::isfinite(s))
    return 0;
  const T b_part = s - a;
  const T a_part = s - b_part;
  return (a - a_part) + (b - b_part);
}

template <std::floating_point T> T product_error(T a, T b, T p) {
  if (!std::isfinite(p))
    return 0;
  return std::fma(a, b, -p);
}

template <std::floating_point T> T quotient_error(T a, T b, T q) {
  if (!std::isfinite(q) || !std::isfinite(b))
    return 0;
  return std::fma(-q, b, a) / b;
}

template <std::floating_point T> T sqrt_error(T a, T r) {
  if (!std::isfinite(r) || r == 0)
    return 0;
  return std::fma(-r, r, a) / (2 * r);
}

} // namespace faultline::numeric
