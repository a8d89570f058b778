// Ranges of real numbers whose ends are Arb's floats, rounded outward at a precision that the caller chooses.
//
// The checker's own arithmetic: it shares nothing with that of the search (bound/interval.h), whose ends are doubles.
// Arb rounds in the direction that it is asked to, and its exponents have no end, so there is no overflow and no
// underflow to think of. Rejected: Arb's balls themselves. A product of wide balls is much wider than that of the
// ranges ([0, 1] * [0, 1] is [-1/2, 1]), so bounds would not follow that do. Balls serve for functions, at single
// points (certificate/functions.h).
#pragma once

#include <arf.h>

#include <optional>
#include <utility>

namespace faultline::certificate {

// An arf_t with value semantics.
class Real {
public:
  Real() { arf_init(value_); }
  explicit Real(double value) : Real() { arf_set_d(value_, value); }
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
    if (ARF_HAS_PTR(value_) || COEFF_IS_MPZ(ARF_EXP(value_))) // most have nothing to free, and the call costs more
      arf_clear(value_);
  }

  static Real power_of_two(slong exponent) {
    Real power;
    arf_one(power.value_);
    arf_mul_2exp_si(power.value_, power.value_, exponent);
    return power;
  }

  int sign() const { return arf_sgn(value_); }
  bool is_finite() const { return arf_is_finite(value_); }
  // Of a number that is not 0: the largest e with 2^e <= |value|.
  slong exponent() const { return arf_abs_bound_lt_2exp_si(value_) - 1; }
  bool is_power_of_two() const { return arf_cmpabs_2exp_si(value_, exponent()) == 0; }

  arf_ptr raw() { return value_; }
  arf_srcptr raw() const { return value_; }

  friend int compare(const Real& a, const Real& b) { return arf_cmp(a.value_, b.value_); }
  friend bool operator<(const Real& a, const Real& b) { return compare(a, b) < 0; }
  friend bool operator<=(const Real& a, const Real& b) { return compare(a, b) <= 0; }
  friend bool operator==(const Real& a, const Real& b) { return arf_equal(a.value_, b.value_); }

private:
  arf_t value_;
};

// low <= high; both are finite but in constants that are not.
struct Range {
  Real low, high;

  Range() = default; // 0
  Range(Real low, Real high) : low(std::move(low)), high(std::move(high)) {}
  explicit Range(double value) : low(value), high(value) {}

  bool is_zero() const { return low.sign() == 0 && high.sign() == 0; }
  bool is_single() const { return low == high; }
  bool has_zero() const { return low.sign() <= 0 && high.sign() >= 0; }
  bool is_finite() const { return low.is_finite() && high.is_finite(); }

  Real most() const;  // the largest magnitude
  Real least() const; // the smallest
};

// One precision, in bits, and the operations that round to it.
class Rounding {
public:
  explicit Rounding(slong precision) : precision_(precision) {}
  slong precision() const { return precision_; }

  // Upward, of magnitudes.
  Real sum_up(const Real& a, const Real& b) const;
  Real product_up(const Real& a, const Real& b) const;
  Real quotient_up(const Real& a, const Real& b) const;

  Range sum(const Range& a, const Range& b) const;
  Range difference(const Range& a, const Range& b) const;
  Range product(const Range& a, const Range& b) const;
  Range square(const Range& a) const;
  // None where the divisor may be 0, or what the root is of may be negative.
  std::optional<Range> quotient(const Range& a, const Range& b) const;
  std::optional<Range> root(const Range& a) const;

  Range widened(const Range& a, const Real& by) const;

private:
  slong precision_;
};

Range negated(const Range& a);
Range magnitudes(const Range& a);
Range hull(const Range& a, const Range& b);

} // namespace faultline::certificate
