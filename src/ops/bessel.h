// Bessel functions of integer order. `jn` and `yn` have the order as their second operand, unlike in C, so that an
// integer operand is always the second one.
#pragma once

#include "ops/forms.h"
#include "ops/formulas.h"

#include <algorithm>

namespace faultline::ops {

// clang-format off
inline float bessel_jn(int n, float a) { return ::jnf(n, a); }
inline double bessel_jn(int n, double a) { return ::jn(n, a); }
inline long double bessel_jn(int n, long double a) { return ::jnl(n, a); }
inline float bessel_yn(int n, float a) { return ::ynf(n, a); }
inline double bessel_yn(int n, double a) { return ::yn(n, a); }
inline long double bessel_yn(int n, long double a) { return ::ynl(n, a); }
// clang-format on

// Higher orders are useless, and libm takes a second for them.
inline constexpr int largest_order = 20'000;
template <class Float> int order_of(Float b) {
  return b == b ? int(std::clamp<Float>(b, Float(-largest_order), Float(largest_order))) : 0;
}

// MPFR sums series whose length grows with the square of the order. The result is unknown beyond this order.
inline constexpr long largest_exact_order = 100;
template <auto function>
constexpr auto big_of_order = [](mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr) {
  if (mpfr_number_p(b) && mpfr_cmpabs_ui(b, largest_exact_order) <= 0)
    function(result, mpfr_get_si(b, MPFR_RNDZ), a, MPFR_RNDN);
  else
    mpfr_set_nan(result);
};

// f0' = -f1, f1' = f0 - f1 / x, fn' = (f(n-1) - f(n+1)) / 2, for both kinds.
inline double j1_slope(double a, double result) { return a == 0 ? 0.5 : ::j0(a) - result / a; }
inline double y1_slope(double a, double result) { return ::y0(a) - result / a; }
inline double jn_slope(double a, double b) { return (::jn(order_of(b) - 1, a) - ::jn(order_of(b) + 1, a)) / 2; }
inline double yn_slope(double a, double b) { return (::yn(order_of(b) - 1, a) - ::yn(order_of(b) + 1, a)) / 2; }

inline double condition_of(double a, double slope, double result) { return std::fabs(a / result * slope); }

inline constexpr Entry bessel[] = {
    {.op = Op::j0,
     .potentially_unstable = true,
     .native = libm<::j0f, ::j0, ::j0l>,
     .big = big_unary<mpfr_j0>,
     .partials = of_one([](double a, double) { return -::j1(a); }),
     .conditions = of_one([](double a, double r) { return condition_of(a, ::j1(a), r); }),
     .danger = danger_at_result_zero,
     .raises = nothing},
    {.op = Op::j1,
     .potentially_unstable = true,
     .native = libm<::j1f, ::j1, ::j1l>,
     .big = big_unary<mpfr_j1>,
     .partials = of_one([](double a, double r) { return j1_slope(a, r); }),
     .conditions = one_at_zero([](double a, double r) { return condition_of(a, j1_slope(a, r), r); }),
     .danger = danger_at_result_zero,
     .raises = {underflows(first != 0, tiny)}},
    {.op = Op::jn,
     .potentially_unstable = true,
     .native = [](auto a, auto b, auto) { return bessel_jn(order_of(b), a); },
     .big = big_of_order<mpfr_jn>,
     .partials = of_first([](double a, double b, double) { return jn_slope(a, b); }),
     .conditions = of_first([](double a, double b, double r) { return condition_of(a, jn_slope(a, b), r); }),
     .danger = danger_at_result_zero,
     .raises = {underflows(first != 0, tiny)}},
    {.op = Op::y0,
     .potentially_unstable = true,
     .native = libm<::y0f, ::y0, ::y0l>,
     .big = big_unary<mpfr_y0>,
     .partials = of_one([](double a, double) { return -::y1(a); }),
     .conditions = of_one([](double a, double r) { return condition_of(a, ::y1(a), r); }),
     .danger = danger_at_result_zero,
     .raises = {divides_by_zero(first == 0), is_invalid(first < 0)}},
    {.op = Op::y1,
     .potentially_unstable = true,
     .native = libm<::y1f, ::y1, ::y1l>,
     .big = big_unary<mpfr_y1>,
     .partials = of_one([](double a, double r) { return y1_slope(a, r); }),
     .conditions = of_one([](double a, double r) { return condition_of(a, y1_slope(a, r), r); }),
     .danger = danger_at_result_zero,
     .raises = {overflows(first != 0, infinite), divides_by_zero(first == 0), is_invalid(first < 0)}},
    {.op = Op::yn,
     .potentially_unstable = true,
     .native = [](auto a, auto b, auto) { return bessel_yn(order_of(b), a); },
     .big = big_of_order<mpfr_yn>,
     .partials = of_first([](double a, double b, double) { return yn_slope(a, b); }),
     .conditions = of_first([](double a, double b, double r) { return condition_of(a, yn_slope(a, b), r); }),
     .danger = danger_at_result_zero,
     .raises = {overflows(first != 0, infinite), divides_by_zero(first == 0), is_invalid(first < 0)}},
};

template <> struct Formulas<Op::j0> : Unbounded { static constexpr Meaning meaning{"x", "besselj(0, x)"}; };
template <> struct Formulas<Op::j1> : Unbounded { static constexpr Meaning meaning{"x", "besselj(1, x)"}; };
template <> struct Formulas<Op::jn> : Unbounded { static constexpr Meaning meaning{"n:i x", "besselj(n, x)"}; };
template <> struct Formulas<Op::y0> : Unbounded { static constexpr Meaning meaning{"x", "bessely(0, x)"}; };
template <> struct Formulas<Op::y1> : Unbounded { static constexpr Meaning meaning{"x", "bessely(1, x)"}; };
template <> struct Formulas<Op::yn> : Unbounded { static constexpr Meaning meaning{"n:i x", "bessely(n, x)"}; };

} // namespace faultline::ops
