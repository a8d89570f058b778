// Intervals of real numbers with doubles as ends, rounded outward: all results of an operation on operands within their
// intervals.
//
// Ends are rounded by the sign of the error of the operation to nearest (numeric/eft.h), so that exact results stay
// unchanged: the square of [0, 1] begins at 0, not below. Nothing depends on the rounding mode. Rejected: switching
// that mode, which every call of libm in between would have to undo.
//
// An interval with a NaN at an end means "anything, or nothing". Operations on it return one, so check `known` before
// using a result.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace faultline::numeric {

// Returns the next double above a number that is not NaN; +infinity for +infinity. -0 and 0 have the same.
inline double next_above(double x) {
  if (x == 0)
    return std::numeric_limits<double>::denorm_min();
  const auto bits = std::bit_cast<int64_t>(x);
  return x == std::numeric_limits<double>::infinity() ? x : std::bit_cast<double>(bits < 0 ? bits - 1 : bits + 1);
}
inline double next_below(double x) { return -next_above(-x); }

// Below this the error of a product may not be a double: 2^(min_exponent + precision) of binary64 (numeric/eft.h).
inline constexpr double least_certain_product = 0x1p-969;

// Rounds the result of an operation up, given the result to nearest and a number with the sign of exact minus rounded.
inline double rounded_up(double nearest, double error) {
  if (error > 0 || std::isnan(error))
    return next_above(nearest);
  return nearest;
}

inline double sum_up(double a, double b) {
  const double sum = a + b;
  if (!std::isfinite(sum))
    return sum == -std::numeric_limits<double>::infinity() && std::isfinite(a) && std::isfinite(b)
               ? std::numeric_limits<double>::lowest()
               : sum;
  const double b_part = sum - a;
  return rounded_up(sum, (a - (sum - b_part)) + (b - b_part));
}
inline double sum_down(double a, double b) { return -sum_up(-a, -b); }

inline double product_up(double a, double b) {
  const double product = a * b;
  if (a == 0 || b == 0)
    return std::isinf(a) || std::isinf(b) ? 0 : product; // 0 * infinity: an end that is never reached
  if (!std::isfinite(product))
    return product < 0 && std::isfinite(a) && std::isfinite(b) ? std::numeric_limits<double>::lowest() : product;
  if (std::fabs(product) < least_certain_product)
    return (a < 0) == (b < 0) ? next_above(product) : std::min(next_above(product), 0.0); // it keeps its sign
  return rounded_up(product, std::fma(a, b, -product));
}
inline double product_down(double a, double b) { return -product_up(-a, b); }

inline double quotient_up(double a, double b) {
  const double quotient = a / b;
  if (a == 0)
    return std::isnan(quotient) ? quotient : 0;
  if (!std::isfinite(quotient))
    return quotient < 0 && std::isfinite(a) && b != 0 ? std::numeric_limits<double>::lowest() : quotient;
  if (std::fabs(quotient) < least_certain_product || std::fabs(a) < least_certain_product)
    return (a < 0) == (b < 0) ? next_above(quotient) : std::min(next_above(quotient), 0.0);
  const double remainder = std::fma(-quotient, b, a);
  return rounded_up(quotient, b > 0 ? remainder : -remainder);
}
inline double quotient_down(double a, double b) { return -quotient_up(-a, b); }

inline double root_up(double a) {
  const double root = std::sqrt(a);
  if (a == 0 || !std::isfinite(root))
    return root;
  return a < least_certain_product ? next_above(root) : rounded_up(root, std::fma(-root, root, a));
}
inline double root_down(double a) {
  const double root = std::sqrt(a);
  if (a == 0 || !std::isfinite(root))
    return root;
  return a < least_certain_product || std::fma(-root, root, a) < 0 ? next_below(root) : root;
}

struct Interval {
  using End = double;
  double low = 0, high = 0;

