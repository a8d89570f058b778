#include "oracle/meaning/functions.h"

#include <acb_hypgeom.h>
#include <arb_hypgeom.h>
#include <array>

namespace faultline::oracle {

namespace {

template <auto Real, auto Complex> ComplexBall infinite_at_zero(Arguments a, long precision) {
  if (a[1].is_zero())
    throw Undefined{"the Bessel function is not finite at 0"};
  return binary<Real, Complex>(a, precision);
}

// K and Y of large orders v at small arguments x, for which Arb has no fast method. With S(N) = the sum of
// (c x^2/4)^k gamma(v - k) / k! over k < N:
//  - K(v, x) is (2/x)^v / 2 times the integral of s^(v-1) exp(-s - x^2 / 4s) over s > 0. The series of
//    exp(-x^2 / 4s) alternates and gives (2/x)^v S(N) / 2 with c = -1. The error is below the first omitted term.
//  - Y(v, x) is -(2/x)^v / pi times the integral of s^(v-1) exp(-s + x^2 / 4s) over s > x/2, with an error below 2 for
//    the other integrals of DLMF 10.9.7. That is -(2/x)^v S(N) / pi with c = 1, with an error of exp(x/2) times the
//    first omitted term, and of exp(x/2) for the integrals from 0 to x/2.

// Orders above 1000 leave room for 500 terms before gamma(v - k) comes near a pole; x^2 < v makes them fall fast.
constexpr long most_bessel_terms = 500;

bool has_large_order(arb_srcptr v, arb_srcptr x, long precision) {
  Ball square, limit(1000L);
  arb_sqr(square.raw(), x, precision);
  return arb_gt(v, limit.raw()) && arb_gt(v, square.raw()) && arb_is_positive(x);
}

// S(N) / gamma(v)
struct LargeOrderSum {
  Ball value, first_omitted = Ball(1L);

