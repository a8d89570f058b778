// Ball: a real number that lies within a radius of a midpoint, over Arb's arb_t, with value semantics.
//
// Values that Arb cannot enclose are balls of infinite radius or NaNs, never errors: check is_finite().
#pragma once

#include "numeric/bigfloat.h"

#include <acb.h>
#include <arb.h>

namespace faultline::numeric {

class Ball {
public:
  Ball() { arb_init(value_); } // zero
  explicit Ball(long whole) : Ball() { arb_set_si(value_, whole); }
  explicit Ball(Value value); // exactly
  Ball(const Ball& other) : Ball() { arb_set(value_, other.value_); }
  Ball(Ball&& other) noexcept : Ball() { arb_swap(value_, other.value_); }
  Ball& operator=(const Ball& other) {
    arb_set(value_, other.value_);
    return *this;
  }
  Ball& operator=(Ball&& other) noexcept {
    arb_swap(value_, other.value_);
    return *this;
  }
  ~Ball() { arb_clear(value_); }

  bool is_finite() const { return arb_is_finite(value_); }
  bool is_exact() const { return arb_is_exact(value_); }
  bool is_zero() const { return arb_is_zero(value_); }
  bool contains_zero() const { return arb_contains_zero(value_); }
  // Number of correct bits of the midpoint.
  long accurate_bits() const { return arb_rel_accuracy_bits(value_); }

  // Returns the midpoint with its correct bits, at least 64. An infinity beyond MPFR's exponents.
  BigFloat middle() const;
  // The radius is at most 2^this; INT64_MIN for an exact number.
  int64_t radius_exponent() const;

  arb_ptr raw() { return value_; }
  arb_srcptr raw() const { return value_; }

private:
  arb_t value_;
};

// ComplexBall: a complex number that lies in a rectangle of balls, over Arb's acb_t, with value semantics.
class ComplexBall {
public:
  ComplexBall() { acb_init(value_); } // zero
  explicit ComplexBall(long whole) : ComplexBall() { acb_set_si(value_, whole); }
  ComplexBall(const Ball& real) : ComplexBall() { acb_set_arb(value_, real.raw()); } // NOLINT: every real number is one
  ComplexBall(const ComplexBall& other) : ComplexBall() { acb_set(value_, other.value_); }
  ComplexBall(ComplexBall&& other) noexcept : ComplexBall() { acb_swap(value_, other.value_); }
  ComplexBall& operator=(const ComplexBall& other) {
    acb_set(value_, other.value_);
    return *this;
  }
  ComplexBall& operator=(ComplexBall&& other) noexcept {
    acb_swap(value_, other.value_);
    return *this;
  }
  ~ComplexBall() { acb_clear(value_); }

  // The whole plane: an unknown value.
  static ComplexBall unknown() {
    ComplexBall all;
    acb_indeterminate(all.value_);
    return all;
  }

  bool is_real() const { return acb_is_real(value_); } // exactly
  bool is_finite() const { return acb_is_finite(value_); }
  bool is_exact() const { return acb_is_exact(value_); }
  bool is_zero() const { return acb_is_zero(value_); }
  Ball real_part() const { return part(acb_realref(value_)); }
  Ball imaginary_part() const { return part(acb_imagref(value_)); }

  arb_srcptr real() const { return acb_realref(value_); }
  arb_ptr real() { return acb_realref(value_); }
  arb_srcptr imaginary() const { return acb_imagref(value_); }
  acb_ptr raw() { return value_; }
  acb_srcptr raw() const { return value_; }

private:
  static Ball part(arb_srcptr from) {
    Ball copy;
    arb_set(copy.raw(), from);
    return copy;
  }

  acb_t value_;
};

} // namespace faultline::numeric
