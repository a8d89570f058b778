// A complex number whose parts are balls: for the real functions that Arb offers in the complex plane only.
#pragma once

#include <acb.h>
#include <acb_hypgeom.h>

#include "ball.h"

namespace faultline::benchmarks {

class ComplexBall {
public:
  explicit ComplexBall(slong precision) : precision_(precision) { acb_init(value_); }
  explicit ComplexBall(const Ball& real) : ComplexBall(real.precision()) { acb_set_arb(value_, real.raw()); }
  ComplexBall(const Ball& real, const Ball& imaginary) : ComplexBall(precision_of(real, imaginary)) {
    acb_set_arb_arb(value_, real.raw(), imaginary.raw());
  }
  ComplexBall(const ComplexBall& other) : ComplexBall(other.precision_) { acb_set(value_, other.value_); }
  ComplexBall& operator=(const ComplexBall&) = delete;
  ~ComplexBall() { acb_clear(value_); }

  slong precision() const { return precision_; }
  acb_ptr raw() { return value_; }
  acb_srcptr raw() const { return value_; }
  Ball real() const {
    Ball part(precision_);
    arb_set(part.raw(), acb_realref(value_));
    return part;
  }
  Ball imaginary() const {
    Ball part(precision_);
    arb_set(part.raw(), acb_imagref(value_));
    return part;
  }

private:
  acb_t value_;
  slong precision_;
};

} // namespace faultline::benchmarks
