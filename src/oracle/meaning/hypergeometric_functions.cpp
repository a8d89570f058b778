#include "oracle/meaning/wrapping.h"

#include <arb_hypgeom.h>

#include <acb_hypgeom.h>

namespace faultline::oracle {
namespace {

ComplexBall gauss(Arguments a, long precision) {
  ComplexBall result;
  if (all_real(a)) {
    arb_hypgeom_2f1(result.real(), a[0].real(), a[1].real(), a[2].real(), a[3].real(), 0, precision);
    if (result.is_finite())
      return result;
  }
  acb_hypgeom_2f1(result.raw(), a[0].raw(), a[1].raw(), a[2].raw(), a[3].raw(), 0, precision);
  return result;
}

ComplexBall tricomi(Arguments a, long precision) { return ternary<arb_hypgeom_u, acb_hypgeom_u>(a, precision); }

// (exp(x) - 1) / x = 1F1(1; 2; x), also where the ball holds 0
ComplexBall relative_exponential(Arguments a, long precision) {
  if (!arb_contains_zero(a[0].real()) || !arb_contains_zero(a[0].imaginary()))
    return quotient(unary<arb_expm1, acb_expm1>(a, precision), a[0], precision);
  const ComplexBall arguments[] = {ComplexBall(1L), ComplexBall(2L), a[0]};
  return ternary_flagged<arb_hypgeom_1f1, acb_hypgeom_1f1, 0>(arguments, precision);
}

// 1F2(a; b, c; z)
ComplexBall one_f_two(Arguments a, long precision) {
  acb_struct below[2];
  acb_init(below);
  acb_init(below + 1);
  acb_set(below, a[1].raw());
  acb_set(below + 1, a[2].raw());
  ComplexBall result;
  acb_hypgeom_pfq(result.raw(), a[0].raw(), 1, below, 2, a[3].raw(), 0, precision);
  acb_clear(below);
  acb_clear(below + 1);
  return result;
}

constexpr auto everywhere = Analytic::everywhere, nowhere = Analytic::nowhere;

constexpr Function table[] = {
    {"exprel", 1, 1, everywhere, "exprel(x): (exp(x) - 1) / x", relative_exponential},
    {"hyp0f1", 2, 2, everywhere, "hyp0f1(a, z)", binary_flagged<arb_hypgeom_0f1, acb_hypgeom_0f1, 0>},
    {"hyp1f1", 3, 3, everywhere, "hyp1f1(a, b, z): Kummer's M", ternary_flagged<arb_hypgeom_1f1, acb_hypgeom_1f1, 0>},
    {"hyp2f1", 4, 4, nowhere, "hyp2f1(a, b, c, z)", gauss},
    {"hyperu", 3, 3, Analytic::off_cut, "hyperu(a, b, z): Tricomi's U", tricomi},
    {"hyp1f2", 4, 4, everywhere, "hyp1f2(a, b, c, z)", one_f_two},
};

} // namespace

std::span<const Function> hypergeometric_functions() { return table; }

} // namespace faultline::oracle
