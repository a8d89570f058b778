// ComplexBall: a complex number that lies in a rectangle of balls, over Arb's acb_t, with value semantics.
#pragma once

#include "numeric/ball.h"

#include <acb.h>

namespace faultline::numeric {

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

  // Everything: what is not known.
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
