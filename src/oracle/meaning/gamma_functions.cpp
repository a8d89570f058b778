#include "oracle/meaning/wrapping.h"

#include <arb_hypgeom.h>

#include <acb_hypgeom.h>

namespace faultline::oracle {
namespace {

constexpr const char* pole = "the gamma function has a pole there";

ComplexBall gamma_of(const ComplexBall& x, long precision) {
  if (is_pole_of_gamma(x))
    throw Undefined{pole};
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
    throw Undefined{pole};
  return unary<arb_hypgeom_lgamma, acb_hypgeom_lgamma>(a, precision);
}

// log |gamma(x)|: by the reflection formula for negative numbers.
ComplexBall log_absolute_gamma(Arguments a, long precision) {
  if (!a[0].is_real())
    return ComplexBall::unknown();
  if (is_pole_of_gamma(a[0]))
    throw Undefined{pole};
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
    throw Undefined{pole};
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

// By a product where n is an integer, which has a value at poles of the gamma function too: (x)_-n = 1 / (x - n)_n.
ComplexBall rising(Arguments a, long precision) {
  if (is_integer(a[1]) && arf_cmpabs_2exp_si(arb_midref(a[1].real()), 20) < 0) {
    const long n = small_integer(a[1], "rf");
    const ComplexBall start = n < 0 ? plus(a[0], a[1], precision) : a[0];
    ComplexBall product;
    acb_hypgeom_rising_ui(product.raw(), start.raw(), ulong(std::labs(n)), precision);
    return n < 0 ? quotient(ComplexBall(1L), product, precision) : product;
  }
  return times(gamma_of(plus(a[0], a[1], precision), precision), reciprocal_gamma_of(a[0], precision), precision);
}

// gamma(x + 1) / gamma(x - n + 1)
ComplexBall falling(Arguments a, long precision) {
  const ComplexBall start = plus(minus(a[0], a[1], precision), ComplexBall(1L), precision);
  if (is_integer(a[1]) && arb_is_nonnegative(a[1].real())) {
    const ComplexBall same[] = {start, a[1]};
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
    throw Undefined{"digamma has a pole there"};
  return unary<arb_digamma, acb_digamma>(a, precision);
}

// Of a negative number: (pi / sin(pi x))^2 - psi(1, 1 - x), as Arb is slow far to the left.
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
    throw Undefined{"psi has a pole there"};
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
    throw Undefined{"zeta has a pole at 1"};
  if (a.size() == 1)
    return unary<arb_zeta, acb_zeta>(a, precision);
  if (is_pole_of_gamma(a[1]) && arb_is_positive(a[0].real()))
    throw Undefined{"the Hurwitz zeta function has a pole there"};
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

ComplexBall barnes(Arguments a, long precision) {
  ComplexBall result;
  acb_barnes_g(result.raw(), a[0].raw(), precision);
  return result;
}

constexpr auto everywhere = Analytic::everywhere, off_cut = Analytic::off_cut, nowhere = Analytic::nowhere;

constexpr Function table[] = {
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
    {"barnesg", 1, 1, nowhere, "barnesg(x)", barnes},
};

} // namespace

std::span<const Function> gamma_functions() { return table; }

} // namespace faultline::oracle