  static Interval nothing_known() {
    return {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
  }
  static Interval of(double value) { return {value, value}; }
  static double infinity() { return std::numeric_limits<double>::infinity(); }
  // Clamped to End: at least the smallest double, and infinity beyond the largest.
  static double power_of_two(int64_t exponent) {
    return std::ldexp(1.0, int(std::clamp<int64_t>(exponent, -1074, 1024)));
  }

  // Intervals of the same type (those of numeric/range.h have a precision).
  Interval spanning(double least, double most) const { return {least, most}; }
  Interval lower() const { return {low, low}; }
  Interval upper() const { return {high, high}; }

  bool known() const { return low <= high; }
  bool has(double value) const { return low <= value && value <= high; }
  bool single() const { return low == high; }
  double magnitude() const { return std::max(std::fabs(low), std::fabs(high)); }              // the largest
  double mignitude() const { return has(0) ? 0 : std::min(std::fabs(low), std::fabs(high)); } // the smallest
  bool operator==(const Interval&) const = default;
};

inline Interval operator-(const Interval& a) { return {-a.high, -a.low}; }
inline Interval operator+(const Interval& a, const Interval& b) {
  return {sum_down(a.low, b.low), sum_up(a.high, b.high)};
}
inline Interval operator-(const Interval& a, const Interval& b) {
  return {sum_down(a.low, -b.high), sum_up(a.high, -b.low)};
}

inline Interval operator*(const Interval& a, const Interval& b) {
  if (a.low >= 0) {
    if (b.low >= 0)
      return {product_down(a.low, b.low), product_up(a.high, b.high)};
    if (b.high <= 0)
      return {product_down(a.high, b.low), product_up(a.low, b.high)};
    return {product_down(a.high, b.low), product_up(a.high, b.high)};
  }
  if (a.high <= 0)
    return -(-a * b);
  if (b.low >= 0 || b.high <= 0)
    return b * a;
  return {std::min(product_down(a.low, b.high), product_down(a.high, b.low)),
          std::max(product_up(a.low, b.low), product_up(a.high, b.high))};
}

// Unknown if the divisor may be 0.
inline Interval operator/(const Interval& a, const Interval& b) {
  if (!(b.low > 0)) {
    if (b.high < 0)
      return -a / -b;
    return Interval::nothing_known();
  }
  return {quotient_down(a.low, a.low >= 0 ? b.high : b.low), quotient_up(a.high, a.high >= 0 ? b.low : b.high)};
}

inline Interval square(const Interval& a) {
  const double least = a.mignitude(), most = a.magnitude();
  return {product_down(least, least), product_up(most, most)};
}

// Unknown if the operand may be negative.
inline Interval root(const Interval& a) {
  return a.low >= 0 ? Interval{root_down(a.low), root_up(a.high)} : Interval::nothing_known();
}

inline Interval hull(const Interval& a, const Interval& b) {
  return a.known() && b.known() ? Interval{std::min(a.low, b.low), std::max(a.high, b.high)}
                                : Interval::nothing_known();
}
inline Interval meet(const Interval& a, const Interval& b) {
  return {std::max(a.low, b.low), std::min(a.high, b.high)};
}
inline Interval magnitudes(const Interval& a) { return {a.mignitude(), a.magnitude()}; }

// Properties of an end.
inline bool is_finite(double end) { return std::isfinite(end); }
inline bool is_whole(double end) { return end == std::floor(end); }
inline bool is_even(double end) { return std::fmod(end, 2) == 0; }
inline int64_t integer_of(double whole) { return int64_t(whole); } // of moderate size
// Returns the largest e with 2^e <= |end|, for an end that is not 0.
inline int64_t exponent_of(double end) { return std::ilogb(end); }
inline bool is_power_of_two(double end) {
  int exponent = 0;
  return std::fabs(std::frexp(end, &exponent)) == 0.5;
}

// Widens both ends by the error.
inline Interval widened(const Interval& a, double error) {
  return error == 0 ? a : Interval{sum_down(a.low, -error), sum_up(a.high, error)};
}

} // namespace faultline::numeric