  LargeOrderSum(long c, arb_srcptr v, arb_srcptr x, long precision) {
    Ball step, divisor;
    arb_sqr(step.raw(), x, precision);
    arb_mul_si(step.raw(), step.raw(), c, precision);
    arb_mul_2exp_si(step.raw(), step.raw(), -2);
    for (long k = 1; k <= most_bessel_terms && !is_negligible(precision); ++k) {
      arb_add(value.raw(), value.raw(), first_omitted.raw(), precision);
      arb_sub_si(divisor.raw(), v, k, precision);
      arb_mul_si(divisor.raw(), divisor.raw(), k, precision);
      arb_div(divisor.raw(), step.raw(), divisor.raw(), precision);
      arb_mul(first_omitted.raw(), first_omitted.raw(), divisor.raw(), precision);
    }
  }

private:
  bool is_negligible(long precision) const {
    mag_t size;
    mag_init(size);
    arb_get_mag(size, first_omitted.raw());
    const bool small = mag_cmp_2exp_si(size, -precision) < 0;
    mag_clear(size);
    return small;
  }
};

// (2/x)^v gamma(v)
Ball large_order_scale(arb_srcptr v, arb_srcptr x, long precision) {
  Ball scale, logarithm;
  arb_ui_div(scale.raw(), 2, x, precision);
  arb_log(scale.raw(), scale.raw(), precision);
  arb_mul(scale.raw(), scale.raw(), v, precision);
  arb_hypgeom_lgamma(logarithm.raw(), v, precision);
  arb_add(scale.raw(), scale.raw(), logarithm.raw(), precision);
  arb_exp(scale.raw(), scale.raw(), precision);
  return scale;
}

void real_bessel_k(arb_t value, const arb_t v, const arb_t x, slong precision) {
  if (!has_large_order(v, x, precision))
    return arb_hypgeom_bessel_k(value, v, x, precision);
  LargeOrderSum sum(-1, v, x, precision);
  arb_add_error(sum.value.raw(), sum.first_omitted.raw());
  arb_mul(value, sum.value.raw(), large_order_scale(v, x, precision).raw(), precision);
  arb_mul_2exp_si(value, value, -1);
}

void real_scaled_k(arb_t value, const arb_t v, const arb_t x, slong precision) {
  if (!has_large_order(v, x, precision))
    return arb_hypgeom_bessel_k_scaled(value, v, x, precision);
  Ball growth;
  arb_exp(growth.raw(), x, precision);
  real_bessel_k(value, v, x, precision);
  arb_mul(value, value, growth.raw(), precision);
}

void real_bessel_y(arb_t value, const arb_t v, const arb_t x, slong precision) {
  if (!has_large_order(v, x, precision))
    return arb_hypgeom_bessel_y(value, v, x, precision);
  Ball growth, error;
  arb_mul_2exp_si(growth.raw(), x, -1);
  arb_exp(growth.raw(), growth.raw(), precision);
  LargeOrderSum sum(1, v, x, precision);
  arb_mul(error.raw(), growth.raw(), sum.first_omitted.raw(), precision);
  arb_add_error(sum.value.raw(), error.raw());
  arb_mul(value, sum.value.raw(), large_order_scale(v, x, precision).raw(), precision);
  arb_const_pi(error.raw(), precision);
  arb_div(value, value, error.raw(), precision);
  arb_neg(value, value);
  arb_add_ui(growth.raw(), growth.raw(), 2, precision);
  arb_add_error(value, growth.raw());
}

constexpr auto bessel_j = binary<arb_hypgeom_bessel_j, acb_hypgeom_bessel_j>;
constexpr auto bessel_y = infinite_at_zero<real_bessel_y, acb_hypgeom_bessel_y>;
constexpr auto bessel_i = binary<arb_hypgeom_bessel_i, acb_hypgeom_bessel_i>;
constexpr auto bessel_k = infinite_at_zero<real_bessel_k, acb_hypgeom_bessel_k>;
constexpr auto scaled_k = infinite_at_zero<real_scaled_k, acb_hypgeom_bessel_k_scaled>;

// For negative numbers they are complex, by however little.
template <auto Bessel> ComplexBall of_positive(Arguments a, long precision) {
  if (all_real(a) && arb_is_negative(a[1].real()))
    throw Undefined{"the Bessel function of a negative number is complex"};
  return Bessel(a, precision);
}

// exp(-|x|) I(v, x). Arb's scale is exp(-x).
ComplexBall scaled_i(Arguments a, long precision) {
  if (!all_real(a))
    return ComplexBall::unknown();
  if (!arb_is_negative(a[1].real()))
    return binary<arb_hypgeom_bessel_i_scaled, acb_hypgeom_bessel_i_scaled>(a, precision);
  const ComplexBall value = bessel_i(a, precision);
  ComplexBall factor;
  arb_exp(factor.real(), a[1].real(), precision);
  return times(value, factor, precision);
}

// sqrt(pi/2) / sqrt(x) times the Bessel function of order n + 1/2. For negative x both are imaginary, on the same side
// of their cuts, and the product is real.
template <auto Bessel> ComplexBall spherical(Arguments a, long precision) {
  ComplexBall arguments[] = {a[0], a[1]}, factor;
  arb_set_d(factor.real(), 0.5);
  arguments[0] = plus(a[0], factor, precision);
  arb_const_pi(factor.real(), precision);
  acb_mul_2exp_si(factor.raw(), factor.raw(), -1);
  acb_sqrt(factor.raw(), factor.raw(), precision);
  ComplexBall root;
  acb_sqrt(root.raw(), a[1].raw(), precision);
  factor = quotient(factor, root, precision);
  return times(factor, Bessel(Arguments(arguments, 2), precision), precision);
}
ComplexBall spherical_j(Arguments a, long precision) {
  if (a[1].is_zero())
    return ComplexBall(a[0].is_zero() ? 1L : 0L);
  return spherical<bessel_j>(a, precision);
}
ComplexBall spherical_i(Arguments a, long precision) {
  if (a[1].is_zero())
    return ComplexBall(a[0].is_zero() ? 1L : 0L);
  return spherical<bessel_i>(a, precision);
}

enum class Airy { ai, bi };

template <Airy which> ComplexBall airy(Arguments a, long precision) {
  const long order = a.size() > 1 ? small_integer(a[1], "the derivative of an Airy function") : 0;
  if (order != 0 && order != 1)
    throw Undefined{"Airy functions support only the first derivative"};
  ComplexBall value, derivative;
  const bool real = a[0].is_real();
  if (which == Airy::ai && real)
    arb_hypgeom_airy(value.real(), derivative.real(), nullptr, nullptr, a[0].real(), precision);
  else if (which == Airy::ai)
    acb_hypgeom_airy(value.raw(), derivative.raw(), nullptr, nullptr, a[0].raw(), precision);
  else if (real)
    arb_hypgeom_airy(nullptr, nullptr, value.real(), derivative.real(), a[0].real(), precision);
  else
    acb_hypgeom_airy(nullptr, nullptr, value.raw(), derivative.raw(), a[0].raw(), precision);
  return order == 0 ? value : derivative;
}

// (x/2)^(v+1) times the regularised 1F2(1; 3/2, v + 3/2; -+ x^2/4)
template <int sign> ComplexBall struve(Arguments a, long precision) {
  ComplexBall half, square, power;
  acb_mul_2exp_si(half.raw(), a[1].raw(), -1);
  acb_mul(square.raw(), half.raw(), half.raw(), precision);
  if (sign < 0)
    acb_neg(square.raw(), square.raw());
  acb_struct above[1], below[2];
  acb_init(above);
  acb_init(below);
  acb_init(below + 1);
  acb_one(above);
  acb_set_d(below, 1.5);
  acb_add(below + 1, a[0].raw(), below, precision);
  ComplexBall series;
  acb_hypgeom_pfq(series.raw(), above, 1, below, 2, square.raw(), 1, precision);
  acb_clear(above);
  acb_clear(below);
  acb_clear(below + 1);
  power = to_the_power(half, plus(a[0], ComplexBall(1L), precision), precision);
  return times(power, series, precision);
}

template <bool regular> ComplexBall coulomb(Arguments a, long precision) {
  if (!all_real(a))
    return ComplexBall::unknown();
  ComplexBall value;
  arb_hypgeom_coulomb(regular ? value.real() : nullptr, regular ? nullptr : value.real(), a[0].real(), a[1].real(),
                      a[2].real(), precision);
  return value;
}

constexpr Function bessel_rows[] = {
    {"besselj", 2, 2, off_cut, "besselj(v, x)", bessel_j},
    {"bessely", 2, 2, off_cut, "bessely(v, x)", of_positive<bessel_y>},
    {"besseli", 2, 2, off_cut, "besseli(v, x)", bessel_i},
    {"besselk", 2, 2, off_cut, "besselk(v, x)", of_positive<bessel_k>},
    {"besselie", 2, 2, nowhere, "besselie(v, x): exp(-|x|) besseli(v, x)", scaled_i},
    {"besselke", 2, 2, off_cut, "besselke(v, x): exp(x) besselk(v, x)", of_positive<scaled_k>},
    {"sphericalj", 2, 2, nowhere, "sphericalj(n, x): sqrt(pi/(2 x)) besselj(n + 1/2, x)", spherical_j},
    {"sphericaly", 2, 2, nowhere, "sphericaly(n, x): sqrt(pi/(2 x)) bessely(n + 1/2, x)", spherical<bessel_y>},
    {"sphericali", 2, 2, nowhere, "sphericali(n, x): sqrt(pi/(2 x)) besseli(n + 1/2, x)", spherical_i},
    {"sphericalk", 2, 2, nowhere, "sphericalk(n, x): sqrt(pi/(2 x)) besselk(n + 1/2, x)", spherical<bessel_k>},
    {"airyai", 1, 2, everywhere, "airyai(x), airyai(x, 1): Ai and its derivative", airy<Airy::ai>},
    {"airybi", 1, 2, everywhere, "airybi(x), airybi(x, 1): Bi and its derivative", airy<Airy::bi>},
    {"struveh", 2, 2, nowhere, "struveh(v, x)", struve<-1>},
    {"struvel", 2, 2, nowhere, "struvel(v, x)", struve<1>},
    {"coulombf", 3, 3, nowhere, "coulombf(l, eta, x): the regular Coulomb wave function", coulomb<true>},
    {"coulombg", 3, 3, nowhere, "coulombg(l, eta, x): the irregular one", coulomb<false>},
};

// (exp(x) - 1) / x = 1F1(1; 2; x), even where the ball contains 0
ComplexBall relative_exponential(Arguments a, long precision) {
  if (!arb_contains_zero(a[0].real()) || !arb_contains_zero(a[0].imaginary()))
    return quotient(unary<arb_expm1, acb_expm1>(a, precision), a[0], precision);
  const std::array arguments = {ComplexBall(1L), ComplexBall(2L), a[0]};
  return ternary<arb_hypgeom_1f1, acb_hypgeom_1f1, 0>(arguments, precision);
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

constexpr Function hypergeometric_rows[] = {
    {"exprel", 1, 1, everywhere, "exprel(x): (exp(x) - 1) / x", relative_exponential},
    {"hyp0f1", 2, 2, everywhere, "hyp0f1(a, z)", binary<arb_hypgeom_0f1, acb_hypgeom_0f1, 0>},
    {"hyp1f1", 3, 3, everywhere, "hyp1f1(a, b, z): Kummer's M", ternary<arb_hypgeom_1f1, acb_hypgeom_1f1, 0>},
    {"hyp2f1", 4, 4, nowhere, "hyp2f1(a, b, c, z)", applied<4, arb_hypgeom_2f1, acb_hypgeom_2f1, 0>},
    {"hyperu", 3, 3, Analytic::off_cut, "hyperu(a, b, z): Tricomi's U", ternary<arb_hypgeom_u, acb_hypgeom_u>},
    {"hyp1f2", 4, 4, everywhere, "hyp1f2(a, b, c, z)", one_f_two},
};

} // namespace

std::span<const Function> bessel_functions() { return bessel_rows; }

std::span<const Function> hypergeometric_functions() { return hypergeometric_rows; }

} // namespace faultline::oracle
