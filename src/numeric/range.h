// Ranges of real numbers with Arb's floats as ends, rounded outward at a precision that each range carries.
//
// This is the checker's arithmetic. It shares only the names of the operations with the search's arithmetic
// (numeric/interval.h), whose ends are doubles, so that formulas can be templates over both (ops/formulas.h). Arb
// supports directed rounding and unlimited exponents, so overflow and underflow cannot happen. Rejected: Arb's balls. A
// product of wide balls is much wider than that of the ranges ([0, 1] * [0, 1] is [-1/2, 1]), so valid bounds would not
// follow. Balls evaluate functions at single points.
#pragma once

#include <arf.h>

#include <algorithm>
#include <compare>
#include <cstdint>
#include <limits>
#include <utility>

namespace faultline::numeric {

// An arf_t with value semantics.
class Real {
public:
  Real() { arf_init(value_); }
  Real(double value) : Real() { arf_set_d(value_, value); } // exactly
  Real(const Real& other) : Real() { arf_set(value_, other.value_); }
  Real(Real&& other) noexcept : Real() { arf_swap(value_, other.value_); }
  Real& operator=(const Real& other) {
    arf_set(value_, other.value_);
    return *this;
  }
  Real& operator=(Real&& other) noexcept {
    arf_swap(value_, other.value_);
    return *this;
  }
  ~Real() {
    if (ARF_HAS_PTR(value_) || COEFF_IS_MPZ(ARF_EXP(value_))) // most own no memory, and the call is expensive
      arf_clear(value_);
  }

  static Real power_of_two(slong exponent) {
    Real power;
    arf_one(power.value_);
    arf_mul_2exp_si(power.value_, power.value_, exponent);
    return power;
  }

  int sign() const { return arf_sgn(value_); }

  arf_ptr raw() { return value_; }
  arf_srcptr raw() const { return value_; }

  friend bool operator==(const Real& a, const Real& b) { return arf_equal(a.value_, b.value_); }
  friend std::partial_ordering operator<=>(const Real& a, const Real& b) {
    return arf_is_nan(a.value_) || arf_is_nan(b.value_) ? std::partial_ordering::unordered
                                                        : arf_cmp(a.value_, b.value_) <=> 0;
  }
  friend bool operator==(const Real& a, double b) { return (a <=> b) == 0; }
  friend std::partial_ordering operator<=>(const Real& a, double b) {
    return b == 0 && !arf_is_nan(a.value_) ? a.sign() <=> 0 : a <=> Real(b);
  }

private:
  arf_t value_;
};

inline bool is_finite(const Real& end) { return arf_is_finite(end.raw()); }
inline bool is_whole(const Real& end) { return arf_is_int(end.raw()); }
bool is_even(const Real& end);
inline int64_t integer_of(const Real& whole) { return arf_get_si(whole.raw(), ARF_RND_DOWN); } // of moderate size
// Returns the largest e with 2^e <= |end|, for an end that is not 0.
inline int64_t exponent_of(const Real& end) { return arf_abs_bound_lt_2exp_si(end.raw()) - 1; }
inline bool is_power_of_two(const Real& end) { return arf_cmpabs_2exp_si(end.raw(), exponent_of(end)) == 0; }

// Round up; operands are magnitudes.
Real sum_up(const Real& a, const Real& b, slong precision);
Real product_up(const Real& a, const Real& b, slong precision);
Real quotient_up(const Real& a, const Real& b, slong precision);

// low <= high; both are finite except in infinite constants. A NaN at an end means "anything, or nothing", as in an
// interval. Operations round to the larger precision of their operands, in bits.
struct Range {
  using End = Real;
  static constexpr slong least_precision = 64;
  Real low, high;
  slong precision = least_precision;

  Range() = default; // 0
  Range(Real low, Real high, slong precision = least_precision)
      : low(std::move(low)), high(std::move(high)), precision(precision) {}

  static Range nothing_known();
  static Range of(const Real& value) { return {value, value}; }
  static Real infinity() { return std::numeric_limits<double>::infinity(); }
  static Real power_of_two(int64_t exponent) { return Real::power_of_two(exponent); }

  Range spanning(Real least, Real most) const { return {std::move(least), std::move(most), precision}; }
  Range lower() const { return {low, low, precision}; }
  Range upper() const { return {high, high, precision}; }

  bool known() const { return !arf_is_nan(low.raw()) && !arf_is_nan(high.raw()); }
  bool has(double value) const { return low <= value && high >= value; }
  bool is_zero() const { return low == 0 && high == 0; }
  bool single() const { return low == high; }
  Real magnitude() const; // the largest
  Real mignitude() const; // the smallest
};

Range operator-(const Range& a);
Range operator+(const Range& a, const Range& b);
Range operator-(const Range& a, const Range& b);
Range operator*(const Range& a, const Range& b);
Range operator/(const Range& a, const Range& b); // unknown if the divisor may be 0
Range square(const Range& a);
Range root(const Range& a); // unknown if the operand may be negative
Range hull(const Range& a, const Range& b);
Range meet(const Range& a, const Range& b);
Range magnitudes(const Range& a);
Range widened(const Range& a, const Real& error);

} // namespace faultline::numeric
