#include "oracle/meaning/functions.h"

#include <acb_elliptic.h>
#include <acb_hypgeom.h>
#include <arb_hypgeom.h>
#include <array>

namespace faultline::oracle {

namespace {

constexpr const char* pole = "the gamma function has a pole there";

ComplexBall gamma_of(const ComplexBall& x, long precision) {
  if (is_pole_of_gamma(x))
    throw Undefined{pole, true};
  return unary<arb_hypgeom_gamma, acb_hypgeom_gamma>(Arguments(&x, 1), precision);
}
ComplexBall reciprocal_gamma_of(const ComplexBall& x, long precision) {
  return unary<arb_hypgeom_rgamma, acb_hypgeom_rgamma>(Arguments(&x, 1), precision);
}

ComplexBall gamma(Arguments a, long precision) { return gamma_of(a[0], precision); }
ComplexBall reciprocal_gamma(Arguments a, long precision) { return reciprocal_gamma_of(a[0], precision); }
ComplexBall factorial(Arguments a, long precision) {
  return gamma_of(plus(a[0], ComplexBall(1L), precision), precision);
}

ComplexBall log_gamma(Arguments a, long precision) {
  if (is_pole_of_gamma(a[0]))
    throw Undefined{pole, true};
  return unary<arb_hypgeom_lgamma, acb_hypgeom_lgamma>(a, precision);
}

// log |gamma(x)|: by the reflection formula for negative numbers.
ComplexBall log_absolute_gamma(Arguments a, long precision) {
  if (!a[0].is_real())
    return ComplexBall::unknown();
  if (is_pole_of_gamma(a[0]))
    throw Undefined{pole, true};
  if (!arb_is_negative(a[0].real()))
    return log_gamma(a, precision);
  ComplexBall result, part;
  arb_sin_pi(part.real(), a[0].real(), precision);
  arb_abs(part.real(), part.real());
  arb_const_pi(result.real(), precision);
  arb_div(result.real(), result.real(), part.real(), precision);
  arb_log(result.real(), result.real(), precision);
  arb_sub_ui(part.real(), a[0].real(), 1, precision);
  arb_neg(part.real(), part.real());
  arb_hypgeom_lgamma(part.real(), part.real(), precision);
  return minus(result, part, precision);
}

ComplexBall sign_of_gamma(Arguments a, long precision) {
  if (!a[0].is_real())
    return ComplexBall::unknown();
  if (is_pole_of_gamma(a[0]))
    throw Undefined{pole, true};
  ComplexBall result = reciprocal_gamma_of(a[0], precision);
  arb_sgn(result.real(), result.real());
  return result;
}

// x!! = (pi/2)^((cos(pi x) - 1) / 4) 2^(x/2) gamma(x/2 + 1)
ComplexBall double_factorial(Arguments a, long precision) {
  if (!a[0].is_real())
    return ComplexBall::unknown();
  ComplexBall half, exponent, factor, two(2L);
  arb_mul_2exp_si(half.real(), a[0].real(), -1);
  arb_cos_pi(exponent.real(), a[0].real(), precision);
  arb_sub_ui(exponent.real(), exponent.real(), 1, precision);
  arb_mul_2exp_si(exponent.real(), exponent.real(), -2);
  arb_const_pi(factor.real(), precision);
  arb_mul_2exp_si(factor.real(), factor.real(), -1);
  factor = times(to_the_power(factor, exponent, precision), to_the_power(two, half, precision), precision);
  return times(factor, gamma_of(plus(half, ComplexBall(1L), precision), precision), precision);
}

// gamma(y) / gamma(x) at poles of both, by their residues: (-1)^(y - x) gamma(1 - x) / gamma(1 - y).
ComplexBall ratio_of_poles(const ComplexBall& x, const ComplexBall& y, long precision) {
  ComplexBall above, below, result, half;
  arb_sub_ui(above.real(), x.real(), 1, precision);
  arb_neg(above.real(), above.real());
  arb_sub_ui(below.real(), y.real(), 1, precision);
  arb_neg(below.real(), below.real());
  arb_hypgeom_lgamma(above.real(), above.real(), precision);
  arb_hypgeom_lgamma(below.real(), below.real(), precision);
  arb_sub(result.real(), above.real(), below.real(), precision);
  arb_exp(result.real(), result.real(), precision);
  arb_sub(half.real(), y.real(), x.real(), ARF_PREC_EXACT);
  arb_mul_2exp_si(half.real(), half.real(), -1);
  if (!arb_is_int(half.real()))
    arb_neg(result.real(), result.real());
  return result;
}

// Uses a product for integer n, which also has a value at poles of the gamma function: (x)_-n = 1 / (x - n)_n.
ComplexBall rising(Arguments a, long precision) {
  if (is_integer(a[1]) && arf_cmpabs_2exp_si(arb_midref(a[1].real()), 20) < 0) {
    const long n = small_integer(a[1], "rf");
    const ComplexBall start = n < 0 ? plus(a[0], a[1], precision) : a[0];
    ComplexBall product;
    acb_hypgeom_rising_ui(product.raw(), start.raw(), ulong(std::labs(n)), precision);
    return n < 0 ? quotient(ComplexBall(1L), product, precision) : product;
  }
  ComplexBall end;
  acb_add(end.raw(), a[0].raw(), a[1].raw(), ARF_PREC_EXACT);
  if (is_pole_of_gamma(a[0]) && is_pole_of_gamma(end))
    return ratio_of_poles(a[0], end, precision);
  return times(gamma_of(end, precision), reciprocal_gamma_of(a[0], precision), precision);
}

// gamma(x + 1) / gamma(x - n + 1)
ComplexBall falling(Arguments a, long precision) {
  const ComplexBall start = plus(minus(a[0], a[1], precision), ComplexBall(1L), precision);
  if (is_integer(a[1]) && arb_is_nonnegative(a[1].real())) {
    const std::array same = {start, a[1]};
    return rising(same, precision);
  }
  return times(gamma_of(plus(a[0], ComplexBall(1L), precision), precision), reciprocal_gamma_of(start, precision),
               precision);
}

ComplexBall binomial(Arguments a, long precision) {
  const ComplexBall one(1L);
  const ComplexBall below = reciprocal_gamma_of(plus(a[1], one, precision), precision);
  return times(falling(a, precision), below, precision);
}

ComplexBall beta(Arguments a, long precision) {
  const ComplexBall both = times(gamma_of(a[0], precision), gamma_of(a[1], precision), precision);
  return times(both, reciprocal_gamma_of(plus(a[0], a[1], precision), precision), precision);
}

ComplexBall digamma(Arguments a, long precision) {
  if (is_pole_of_gamma(a[0]))
    throw Undefined{"digamma has a pole there", true};
  return unary<arb_digamma, acb_digamma>(a, precision);
}

// For a negative number: (pi / sin(pi x))^2 - psi(1, 1 - x), since Arb is slow far to the left.
ComplexBall reflected_trigamma(const ComplexBall& x, long precision) {
  ComplexBall square, right, result;
  arb_csc_pi(square.real(), x.real(), precision);
  arb_const_pi(right.real(), precision);
  arb_mul(square.real(), square.real(), right.real(), precision);
  arb_sqr(square.real(), square.real(), precision);
  arb_sub_ui(right.real(), x.real(), 1, precision);
  arb_neg(right.real(), right.real());
  acb_polygamma(result.raw(), ComplexBall(1L).raw(), right.raw(), precision);
  return minus(square, result, precision);
}

ComplexBall polygamma(Arguments a, long precision) {
  if (is_pole_of_gamma(a[1]))
    throw Undefined{"psi has a pole there", true};
  if (a[0].is_zero())
    return digamma(a.subspan(1), precision);
  if (all_real(a) && arb_is_one(a[0].real()) && arb_is_negative(a[1].real()))
    return reflected_trigamma(a[1], precision);
  ComplexBall result;
  acb_polygamma(result.raw(), a[0].raw(), a[1].raw(), precision);
  return result;
}

ComplexBall zeta(Arguments a, long precision) {
  if (a[0].is_real() && arb_equal_si(a[0].real(), 1))
    throw Undefined{"zeta has a pole at 1", true};
  if (a.size() == 1)
    return unary<arb_zeta, acb_zeta>(a, precision);
  if (is_pole_of_gamma(a[1]) && arb_is_positive(a[0].real()))
    throw Undefined{"the Hurwitz zeta function has a pole there", true};
  return binary<arb_hurwitz_zeta, acb_hurwitz_zeta>(a, precision);
}

// (1 - 2^(1 - s)) zeta(s)
ComplexBall alternating_zeta(Arguments a, long precision) {
  ComplexBall result;
  if (a[0].is_real() && arb_equal_si(a[0].real(), 1)) {
    arb_const_log2(result.real(), precision);
    return result;
  }
  const ComplexBall factor = to_the_power(ComplexBall(2L), minus(ComplexBall(1L), a[0], precision), precision);
  return times(minus(ComplexBall(1L), factor, precision), zeta(a, precision), precision);
}

ComplexBall polylogarithm(Arguments a, long precision) {
  ComplexBall result;
  if (is_integer(a[0]) && arf_cmpabs_2exp_si(arb_midref(a[0].real()), 20) < 0)
    acb_polylog_si(result.raw(), small_integer(a[0], "polylog"), a[1].raw(), precision);
  else
    acb_polylog(result.raw(), a[0].raw(), a[1].raw(), precision);
  return result;
}

// The sum of sin(k x) / k^s: the imaginary part of a polylogarithm.
ComplexBall clausen(Arguments a, long precision) {
  if (!all_real(a))
    return ComplexBall::unknown();
  ComplexBall point[] = {a[0], {}};
  arb_sin_cos(acb_imagref(point[1].raw()), acb_realref(point[1].raw()), a[1].real(), precision);
  return polylogarithm(point, precision).imaginary_part();
}

constexpr Function gamma_rows[] = {
    {"gamma", 1, 1, everywhere, "gamma(x)", gamma},
    {"rgamma", 1, 1, everywhere, "rgamma(x): 1 / gamma(x), also at its poles", reciprocal_gamma},
    {"loggamma", 1, 1, off_cut, "loggamma(x): log(gamma(x)) for positive x", log_gamma},
    {"lgamma", 1, 1, nowhere, "lgamma(x): log|gamma(x)|", log_absolute_gamma},
    {"signgamma", 1, 1, nowhere, "signgamma(x): the sign of gamma(x)", sign_of_gamma},
    {"factorial", 1, 1, everywhere, "factorial(x): gamma(x + 1)", factorial},
    {"fac2", 1, 1, nowhere, "fac2(n): the double factorial", double_factorial},
    {"rf", 2, 2, nowhere, "rf(x, n): gamma(x + n) / gamma(x), the rising factorial", rising},
    {"ff", 2, 2, nowhere, "ff(x, n): gamma(x + 1) / gamma(x - n + 1), the falling factorial", falling},
    {"binomial", 2, 2, nowhere, "binomial(n, k)", binomial},
    {"beta", 2, 2, nowhere, "beta(a, b): gamma(a) gamma(b) / gamma(a + b)", beta},
    {"digamma", 1, 1, everywhere, "digamma(x)", digamma},
    {"psi", 2, 2, nowhere, "psi(n, x): the n-th derivative of digamma", polygamma},
    {"zeta", 1, 2, nowhere, "zeta(s), zeta(s, a): Riemann's and Hurwitz's", zeta},
    {"altzeta", 1, 1, nowhere, "altzeta(s): (1 - 2^(1-s)) zeta(s)", alternating_zeta},
    {"polylog", 2, 2, nowhere, "polylog(s, z): the sum of z^k / k^s, continued", polylogarithm},
    {"clsin", 2, 2, nowhere, "clsin(s, x): the sum of sin(k x) / k^s", clausen},
    {"barnesg", 1, 1, nowhere, "barnesg(x)", complex_only<1, acb_barnes_g>},
};

template <auto Real> ComplexBall inverse(Arguments a, long precision) { return real_unary<Real>(a, precision); }

// sqrt(pi)/2 exp(-x^2) erfi(x) = x 1F1(1; 3/2; -x^2), which does not overflow.
ComplexBall dawson(Arguments a, long precision) {
  ComplexBall square, one(1L), half_three(3L), result;
  acb_mul(square.raw(), a[0].raw(), a[0].raw(), 2 * precision);
  acb_neg(square.raw(), square.raw());
  acb_mul_2exp_si(half_three.raw(), half_three.raw(), -1);
  const std::array arguments = {one, half_three, square};
  result = ternary<arb_hypgeom_1f1, acb_hypgeom_1f1, 0>(arguments, precision);
  return times(result, a[0], precision);
}

template <bool sine> ComplexBall fresnel(Arguments a, long precision) {
  ComplexBall s, c;
  if (a[0].is_real())
    arb_hypgeom_fresnel(s.real(), c.real(), a[0].real(), 1, precision);
  else
    acb_hypgeom_fresnel(s.raw(), c.raw(), a[0].raw(), 1, precision);
  return sine ? s : c;
}

template <auto Real, auto Complex> ComplexBall singular_at_zero(Arguments a, long precision) {
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
  const std::array arguments = {ComplexBall(1L), a[0]};
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
template <int regularized> ComplexBall upper_gamma(Arguments a, long precision) {
  return binary<arb_hypgeom_gamma_upper, acb_hypgeom_gamma_upper, regularized>(a, precision);
}
// P(s, x) for large s, where Arb's own series is slow and cancels. Below s it is x^s exp(-x) / gamma(s + 1) times
// 1F1(1; s + 1; x), whose terms are all positive and fall like a geometric series; otherwise 1 - Q(s, x).
ComplexBall lower_gamma_of_large(Arguments a, long precision) {
  ComplexBall limit;
  arb_mul_ui(limit.real(), a[0].real(), 7, precision);
  arb_mul_2exp_si(limit.real(), limit.real(), -3);
  if (!arb_lt(a[1].real(), limit.real()))
    return minus(ComplexBall(1L), upper_gamma<1>(a, precision), precision);
  const ComplexBall one(1L), next = plus(a[0], one, precision);
  acb_struct below[2]; // the series itself, since Arb's 1F1 of 1 would call the incomplete gamma function
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

template <int regularized> ComplexBall lower_gamma(Arguments a, long precision) {
  constexpr long large = 200; // from here on it is faster
  if (all_real(a) && arb_is_positive(a[1].real()) && arf_cmp_si(arb_midref(a[0].real()), large) > 0) {
    const ComplexBall share = lower_gamma_of_large(a, precision);
    if (regularized)
      return share;
    ComplexBall whole;
    arb_hypgeom_gamma(whole.real(), a[0].real(), precision);
    return times(share, whole, precision);
  }
  return binary<arb_hypgeom_gamma_lower, acb_hypgeom_gamma_lower, regularized>(a, precision);
}
ComplexBall incomplete_gamma(Arguments a, long precision) {
  const ComplexBall first = upper_gamma<0>(a.first(2), precision);
  if (a.size() == 2)
    return first;
  const std::array end = {a[0], a[2]};
  return minus(first, upper_gamma<0>(end, precision), precision);
}

template <int regularized> ComplexBall lower_beta(Arguments a, long precision) {
  return ternary<arb_hypgeom_beta_lower, acb_hypgeom_beta_lower, regularized>(a, precision);
}
ComplexBall incomplete_beta(Arguments a, long precision) {
  const std::array end = {a[0], a[1], a[3]};
  return minus(lower_beta<0>(end, precision), lower_beta<0>(a.first(3), precision), precision);
}

constexpr Function error_rows[] = {
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

std::span<const Function> gamma_functions() { return gamma_rows; }

// The error function and related functions, exponential integrals, incomplete gamma and beta functions.

std::span<const Function> error_functions() { return error_rows; }

// Elliptic integrals of the parameter m = k^2, as in mpmath.

namespace {

ComplexBall complete_first(Arguments a, long precision) {
  if (a[0].is_real() && arb_is_one(a[0].real()))
    throw Undefined{"ellipk is not finite at 1"};
  ComplexBall result;
  acb_elliptic_k(result.raw(), a[0].raw(), precision);
  return result;
}

ComplexBall second(Arguments a, long precision) {
  ComplexBall result;
  if (a.size() == 1)
    acb_elliptic_e(result.raw(), a[0].raw(), precision);
  else
    acb_elliptic_e_inc(result.raw(), a[0].raw(), a[1].raw(), 0, precision);
  return result;
}

ComplexBall third(Arguments a, long precision) {
  ComplexBall result;
  if (a.size() == 2)
    acb_elliptic_pi(result.raw(), a[0].raw(), a[1].raw(), precision);
  else
    acb_elliptic_pi_inc(result.raw(), a[0].raw(), a[1].raw(), a[2].raw(), 0, precision);
  return result;
}

ComplexBall carlson_c(Arguments a, long precision) {
  ComplexBall result;
  acb_elliptic_rf(result.raw(), a[0].raw(), a[1].raw(), a[1].raw(), 0, precision);
  return result;
}
ComplexBall carlson_d(Arguments a, long precision) {
  ComplexBall result;
  acb_elliptic_rj(result.raw(), a[0].raw(), a[1].raw(), a[2].raw(), a[2].raw(), 0, precision);
  return result;
}
constexpr Function elliptic_rows[] = {
    {"ellipk", 1, 1, nowhere, "ellipk(m): the complete integral of the first kind, m = k^2", complete_first},
    {"ellipe", 1, 2, nowhere, "ellipe(m), ellipe(phi, m): of the second kind", second},
    {"ellipf", 2, 2, nowhere, "ellipf(phi, m): the incomplete one of the first kind",
     complex_only<2, acb_elliptic_f, 0>},
    {"ellippi", 2, 3, nowhere, "ellippi(n, m), ellippi(n, phi, m): of the third kind", third},
    {"elliprf", 3, 3, nowhere, "elliprf(x, y, z): Carlson's RF", complex_only<3, acb_elliptic_rf, 0>},
    {"elliprc", 2, 2, nowhere, "elliprc(x, y): Carlson's RC", carlson_c},
    {"elliprd", 3, 3, nowhere, "elliprd(x, y, z): Carlson's RD", carlson_d},
    {"elliprj", 4, 4, nowhere, "elliprj(x, y, z, p): Carlson's RJ", complex_only<4, acb_elliptic_rj, 0>},
    {"elliprg", 3, 3, nowhere, "elliprg(x, y, z): Carlson's RG", complex_only<3, acb_elliptic_rg, 0>},
};

} // namespace

std::span<const Function> elliptic_functions() { return elliptic_rows; }

} // namespace faultline::oracle
