// Error and gamma functions.
#pragma once

#include "ops/digamma.h"
#include "ops/forms.h"
#include "ops/formulas.h"

#include <arb_hypgeom.h>

namespace faultline::ops {

// Uses the _r functions because lgamma itself writes a global variable.
inline float log_gamma(float a) {
  int sign = 0;
  return ::lgammaf_r(a, &sign);
}
inline double log_gamma(double a) {
  int sign = 0;
  return ::lgamma_r(a, &sign);
}
inline long double log_gamma(long double a) {
  int sign = 0;
  return ::lgammal_r(a, &sign);
}

constexpr auto big_lgamma = [](mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr, mpfr_srcptr) {
  int sign = 0;
  mpfr_lgamma(result, &sign, a, MPFR_RNDN);
};

inline double erf_slope(double a) { return 2 * std::numbers::inv_sqrtpi * std::exp(-a * a); }

// For large operands, slope and result both leave the exponent range. The asymptotic series of erfc is used there; its
// exponential cancels.
inline double erfc_condition(double a, double result) {
  if (a < 25)
    return a * erf_slope(a) / result;
  const double t = 0.5 / a / a;
  return 1 / (t * (1 - t * (1 - t * (3 - t * (15 - t * 105)))));
}

// exp(a^2) erfc(a), corrected for the rounding of the square. From 100 on it uses the asymptotic series, whose fifth
// term is below x87's last digit there.
inline long double scaled_erfc(long double a) {
  if (a > 100) {
    const long double t = 0.5L / a / a;
    return std::numbers::inv_sqrtpi_v<long double> / a * (1 - t * (1 - t * (3 - t * (15 - t * 105))));
  }
  const long double square = a * a;
  if (!std::isfinite(square))
    return a < 0 ? square : a; // otherwise NaN
  const long double root = std::exp(square / 2), rest = std::fma(a, a, -square);
  return root * std::erfc(a) * root * (1 + rest);
}
constexpr auto native_erfcx = [](auto a, auto, auto) { return decltype(a)(scaled_erfc(a)); };

// From some 1e9 on, the factors are beyond all exponents; the first terms of the series suffice there.
constexpr auto big_erfcx = [](mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr, mpfr_srcptr) {
  if (mpfr_inf_p(a) && mpfr_signbit(a) == 0) {
    mpfr_set_zero(result, 1);
    return;
  }
  Spare square(2 * mpfr_get_prec(a)), factor(result), product(result);
  mpfr_sqr(square, a, MPFR_RNDN);
  if (mpfr_cmp_d(a, 1e9) > 0) {
    mpfr_ui_div(square, 1, square, MPFR_RNDN); // 1 / a^2
    mpfr_mul_d(product, square, 105.0 / 16, MPFR_RNDN);
    mpfr_d_sub(product, 15.0 / 8, product, MPFR_RNDN);
    for (const double coefficient : {0.75, 0.5, 1.0}) {
      mpfr_mul(product, product, square, MPFR_RNDN);
      mpfr_d_sub(product, coefficient, product, MPFR_RNDN);
    }
    mpfr_const_pi(factor, MPFR_RNDN);
    mpfr_sqrt(factor, factor, MPFR_RNDN);
    mpfr_mul(factor, factor, a, MPFR_RNDN);
    mpfr_div(result, product, factor, MPFR_RNDN);
    return;
  }
  mpfr_exp(factor, square, MPFR_RNDN);
  mpfr_erfc(product, a, MPFR_RNDN);
  mpfr_mul(result, product, factor, MPFR_RNDN);
};

// 2 a erfcx(a) - 2 / sqrt(pi). Its terms cancel for large a, so the derivative of the series is used there.
inline double erfcx_slope(double a, double result) {
  if (a < 30)
    return 2 * (a * result - std::numbers::inv_sqrtpi);
  const double t = 0.5 / a / a;
  return -std::numbers::inv_sqrtpi * 2 * t * (1 - t * (3 - t * (15 - t * (105 - t * 945))));
}

// Danger of the gamma functions: the poles at the negative integers (at 0 the condition is finite). For lgamma also the
// zeros of the result (1, 2 and one or two in each interval between poles). The product with the wave is continuous at
// the poles, since x log x goes to zero.
inline double tgamma_danger(double a) { return a >= 0 ? a : triangle_wave(-a, 1); }
inline double lgamma_danger(double a, double result) {
  if (a >= 0)
    return result;
  const double wave = triangle_wave(-a, 1);
  return wave == 0 ? 0 : result * wave;
}

inline constexpr Entry special[] = {
    {.op = Op::erf,
     .native = [](auto a, auto, auto) { return std::erf(a); },
     .big = big_unary<mpfr_erf>,
     .partials = of_one([](double a, double) { return erf_slope(a); }),
     .conditions = one_at_zero([](double a, double r) { return a / r * erf_slope(a); }),
     .monotone = increasing(no_inverse),
     .raises = {underflows(first != 0, tiny)}},
    {.op = Op::erfc,
     .potentially_unstable = true,
     .native = [](auto a, auto, auto) { return std::erfc(a); },
     .big = big_unary<mpfr_erfc>,
     .partials = of_one([](double a, double) { return -erf_slope(a); }),
     .conditions = magnitude_of([](double a, double r) { return erfc_condition(a, r); }),
     .monotone = decreasing(no_inverse),
     .raises = {underflows(tiny)}},
    {.op = Op::erfcx,
     .symbol = "erfc_scaled",
     .potentially_unstable = true,
     .native = native_erfcx,
     .big = big_erfcx,
     .partials = of_one([](double a, double r) { return erfcx_slope(a, r); }),
     .conditions = magnitude_of([](double a, double r) { return a / r * erfcx_slope(a, r); }),
     .raises = {overflows(infinite), underflows(tiny)}},
    {.op = Op::tgamma,
     .potentially_unstable = true,
     .native = [](auto a, auto, auto) { return std::tgamma(a); },
     .big = big_unary<mpfr_gamma>,
     .partials = of_one([](double a, double r) { return r * digamma(a); }),
     .conditions = magnitude_of([](double a, double) { return a * digamma(a); }),
     .danger = danger_of([](double a, double) { return tgamma_danger(a); }),
     .raises = {overflows(first != 0, infinite), underflows(tiny), divides_by_zero(first == 0),
                is_invalid(first < 0, whole(first))}},
    {.op = Op::lgamma,
     .potentially_unstable = true,
     .native = [](auto a, auto, auto) { return log_gamma(a); },
     .big = big_lgamma,
     .partials = of_one([](double a, double) { return digamma(a); }),
     .conditions = magnitude_of([](double a, double r) { return a * digamma(a) / r; }),
     .danger = danger_of([](double a, double r) { return lgamma_danger(a, r); }),
     .raises = {overflows(first > 0, infinite), divides_by_zero(first == 0), divides_by_zero(first < 0, whole(first))}},
};

template <Enclosure T> T bell(const T& a) {
  return around(Irrational::two_over_root_pi, a) * exponential_of(-square(a));
}

template <> struct Formulas<Op::erf> : Libm<Ulps{2, 2, 3}, ball<arb_hypgeom_erf>> {
  static constexpr Meaning meaning{"x", "erf(x)"};
  static auto range(const auto& a) { return within(monotone(Op::erf, a), -1, 1); }
  static auto slope(const auto& a, const auto&) { return bell(a); }
};
template <> struct Formulas<Op::erfc> : Libm<Ulps{4, 6, 6}, ball<arb_hypgeom_erfc>> {
  static constexpr Meaning meaning{"x", "erfc(x)"};
  static auto range(const auto& a) { return within(monotone(Op::erfc, a), 0); }
  static auto slope(const auto& a, const auto&) { return -bell(a); }
};
template <> struct Formulas<Op::erfcx> : Unbounded {};
// Both for positive operands. Between the poles, the errors of libm's functions are not known to be small.
template <> struct Formulas<Op::tgamma> : Libm<Ulps{10, 14, 14}, ball<arb_gamma>> {
  static constexpr Meaning meaning{"x", "gamma(x)"};
  static auto range(const auto& a) { return falls_and_rises(Op::tgamma, a, 0.885603194410888); }
  static auto slope(const auto& a, const auto& result) { return result * digamma_of(a); }
};
template <> struct Formulas<Op::lgamma> : Libm<Ulps{10, 14, 14}, ball<arb_lgamma>> {
  static constexpr Meaning meaning{"x", "lgamma(x)"};
  static auto range(const auto& a) { return falls_and_rises(Op::lgamma, a, -0.121486290535850); }
  static auto slope(const auto& a, const auto&) { return digamma_of(a); }
};

} // namespace faultline::ops
