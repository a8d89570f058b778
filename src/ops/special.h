// Error and gamma functions.
#pragma once

#include "ops/digamma.h"
#include "ops/forms.h"

namespace faultline::ops {

// The _r functions, because lgamma itself writes a global variable.
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

// Far out, slope and result both leave the exponent range; there the asymptotic series of erfc, whose exponential
// cancels.
inline double erfc_condition(double a, double result) {
  if (a < 25)
    return a * erf_slope(a) / result;
  const double t = 0.5 / a / a;
  return 1 / (t * (1 - t * (1 - t * (3 - t * (15 - t * 105)))));
}

// Danger of the gamma functions: the poles at the negative integers (at 0 the condition is finite), and for lgamma the
// zeros of the result (1, 2 and one or two in each interval between poles) as well. The product with the wave
// is continuous at the poles, since x log x goes to zero.
inline double tgamma_danger(double a) { return a >= 0 ? a : triangle_wave(-a, 1); }
inline double lgamma_danger(double a, double result) {
  if (a >= 0)
    return result;
  const double wave = triangle_wave(-a, 1);
  return wave == 0 ? 0 : result * wave;
}

constexpr auto pole_at_nonpositive_integers = [](long double a, long double) { return a <= 0 && a == std::floor(a); };

inline constexpr Entry special[] = {
    {.op = Op::erf,
     .symbol = "erf",
     .native = [](auto a, auto, auto) { return std::erf(a); },
     .big = big_unary<mpfr_erf>,
     .partials = of_one([](double a, double) { return erf_slope(a); }),
     .conditions = one_at_zero([](double a, double r) { return a / r * erf_slope(a); })},
    {.op = Op::erfc,
     .symbol = "erfc",
     .potentially_unstable = true,
     .native = [](auto a, auto, auto) { return std::erfc(a); },
     .big = big_unary<mpfr_erfc>,
     .partials = of_one([](double a, double) { return -erf_slope(a); }),
     .conditions = magnitude_of([](double a, double r) { return erfc_condition(a, r); })},
    {.op = Op::tgamma,
     .symbol = "tgamma",
     .potentially_unstable = true,
     .native = [](auto a, auto, auto) { return std::tgamma(a); },
     .big = big_unary<mpfr_gamma>,
     .partials = of_one([](double a, double r) { return r * digamma(a); }),
     .conditions = magnitude_of([](double a, double) { return a * digamma(a); }),
     .danger = danger_of([](double a, double) { return tgamma_danger(a); }),
     .pole = pole_at_nonpositive_integers},
    {.op = Op::lgamma,
     .symbol = "lgamma",
     .potentially_unstable = true,
     .native = [](auto a, auto, auto) { return log_gamma(a); },
     .big = big_lgamma,
     .partials = of_one([](double a, double) { return digamma(a); }),
     .conditions = magnitude_of([](double a, double r) { return a * digamma(a) / r; }),
     .danger = danger_of([](double a, double r) { return lgamma_danger(a, r); }),
     .pole = pole_at_nonpositive_integers},
};

} // namespace faultline::ops
