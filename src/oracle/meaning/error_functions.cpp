// The error function and its kin, exponential integrals, incomplete gamma and beta functions.
#include "oracle/meaning/wrapping.h"

#include <arb_hypgeom.h>

#include <acb_hypgeom.h>

namespace faultline::oracle {
namespace {

template <auto Real>
ComplexBall inverse(Arguments a, long precision) {
  return real_unary<Real>(a, precision);
}

// sqrt(pi)/2 exp(-x^2) erfi(x) = x 1F1(1; 3/2; -x^2), which does not overflow on the way.
ComplexBall dawson(Arguments a, long precision) {
  ComplexBall square, one(1L), half_three(3L), result;
  acb_mul(square.raw(), a[0].raw(), a[0].raw(), 2 * precision);
  acb_neg(square.raw(), square.raw());
  acb_mul_2exp_si(half_three.raw(), half_three.raw(), -1);
  const ComplexBall arguments[] = {one, half_three, square};
  result = ternary_flagged<arb_hypgeom_1f1, acb_hypgeom_1f1, 0>(arguments, precision);
  return times(result, a[0], precision);
}

template <bool sine>
ComplexBall fresnel(Arguments a, long precision) {
  ComplexBall s, c;
  if (a[0].is_real())
    arb_hypgeom_fresnel(s.real(), c.real(), a[0].real(), 1, precision);
  else
    acb_hypgeom_fresnel(s.raw(), c.raw(), a[0].raw(), 1, precision);
  return sine ? s : c;
}

template <auto Real, auto Complex>
ComplexBall singular_at_zero(Arguments a, long precision) {
  if (a[0].is_zero())
    throw Undefined{"the exponential integral is not finite at 0"};
  return unary<Real, Complex>(a, precision);
}

ComplexBall exponential_integral(Arguments a, long precision) {
  return binary<arb_hypgeom_expint, acb_hypgeom_expint>(a, precision);
}

ComplexBall first_exponential_integral(Arguments a, long precision) {
  if (a[0].is_zero())
    throw Undefined{"e1 is not finite at 0"};
  const ComplexBall arguments[] = {ComplexBall(1L), a[0]};
  return exponential_integral(arguments, precision);
}

ComplexBall logarithmic_integral(Arguments a, long precision) {
  if (a[0].is_real() && arb_is_one(a[0].real()))
    throw Undefined{"li is not finite at 1"};
  ComplexBall result;
  if (a[0].is_real()) {
    arb_hypgeom_li(result.real(), a[0].real(), 0, precision);
    if (result.is_finite())
      return result;
  }
  acb_hypgeom_li(result.raw(), a[0].raw(), 0, precision);
  return result;
}

// Gamma(s, x), the integral from x to infinity; from a to b with three arguments, as in mpmath.
template <int regularized>
ComplexBall upper_gamma(Arguments a, long precision) {
  return binary_flagged<arb_hypgeom_gamma_upper, acb_hypgeom_gamma_upper, regularized>(a, precision);
}
// P(s, x) of a large s: Arb's own series is slow and cancels there. Below s by x^s exp(-x) / gamma(s + 1) times
// 1F1(1; s + 1; x), whose terms are all positive and fall like a geometric series; else as 1 - Q(s, x).
ComplexBall lower_gamma_of_large(Arguments a, long precision) {
  ComplexBall limit;
  arb_mul_ui(limit.real(), a[0].real(), 7, precision);
  arb_mul_2exp_si(limit.real(), limit.real(), -3);
  if (!arb_lt(a[1].real(), limit.real()))
    return minus(ComplexBall(1L), upper_gamma<1>(a, precision), precision);
  const ComplexBall one(1L), next = plus(a[0], one, precision);
  acb_struct below[2]; // the series itself: Arb's 1F1 of 1 would come back to the incomplete gamma function
  acb_init(below);
  acb_init(below + 1);
  acb_set(below, next.raw());
  acb_one(below + 1);
  ComplexBall series, power, part;
  acb_hypgeom_pfq_direct(series.raw(), one.raw(), 1, below, 2, a[1].raw(), -1, precision);
  acb_clear(below);
  acb_clear(below + 1);
  arb_log(power.real(), a[1].real(), precision);
  arb_mul(power.real(), power.real(), a[0].real(), precision);
  arb_sub(power.real(), power.real(), a[1].real(), precision);
  arb_hypgeom_lgamma(part.real(), next.real(), precision);
  arb_sub(power.real(), power.real(), part.real(), precision);
  arb_exp(power.real(), power.real(), precision);
  return times(power, series, precision);
}

template <int regularized>
ComplexBall lower_gamma(Arguments a, long precision) {
  constexpr long large = 200; // from here on it is faster
  if (all_real(a) && arb_is_positive(a[1].real()) && arf_cmp_si(arb_midref(a[0].real()), large) > 0) {
    const ComplexBall share = lower_gamma_of_large(a, precision);
    if (regularized)
      return share;
    ComplexBall whole;
    arb_hypgeom_gamma(whole.real(), a[0].real(), precision);
    return times(share, whole, precision);
  }
  return binary_flagged<arb_hypgeom_gamma_lower, acb_hypgeom_gamma_lower, regularized>(a, precision);
}
ComplexBall incomplete_gamma(Arguments a, long precision) {
  const ComplexBall first = upper_gamma<0>(a.first(2), precision);
  if (a.size() == 2)
    return first;
  const ComplexBall end[] = {a[0], a[2]};
  return minus(first, upper_gamma<0>(end, precision), precision);
}

template <int regularized>
ComplexBall lower_beta(Arguments a, long precision) {
  return ternary_flagged<arb_hypgeom_beta_lower, acb_hypgeom_beta_lower, regularized>(a, precision);
}
ComplexBall incomplete_beta(Arguments a, long precision) {
  const ComplexBall end[] = {a[0], a[1], a[3]};
  return minus(lower_beta<0>(end, precision), lower_beta<0>(a.first(3), precision), precision);
}

constexpr auto everywhere = Analytic::everywhere, off_cut = Analytic::off_cut, nowhere = Analytic::nowhere;

constexpr Function table[] = {
    {"erf", 1, 1, everywhere, "erf(x)", unary<arb_hypgeom_erf, acb_hypgeom_erf>},
    {"erfc", 1, 1, everywhere, "erfc(x): 1 - erf(x)", unary<arb_hypgeom_erfc, acb_hypgeom_erfc>},
    {"erfi", 1, 1, everywhere, "erfi(x): erf(i x) / i", unary<arb_hypgeom_erfi, acb_hypgeom_erfi>},
    {"erfinv", 1, 1, nowhere, "erfinv(x): the inverse of erf", inverse<arb_hypgeom_erfinv>},
    {"erfcinv", 1, 1, nowhere, "erfcinv(x): the inverse of erfc", inverse<arb_hypgeom_erfcinv>},
    {"dawson", 1, 1, everywhere, "dawson(x): sqrt(pi)/2 exp(-x^2) erfi(x)", dawson},
    {"fresnels", 1, 1, everywhere, "fresnels(x): the integral of sin(pi t^2 / 2) from 0", fresnel<true>},
    {"fresnelc", 1, 1, everywhere, "fresnelc(x): the integral of cos(pi t^2 / 2) from 0", fresnel<false>},
    {"ei", 1, 1, off_cut, "ei(x): the integral of exp(t)/t from -infinity, principal value",
     singular_at_zero<arb_hypgeom_ei, acb_hypgeom_ei>},
    {"e1", 1, 1, off_cut, "e1(x): expint(1, x)", first_exponential_integral},
    {"expint", 2, 2, off_cut, "expint(n, x): the integral of exp(-x t) / t^n from 1", exponential_integral},
    {"li", 1, 1, nowhere, "li(x): ei(log(x))", logarithmic_integral},
    {"si", 1, 1, everywhere, "si(x): the integral of sin(t)/t from 0", unary<arb_hypgeom_si, acb_hypgeom_si>},
    {"ci", 1, 1, off_cut, "ci(x): the cosine integral", singular_at_zero<arb_hypgeom_ci, acb_hypgeom_ci>},
    {"shi", 1, 1, everywhere, "shi(x): the integral of sinh(t)/t from 0", unary<arb_hypgeom_shi, acb_hypgeom_shi>},
    {"chi", 1, 1, off_cut, "chi(x): the hyperbolic cosine integral",
     singular_at_zero<arb_hypgeom_chi, acb_hypgeom_chi>},
    {"gammainc", 2, 3, nowhere, "gammainc(s, a), gammainc(s, a, b): the integral of t^(s-1) exp(-t) from a (to b)",
     incomplete_gamma},
    {"gammaupper", 2, 2, nowhere, "gammaupper(s, x): the integral of t^(s-1) exp(-t) from x", upper_gamma<0>},
    {"gammalower", 2, 2, nowhere, "gammalower(s, x): the same from 0 to x", lower_gamma<0>},
    {"gammaq", 2, 2, nowhere, "gammaq(s, x): gammaupper(s, x) / gamma(s)", upper_gamma<1>},
    {"gammap", 2, 2, nowhere, "gammap(s, x): gammalower(s, x) / gamma(s)", lower_gamma<1>},
    {"betainc", 4, 4, nowhere, "betainc(a, b, x, y): the integral of t^(a-1) (1-t)^(b-1) from x to y", incomplete_beta},
    {"betalower", 3, 3, nowhere, "betalower(a, b, x): the same from 0 to x", lower_beta<0>},
    {"betai", 3, 3, nowhere, "betai(a, b, x): betalower(a, b, x) / beta(a, b)", lower_beta<1>},
};

} // namespace

std::span<const Function> error_functions() { return table; }

} // namespace faultline::oracle
