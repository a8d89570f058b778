#include "ops/balls.h"

#include <arb_hypgeom.h>

namespace faultline::ops {
namespace {

template <void (*function)(arb_t, const arb_t, slong)>
void of_one(arb_t result, const arb_t a, const arb_t, slong precision) {
  function(result, a, precision);
}

// base^a
template <ulong base>
void power_of(arb_t result, const arb_t a, const arb_t, slong precision) {
  arb_t whole;
  arb_init(whole);
  arb_set_ui(whole, base);
  arb_pow(result, whole, a, precision);
  arb_clear(whole);
}

template <ulong base>
void log_to(arb_t result, const arb_t a, const arb_t, slong precision) {
  arb_log_base_ui(result, a, base, precision);
}

// Arb's roots are those of positive numbers.
void cube_root(arb_t result, const arb_t a, const arb_t, slong precision) {
  const bool negative = arf_sgn(arb_midref(a)) < 0;
  arb_t size;
  arb_init(size);
  arb_set(size, a);
  if (negative)
    arb_neg(size, size);
  arb_root_ui(result, size, 3, precision);
  if (negative)
    arb_neg(result, result);
  arb_clear(size);
}

} // namespace

BallFunction ball_function(Op op) {
  switch (op) {
  case Op::exp:
    return of_one<arb_exp>;
  case Op::exp2:
    return power_of<2>;
  case Op::exp10:
    return power_of<10>;
  case Op::expm1:
    return of_one<arb_expm1>;
  case Op::log:
    return of_one<arb_log>;
  case Op::log2:
    return log_to<2>;
  case Op::log10:
    return log_to<10>;
  case Op::log1p:
    return of_one<arb_log1p>;
  case Op::sin:
    return of_one<arb_sin>;
  case Op::cos:
    return of_one<arb_cos>;
  case Op::tan:
    return of_one<arb_tan>;
  case Op::asin:
    return of_one<arb_asin>;
  case Op::acos:
    return of_one<arb_acos>;
  case Op::atan:
    return of_one<arb_atan>;
  case Op::sinh:
    return of_one<arb_sinh>;
  case Op::cosh:
    return of_one<arb_cosh>;
  case Op::tanh:
    return of_one<arb_tanh>;
  case Op::asinh:
    return of_one<arb_asinh>;
  case Op::acosh:
    return of_one<arb_acosh>;
  case Op::atanh:
    return of_one<arb_atanh>;
  case Op::cbrt:
    return cube_root;
  case Op::erf:
    return of_one<arb_hypgeom_erf>;
  case Op::erfc:
    return of_one<arb_hypgeom_erfc>;
  case Op::pow:
    return arb_pow;
  case Op::atan2:
    return arb_atan2;
  default:
    return nullptr;
  }
}

} // namespace faultline::ops
