// Exponentials, logarithms, powers and roots.
#pragma once

#include "ops/forms.h"
#include "ops/formulas.h"

namespace faultline::ops {

// The compiler's own repeated multiplication, which `powi` in a program runs.
inline float integer_power(float a, int n) { return __builtin_powif(a, n); }
inline double integer_power(double a, int n) { return __builtin_powi(a, n); }
inline long double integer_power(long double a, int n) { return __builtin_powil(a, n); }

// For a < 0 the power exists at integer exponents only, and has no derivative in b; at a = 0 it is constant in b > 0.
constexpr auto pow_partials = [](double a, double b, double, double result) {
  return Gradient{b * std::pow(a, b - 1), a > 0 ? result * std::log(a) : 0, 0};
};
constexpr auto pow_conditions = [](double a, double b, double, double) {
  return Gradient{std::fabs(b), a > 0 ? std::fabs(b * std::log(a)) : 0, 0};
};

// exp and similar functions have no danger centre: their conditions grow towards the end of the exponent range. For log
// and similar functions it is 1, where the result is zero. a - 1 is exact where it matters and has the sign of the
// result.
constexpr auto danger_at_one = danger_of([](double a, double) { return a - 1; });

inline constexpr Entry exponential[] = {
    {.op = Op::exp,
     .potentially_unstable = true,
     .native = [](auto a, auto, auto) { return std::exp(a); },
     .big = big_unary<mpfr_exp>,
     .partials = of_one([](double, double r) { return r; }),
     .conditions = magnitude_of([](double a, double) { return a; }),
     .monotone = increasing(mpfr_log),
     .raises = {overflows(infinite), underflows(tiny)}},
    {.op = Op::exp2,
     .potentially_unstable = true,
     .native = [](auto a, auto, auto) { return std::exp2(a); },
     .big = big_unary<mpfr_exp2>,
     .partials = of_one([](double, double r) { return r * std::numbers::ln2; }),
     .conditions = magnitude_of([](double a, double) { return a * std::numbers::ln2; }),
     .monotone = increasing(mpfr_log2),
     .raises = {overflows(infinite), underflows(tiny)}},
    {.op = Op::exp10,
     .potentially_unstable = true,
     .native = libm<::exp10f, ::exp10, ::exp10l>,
     .big = big_unary<mpfr_exp10>,
     .partials = of_one([](double, double r) { return r * std::numbers::ln10; }),
     .conditions = magnitude_of([](double a, double) { return a * std::numbers::ln10; }),
     .monotone = increasing(mpfr_log10),
     .raises = {overflows(infinite), underflows(tiny)}},
    {.op = Op::expm1,
     .potentially_unstable = true,
     .native = [](auto a, auto, auto) { return std::expm1(a); },
     .big = big_unary<mpfr_expm1>,
     .partials = of_one([](double a, double) { return std::exp(a); }),
     .conditions = one_at_zero([](double a, double) { return a / std::expm1(-a); }),
     .monotone = increasing(mpfr_log1p),
     .raises = {overflows(infinite), underflows(first != 0, tiny)}},

    {.op = Op::log,
     .potentially_unstable = true,
     .native = [](auto a, auto, auto) { return std::log(a); },
     .big = big_unary<mpfr_log>,
     .partials = of_one([](double a, double) { return 1 / a; }),
     .conditions = magnitude_of([](double, double r) { return 1 / r; }),
     .danger = danger_at_one,
     .monotone = increasing(mpfr_exp, -0.0),
     .raises = {divides_by_zero(first == 0), is_invalid(first < 0)}},
    {.op = Op::log2,
     .potentially_unstable = true,
     .native = [](auto a, auto, auto) { return std::log2(a); },
     .big = big_unary<mpfr_log2>,
     .partials = of_one([](double a, double) { return std::numbers::log2e / a; }),
     .conditions = magnitude_of([](double, double r) { return std::numbers::log2e / r; }),
     .danger = danger_at_one,
     .monotone = increasing(mpfr_exp2, -0.0),
     .raises = {divides_by_zero(first == 0), is_invalid(first < 0)}},
    {.op = Op::log10,
     .potentially_unstable = true,
     .native = [](auto a, auto, auto) { return std::log10(a); },
     .big = big_unary<mpfr_log10>,
     .partials = of_one([](double a, double) { return std::numbers::log10e / a; }),
     .conditions = magnitude_of([](double, double r) { return std::numbers::log10e / r; }),
     .danger = danger_at_one,
     .monotone = increasing(mpfr_exp10, -0.0),
     .raises = {divides_by_zero(first == 0), is_invalid(first < 0)}},
    // Well-conditioned at 0, unlike log at 1. The danger is at the pole, where the argument of the logarithm cancels.
    {.op = Op::log1p,
     .potentially_unstable = true,
     .native = [](auto a, auto, auto) { return std::log1p(a); },
     .big = big_unary<mpfr_log1p>,
     .partials = of_one([](double a, double) { return 1 / (1 + a); }),
     .conditions = one_at_zero([](double a, double r) { return a / (1 + a) / r; }),
     .danger = danger_of([](double a, double) { return a + 1; }),
     .monotone = increasing(mpfr_expm1, -1),
     .raises = {underflows(first != 0, tiny), divides_by_zero(first == -1), is_invalid(first < -1)}},

    {.op = Op::pow,
     .potentially_unstable = true,
     .native = [](auto a, auto b, auto) { return std::pow(a, b); },
     .big = big_binary<mpfr_pow>,
     .partials = pow_partials,
     .conditions = pow_conditions,
     .raises = {overflows(first != 0, infinite), underflows(first != 0, tiny), divides_by_zero(first == 0, second < 0),
                is_invalid(first < 0, broken(second))}},
    {.op = Op::powi,
     .potentially_unstable = true,
     .native =
         [](auto a, auto b, auto) {
           return integer_power(a, static_cast<int>(std::fmax(decltype(b){-1e9}, std::fmin(b, decltype(b){1e9}))));
         },
     .big = big_binary<mpfr_pow>,
     .partials = of_first([](double a, double b, double) { return b * std::pow(a, b - 1); }),
     .conditions = of_first([](double, double b, double) { return std::fabs(b); }),
     .raises = {overflows(first != 0, infinite), underflows(first != 0, tiny),
                divides_by_zero(first == 0, second < 0)}},

    {.op = Op::hypot,
     .native = [](auto a, auto b, auto) { return std::hypot(a, b); },
     .big = big_binary<mpfr_hypot>,
     .partials =
         [](double a, double b, double, double r) {
           return Gradient{a / r, b / r, 0};
         },
     .conditions =
         [](double a, double b, double, double r) {
           return Gradient{a / r * (a / r), b / r * (b / r), 0};
         },
     .raises = {overflows(infinite), underflows(first != 0, second != 0, tiny)}},
    {.op = Op::cbrt,
     .native = [](auto a, auto, auto) { return std::cbrt(a); },
     .big = big_unary<mpfr_cbrt>,
     .partials = of_one([](double, double r) { return 1 / (3 * r * r); }),
     .conditions = constantly<1.0 / 3>,
     .monotone = increasing([](mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t mode) { return mpfr_pow_ui(y, x, 3, mode); }),
     .raises = nothing},
};

// base^a
template <ulong base>
inline constexpr BallFunction ball_power_of = [](arb_t result, const arb_t a, const arb_t, slong precision) {
  arb_t whole;
  arb_init(whole);
  arb_set_ui(whole, base);
  arb_pow(result, whole, a, precision);
  arb_clear(whole);
};

template <ulong base>
inline constexpr BallFunction ball_log_to =
    [](arb_t result, const arb_t a, const arb_t, slong precision) { arb_log_base_ui(result, a, base, precision); };

// Arb's roots require positive numbers.
inline constexpr BallFunction ball_cube_root = [](arb_t result, const arb_t a, const arb_t, slong precision) {
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
};

template <> struct Formulas<Op::exp> : Libm<Ulps{1, 0.52, 2}, ball<arb_exp>> {
  static constexpr Meaning meaning{"x", "exp(x)"};
  static auto range(const auto& a) { return exponential_of(a); }
  static auto slope(const auto&, const auto& result) { return result; }
};
template <> struct Formulas<Op::exp2> : Libm<Ulps{1, 0.52, 2}, ball_power_of<2>> {
  static constexpr Meaning meaning{"x", "2^x"};
  static auto range(const auto& a) { return within(monotone(Op::exp2, a), 0); }
  static auto slope(const auto&, const auto& result) { return result * around(Irrational::log_2, result); }
};
template <> struct Formulas<Op::exp10> : Libm<Ulps{3, 3, 4}, ball_power_of<10>> {
  static constexpr Meaning meaning{"x", "10^x"};
  static auto range(const auto& a) { return within(monotone(Op::exp10, a), 0); }
  static auto slope(const auto&, const auto& result) { return result * around(Irrational::log_10, result); }
};
template <> struct Formulas<Op::expm1> : Libm<Ulps{2, 2, 3}, ball<arb_expm1>>, MonotoneRange<Op::expm1> {
  static constexpr Meaning meaning{"x", "expm1(x)"};
  static auto slope(const auto& a, const auto&) { return exponential_of(a); }
};

template <> struct Formulas<Op::log> : Libm<Ulps{1, 0.53, 2}, ball<arb_log>>, MonotoneRange<Op::log> {
  static constexpr Meaning meaning{"x", "log(x)"};
  static auto slope(const auto& a, const auto&) { return 1 / a; }
};
template <> struct Formulas<Op::log2> : Libm<Ulps{1, 0.56, 2}, ball_log_to<2>>, MonotoneRange<Op::log2> {
  static constexpr Meaning meaning{"x", "log2(x)"};
  static auto slope(const auto& a, const auto&) { return 1 / (a * around(Irrational::log_2, a)); }
};
template <> struct Formulas<Op::log10> : Libm<Ulps{3, 3, 4}, ball_log_to<10>>, MonotoneRange<Op::log10> {
  static constexpr Meaning meaning{"x", "log10(x)"};
  static auto slope(const auto& a, const auto&) { return 1 / (a * around(Irrational::log_10, a)); }
};
template <> struct Formulas<Op::log1p> : Libm<Ulps{2, 2, 3}, ball<arb_log1p>>, MonotoneRange<Op::log1p> {
  static constexpr Meaning meaning{"x", "log1p(x)"};
  static auto slope(const auto& a, const auto&) { return 1 / (1 + a); }
};

template <> struct Formulas<Op::pow> : Libm<Ulps{1, 0.55, 2}, ball<arb_pow>> {
  static constexpr Meaning meaning{"x y", "x^y"};
  // Monotone in each operand for a positive base.
  template <Enclosure T> static T range(const T& a, const T& b) {
    if (is_one_integer(b))
      return whole_power(a, b);
    return a.low > 0 ? between_corners(Op::pow, a, b) : T::nothing_known();
  }
  // A constant exponent needs no slope, and log of a negative base does not exist.
  template <Enclosure T> static std::array<T, 2> slopes(const T& a, const T& b, const T& result) {
    return {power_slope(a, b, result), b.single() ? T::of(0) : result * monotone(Op::log, a)};
  }
};
template <> struct Formulas<Op::powi> : Libm<no_bound, nullptr> { // its error is in ops/rounding_error.h
  static constexpr Meaning meaning{};
  template <Enclosure T> static T range(const T& a, const T& b) {
    return is_one_integer(b) ? whole_power(a, b) : T::nothing_known();
  }
  template <Enclosure T> static std::array<T, 2> slopes(const T& a, const T& b, const T& result) {
    return {power_slope(a, b, result), T::of(0)};
  }
};
template <> struct Formulas<Op::hypot> : Libm<Ulps{1, 1, 2}, nullptr> {
  static constexpr Meaning meaning{"x y", "hypot(x, y)"};
  static auto range(const auto& a, const auto& b) { return root(square(a) + square(b)); }
  static auto slopes(const auto& a, const auto& b, const auto& result) { return std::array{a / result, b / result}; }
};
template <> struct Formulas<Op::cbrt> : Libm<Ulps{1, 4, 1}, ball_cube_root>, MonotoneRange<Op::cbrt> {
  static constexpr Meaning meaning{"x", "cbrt(x)"};
  static auto slope(const auto&, const auto& result) { return 1 / (3 * square(result)); }
};

} // namespace faultline::ops
