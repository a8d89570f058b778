// Circular and hyperbolic functions and their inverses.
#pragma once

#include "ops/forms.h"
#include "ops/formulas.h"

namespace faultline::ops {

// (1 - a)(1 + a): 1 - a*a without its cancellation.
inline double one_minus_square(double a) { return (1 - a) * (1 + a); }

// Symmetric in the operands, as in the paper's table. Uses long double, in which squares of doubles neither overflow
// nor underflow. Where y / x is zero or underflows for x > 0, the result is y / x and its condition 1.
constexpr auto atan2_conditions = [](double a, double b, double, double result) {
  const long double y = a, x = b;
  if (result == 0 && x > 0)
    return Gradient{1, 1, 0};
  const double condition = static_cast<double>(std::fabs(x * y / (x * x + y * y) / result));
  return Gradient{condition, condition, 0};
};
constexpr auto atan2_partials = [](double a, double b, double, double) {
  const long double y = a, x = b, squares = x * x + y * y;
  return Gradient{static_cast<double>(x / squares), static_cast<double>(-y / squares), 0};
};

constexpr auto at_plus_and_minus_one = danger_of([](double a, double) { return std::fabs(a) - 1; });

inline constexpr Entry trigonometric[] = {
    // Danger of sin and cos: the result, which is zero at the multiples (odd multiples) of pi (pi / 2).
    {.op = Op::sin,
     .potentially_unstable = true,
     .native = [](auto a, auto, auto) { return std::sin(a); },
     .big = big_unary<mpfr_sin>,
     .partials = of_one([](double a, double) { return std::cos(a); }),
     .conditions = one_at_zero([](double a, double r) { return a / r * std::cos(a); }),
     .danger = danger_at_result_zero,
     .raises = {underflows(first != 0, tiny)}},
    {.op = Op::cos,
     .potentially_unstable = true,
     .native = [](auto a, auto, auto) { return std::cos(a); },
     .big = big_unary<mpfr_cos>,
     .partials = of_one([](double a, double) { return -std::sin(a); }),
     .conditions = magnitude_of([](double a, double r) { return a * std::sin(a) / r; }),
     .danger = danger_at_result_zero,
     .raises = nothing},
    // Danger at both zeros and poles: r / (1 + r*r) is sin(a) * cos(a).
    {.op = Op::tan,
     .potentially_unstable = true,
     .native = [](auto a, auto, auto) { return std::tan(a); },
     .big = big_unary<mpfr_tan>,
     .partials = of_one([](double, double r) { return 1 + r * r; }),
     .conditions = one_at_zero([](double a, double r) { return a / r + a * r; }),
     .danger = danger_of([](double, double r) { return r / (1 + r * r); }),
     .raises = {underflows(first != 0, tiny)}},

    {.op = Op::asin,
     .potentially_unstable = true,
     .native = [](auto a, auto, auto) { return std::asin(a); },
     .big = big_unary<mpfr_asin>,
     .partials = of_one([](double a, double) { return 1 / std::sqrt(one_minus_square(a)); }),
     .conditions = one_at_zero([](double a, double r) { return a / r / std::sqrt(one_minus_square(a)); }),
     .danger = at_plus_and_minus_one,
     .monotone = increasing(mpfr_sin, -1, 1),
     .raises = {underflows(first != 0, tiny), is_invalid(beyond(first, 1))}},
    {.op = Op::acos,
     .potentially_unstable = true,
     .native = [](auto a, auto, auto) { return std::acos(a); },
     .big = big_unary<mpfr_acos>,
     .partials = of_one([](double a, double) { return -1 / std::sqrt(one_minus_square(a)); }),
     .conditions = magnitude_of([](double a, double r) { return a / (std::sqrt(one_minus_square(a)) * r); }),
     .danger = at_plus_and_minus_one,
     .monotone = decreasing(mpfr_cos, -1, 1),
     .raises = {is_invalid(beyond(first, 1))}},
    {.op = Op::atan,
     .native = [](auto a, auto, auto) { return std::atan(a); },
     .big = big_unary<mpfr_atan>,
     .partials = of_one([](double a, double) { return 1 / (1 + a * a); }),
     .conditions =
         one_at_zero([](double a, double r) { return std::fabs(a) < 1 ? a / r / (1 + a * a) : 1 / (a + 1 / a) / r; }),
     .monotone = increasing(mpfr_tan),
     .raises = {underflows(first != 0, tiny)}},
    {.op = Op::atan2,
     .native = [](auto a, auto b, auto) { return std::atan2(a, b); },
     .big = big_binary<mpfr_atan2>,
     .partials = atan2_partials,
     .conditions = atan2_conditions,
     .raises = {underflows(first != 0, tiny)}},

    // sinh and cosh grow like exp: no centre.
    {.op = Op::sinh,
     .potentially_unstable = true,
     .native = [](auto a, auto, auto) { return std::sinh(a); },
     .big = big_unary<mpfr_sinh>,
     .partials = of_one([](double a, double) { return std::cosh(a); }),
     .conditions = one_at_zero([](double a, double) { return a / std::tanh(a); }),
     .monotone = increasing(mpfr_asinh),
     .raises = {overflows(infinite), underflows(first != 0, tiny)}},
    {.op = Op::cosh,
     .potentially_unstable = true,
     .native = [](auto a, auto, auto) { return std::cosh(a); },
     .big = big_unary<mpfr_cosh>,
     .partials = of_one([](double a, double) { return std::sinh(a); }),
     .conditions = magnitude_of([](double a, double) { return a * std::tanh(a); }),
     .raises = {overflows(infinite)}},
    {.op = Op::tanh,
     .native = [](auto a, auto, auto) { return std::tanh(a); },
     .big = big_unary<mpfr_tanh>,
     .partials = of_one([](double a, double) {
       const double secant = 1 / std::cosh(a);
       return secant * secant;
     }),
     .conditions = one_at_zero([](double a, double) { return 2 * a / std::sinh(2 * a); }),
     .monotone = increasing(mpfr_atanh),
     .raises = {underflows(first != 0, tiny)}},

    {.op = Op::asinh,
     .native = [](auto a, auto, auto) { return std::asinh(a); },
     .big = big_unary<mpfr_asinh>,
     .partials = of_one([](double a, double) { return 1 / std::hypot(1, a); }),
     .conditions = one_at_zero([](double a, double r) { return a / std::hypot(1, a) / r; }),
     .monotone = increasing(mpfr_sinh),
     .raises = {underflows(first != 0, tiny)}},
    {.op = Op::acosh,
     .potentially_unstable = true,
     .native = [](auto a, auto, auto) { return std::acosh(a); },
     .big = big_unary<mpfr_acosh>,
     .partials = of_one([](double a, double) { return 1 / (std::sqrt(a - 1) * std::sqrt(a + 1)); }),
     .conditions = magnitude_of([](double a, double r) { return a / (std::sqrt(a - 1) * std::sqrt(a + 1)) / r; }),
     .danger = danger_of([](double a, double) { return a - 1; }),
     .monotone = increasing(mpfr_cosh, 1),
     .raises = {is_invalid(first < 1)}},
    {.op = Op::atanh,
     .potentially_unstable = true,
     .native = [](auto a, auto, auto) { return std::atanh(a); },
     .big = big_unary<mpfr_atanh>,
     .partials = of_one([](double a, double) { return 1 / one_minus_square(a); }),
     .conditions = one_at_zero([](double a, double r) { return a / r / one_minus_square(a); }),
     .danger = at_plus_and_minus_one,
     .monotone = increasing(mpfr_tanh, -1, 1),
     .raises = {underflows(first != 0, tiny), divides_by_zero(first == 1), divides_by_zero(first == -1),
                is_invalid(beyond(first, 1))}},
};

template <> struct Formulas<Op::sin> : Libm<Ulps{1, 0.56, 2}, ball<arb_sin>> {
  static constexpr Meaning meaning{"x", "sin(x)"};
  static auto range(const auto& a) { return wave(Op::sin, a, 0.5); }
  static auto slope(const auto& a, const auto&) { return wave(Op::cos, a, 0); }
};
template <> struct Formulas<Op::cos> : Libm<Ulps{1, 0.56, 2}, ball<arb_cos>> {
  static constexpr Meaning meaning{"x", "cos(x)"};
  static auto range(const auto& a) { return wave(Op::cos, a, 0); }
  static auto slope(const auto& a, const auto&) { return -wave(Op::sin, a, 0.5); }
};
template <> struct Formulas<Op::tan> : Libm<Ulps{2, 2, 3}, ball<arb_tan>> {
  static constexpr Meaning meaning{"x", "tan(x)"};
  template <Enclosure T> static T range(const T& a) {
    return meets(a, 0.5, 1) ? T::nothing_known() : between_ends(Op::tan, a);
  }
  static auto slope(const auto&, const auto& result) { return 1 + square(result); }
};
template <> struct Formulas<Op::asin> : Libm<Ulps{1, 1, 2}, ball<arb_asin>>, MonotoneRange<Op::asin> {
  static constexpr Meaning meaning{"x", "asin(x)"};
  static auto slope(const auto& a, const auto&) { return 1 / root(one_minus_square(a)); }
};
template <> struct Formulas<Op::acos> : Libm<Ulps{1, 1, 2}, ball<arb_acos>>, MonotoneRange<Op::acos> {
  static constexpr Meaning meaning{"x", "acos(x)"};
  static auto slope(const auto& a, const auto&) { return -(1 / root(one_minus_square(a))); }
};
template <> struct Formulas<Op::atan> : Libm<Ulps{1, 1, 2}, ball<arb_atan>>, MonotoneRange<Op::atan> {
  static constexpr Meaning meaning{"x", "atan(x)"};
  static auto slope(const auto& a, const auto&) { return 1 / (1 + square(a)); }
};
template <> struct Formulas<Op::atan2> : Libm<Ulps{2, 1, 2}, ball<arb_atan2>> {
  static constexpr Meaning meaning{"y x", "atan2(y, x)"};
  // Away from the origin, and from the jump on the negative half of the second operand's axis, it is monotone along
  // each side of a box.
  template <Enclosure T> static T range(const T& y, const T& x) {
    return x.low > 0 || y.low > 0 || y.high < 0 ? between_corners(Op::atan2, y, x) : T::nothing_known();
  }
  template <Enclosure T> static std::array<T, 2> slopes(const T& y, const T& x, const T&) {
    const T squares = square(y) + square(x);
    return {x / squares, -(y / squares)};
  }
};
template <> struct Formulas<Op::sinh> : Libm<Ulps{3, 3, 4}, ball<arb_sinh>>, MonotoneRange<Op::sinh> {
  static constexpr Meaning meaning{"x", "sinh(x)"};
  static auto slope(const auto& a, const auto&) { return cosh_of(a); }
};
template <> struct Formulas<Op::cosh> : Libm<Ulps{3, 3, 4}, ball<arb_cosh>> {
  static constexpr Meaning meaning{"x", "cosh(x)"};
  static auto range(const auto& a) { return cosh_of(a); }
  static auto slope(const auto& a, const auto&) { return monotone(Op::sinh, a); }
};
template <> struct Formulas<Op::tanh> : Libm<Ulps{3, 3, 4}, ball<arb_tanh>> {
  static constexpr Meaning meaning{"x", "tanh(x)"};
  static auto range(const auto& a) { return within(monotone(Op::tanh, a), -1, 1); }
  static auto slope(const auto& a, const auto&) { return 1 / square(cosh_of(a)); }
};
template <> struct Formulas<Op::asinh> : Libm<Ulps{3, 3, 4}, ball<arb_asinh>>, MonotoneRange<Op::asinh> {
  static constexpr Meaning meaning{"x", "asinh(x)"};
  static auto slope(const auto& a, const auto&) { return 1 / root(1 + square(a)); }
};
template <> struct Formulas<Op::acosh> : Libm<Ulps{3, 3, 4}, ball<arb_acosh>>, MonotoneRange<Op::acosh> {
  static constexpr Meaning meaning{"x", "acosh(x)"};
  template <Enclosure T> static T slope(const T& a, const T&) { return 1 / (root(a - T::of(1)) * root(a + T::of(1))); }
};
template <> struct Formulas<Op::atanh> : Libm<Ulps{3, 3, 4}, ball<arb_atanh>>, MonotoneRange<Op::atanh> {
  static constexpr Meaning meaning{"x", "atanh(x)"};
  static auto slope(const auto& a, const auto&) { return 1 / one_minus_square(a); }
};

} // namespace faultline::ops
