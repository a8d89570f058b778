// Ball: a real number that lies within a radius of a midpoint, with value semantics, over Arb's arb_t.
//
// A ball carries the precision that it is computed with; of two operands the larger precision counts. Doubles enter
// exactly. What Arb cannot enclose is a ball of infinite radius, never an error.
#pragma once

#include <arb.h>
#include <arb_hypgeom.h>

namespace faultline::benchmarks {

class Ball {
public:
  explicit Ball(slong precision) : precision_(precision) { arb_init(value_); }
  Ball(double value, slong precision) : Ball(precision) { arb_set_d(value_, value); }
  Ball(const arb_t value, slong precision) : Ball(precision) { arb_set(value_, value); }
  Ball(const Ball& other) : Ball(other.precision_) { arb_set(value_, other.value_); }
  Ball(Ball&& other) noexcept : Ball(other.precision_) { arb_swap(value_, other.value_); }
  Ball& operator=(Ball other) noexcept {
    arb_swap(value_, other.value_);
    precision_ = other.precision_;
    return *this;
  }
  ~Ball() { arb_clear(value_); }

  // Everything: what an evaluation that was not attempted is worth.
  static Ball unknown(slong precision) {
    Ball all(precision);
    arb_zero_pm_inf(all.value_);
    return all;
  }
  // The value at a pole.
  static Ball infinite(slong precision) {
    Ball infinite(precision);
    arb_pos_inf(infinite.value_);
    return infinite;
  }
  bool is_infinite() const { return arf_is_inf(arb_midref(value_)) && mag_is_zero(arb_radref(value_)); }
  static Ball pi(slong precision) {
    Ball pi(precision);
    arb_const_pi(pi.value_, precision);
    return pi;
  }

  slong precision() const { return precision_; }
  // The same number, for computing on with more or fewer bits.
  Ball at(slong precision) const {
    Ball same(*this);
    same.precision_ = precision;
    return same;
  }
  Ball constant(double value) const { return Ball(value, precision_); }

  arb_ptr raw() { return value_; }
  arb_srcptr raw() const { return value_; }

  bool is_zero() const { return arb_is_zero(value_); }
  bool is_certainly_positive() const { return arb_is_positive(value_); }
  bool is_certainly_negative() const { return arb_is_negative(value_); }
  bool is_certainly_below_2exp(slong exponent) const {
    mag_t size;
    mag_init(size);
    arb_get_mag(size, value_);
    const bool below = mag_cmp_2exp_si(size, exponent) < 0;
    mag_clear(size);
    return below;
  }
  slong accurate_bits() const { return arb_rel_accuracy_bits(value_); }
  // Widens the ball by |error|: the way in for a bound on what a series leaves out.
  void add_error(const Ball& error) { arb_add_error(value_, error.value_); }

private:
  arb_t value_;
  slong precision_;
};

inline slong precision_of(const Ball& a, const Ball& b) {
  return a.precision() > b.precision() ? a.precision() : b.precision();
}

using Unary = void (*)(arb_t, const arb_t, slong);
using Binary = void (*)(arb_t, const arb_t, const arb_t, slong);

inline Ball apply(Unary function, const Ball& x) {
  Ball result(x.precision());
  function(result.raw(), x.raw(), x.precision());
  return result;
}
inline Ball apply(Binary function, const Ball& x, const Ball& y) {
  const slong precision = precision_of(x, y);
  Ball result(precision);
  function(result.raw(), x.raw(), y.raw(), precision);
  return result;
}

inline Ball operator+(const Ball& a, const Ball& b) { return apply(arb_add, a, b); }
inline Ball operator-(const Ball& a, const Ball& b) { return apply(arb_sub, a, b); }
inline Ball operator*(const Ball& a, const Ball& b) { return apply(arb_mul, a, b); }
inline Ball operator/(const Ball& a, const Ball& b) { return apply(arb_div, a, b); }
inline Ball operator+(const Ball& a, double b) { return a + a.constant(b); }
inline Ball operator-(const Ball& a, double b) { return a - a.constant(b); }
inline Ball operator*(const Ball& a, double b) { return a * a.constant(b); }
inline Ball operator/(const Ball& a, double b) { return a / a.constant(b); }
inline Ball operator+(double a, const Ball& b) { return b.constant(a) + b; }
inline Ball operator-(double a, const Ball& b) { return b.constant(a) - b; }
inline Ball operator*(double a, const Ball& b) { return b.constant(a) * b; }
inline Ball operator/(double a, const Ball& b) { return b.constant(a) / b; }
inline Ball operator-(const Ball& a) {
  Ball negative(a);
  arb_neg(negative.raw(), negative.raw());
  return negative;
}
inline Ball& operator+=(Ball& a, const Ball& b) { return a = a + b; }
inline Ball& operator*=(Ball& a, const Ball& b) { return a = a * b; }

inline Ball abs(const Ball& x) {
  Ball result(x);
  arb_abs(result.raw(), result.raw());
  return result;
}
inline Ball exp(const Ball& x) { return apply(arb_exp, x); }
inline Ball expm1(const Ball& x) { return apply(arb_expm1, x); }
inline Ball log(const Ball& x) { return apply(arb_log, x); }
inline Ball log1p(const Ball& x) { return apply(arb_log1p, x); }
inline Ball sqrt(const Ball& x) { return apply(arb_sqrt, x); }
inline Ball square(const Ball& x) { return apply(arb_sqr, x); }
inline Ball sin(const Ball& x) { return apply(arb_sin, x); }
inline Ball cos(const Ball& x) { return apply(arb_cos, x); }
inline Ball sin_pi(const Ball& x) { return apply(arb_sin_pi, x); }
inline Ball cos_pi(const Ball& x) { return apply(arb_cos_pi, x); }
inline Ball sinh(const Ball& x) { return apply(arb_sinh, x); }
inline Ball cosh(const Ball& x) { return apply(arb_cosh, x); }
inline Ball gamma(const Ball& x) { return apply(arb_hypgeom_gamma, x); }
inline Ball reciprocal_gamma(const Ball& x) { return apply(arb_hypgeom_rgamma, x); }
inline Ball pow(const Ball& x, const Ball& y) { return apply(arb_pow, x, y); }
inline Ball pow(const Ball& x, unsigned long n) {
  Ball result(x.precision());
  arb_pow_ui(result.raw(), x.raw(), n, x.precision());
  return result;
}
inline Ball factorial(unsigned long n, slong precision) {
  Ball result(precision);
  arb_fac_ui(result.raw(), n, precision);
  return result;
}

} // namespace faultline::benchmarks
