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
//   fma_error       the exact error needs two floats (Boldo and Muller, 2005); the nearest float to it is returned, if
//                   no product underflows.
// Where a product underflows, the error is rounded to the nearest multiple of the smallest subnormal, which may be
// zero. Where the result is infinite or NaN there is no meaningful rounding error, and 0 is returned.
#pragma once

#include <cmath>
#include <concepts>

namespace faultline::numeric {

template <std::floating_point T> struct WithError {
  T value;
  T error;
};

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

template <std::floating_point T> WithError<T> two_sum(T a, T b) {
  const T s = a + b;
  return {s, sum_error(a, b, s)};
}

template <std::floating_point T> WithError<T> two_prod(T a, T b) {
  const T p = a * b;
  return {p, product_error(a, b, p)};
}

// Returns the error of r = a * b + c, rounded once. Adds both halves of the product to c, so that two floats remain
// after subtracting r.
template <std::floating_point T> T fma_error(T a, T b, T c, T r) {
  if (!std::isfinite(r))
    return 0;
  const WithError<T> product = two_prod(a, b);
  if (!std::isfinite(product.value))
    return 0;
  const WithError<T> low = two_sum(c, product.error);
  const WithError<T> high = two_sum(product.value, low.value);
  return ((high.value - r) + high.error) + low.error;
}

} // namespace faultline::numeric
