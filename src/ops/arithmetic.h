// Arithmetic, selection and conversions between formats.
#pragma once

#include "ops/forms.h"

namespace faultline::ops {

constexpr auto first_operand = [](auto a, auto, auto) { return a; };

constexpr auto big_leaf = [](mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr, mpfr_srcptr) {
  if (a)
    mpfr_set(result, a, MPFR_RNDN);
  else
    mpfr_set_nan(result);
};

constexpr auto terms_over_result = [](double a, double b, double, double result) {
  return Gradient{std::fabs(a / result), std::fabs(b / result), 0};
};

// In long double, where the product of two doubles can neither overflow nor underflow.
constexpr auto fma_conditions = [](double a, double b, double c, double result) {
  const double product = static_cast<double>(std::fabs(static_cast<long double>(a) * b / result));
  return Gradient{product, product, std::fabs(c / result)};
};

// As fmin and fmax choose: a NaN loses against a number.
inline bool first_is_min(double a, double b) { return a <= b || std::isnan(b); }
inline bool first_is_max(double a, double b) { return a >= b || std::isnan(b); }

inline constexpr Entry arithmetic[] = {
    {.op = Op::none, .symbol = "", .native = first_operand, .big = big_leaf, .raises = nothing},
    {.op = Op::input, .symbol = "input", .native = first_operand, .big = big_leaf, .raises = nothing},
    {.op = Op::leaf, .symbol = "value", .native = first_operand, .big = big_leaf, .raises = nothing},
    // Which way an integer condition went: like a leaf, it is what the run says.
    {.op = Op::decide, .symbol = "decision", .native = first_operand, .big = big_leaf, .raises = nothing},

    // Danger: the sum itself; it is zero where the terms cancel.
    {.op = Op::fadd,
     .symbol = "+",
     .potentially_unstable = true,
     .native = [](auto a, auto b, auto) { return a + b; },
     .big = big_binary<mpfr_add>,
     .partials = constantly<1, 1>,
     .conditions = terms_over_result,
     .danger = danger_at_result_zero,
     .raises = {overflows(infinite)}},
    {.op = Op::fsub,
     .symbol = "-",
     .potentially_unstable = true,
     .native = [](auto a, auto b, auto) { return a - b; },
     .big = big_binary<mpfr_sub>,
     .partials = constantly<1, -1>,
     .conditions = terms_over_result,
     .danger = danger_at_result_zero,
     .raises = {overflows(infinite)}},
    {.op = Op::fma,
     .symbol = "fma",
     .potentially_unstable = true,
     .native = [](auto a, auto b, auto c) { return std::fma(a, b, c); },
     .big = [](mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr c) { mpfr_fma(result, a, b, c, MPFR_RNDN); },
     .partials =
         [](double a, double b, double, double) {
           return Gradient{b, a, 1};
         },
     .conditions = fma_conditions,
     .danger = danger_at_result_zero,
     .raises = {overflows(infinite), underflows(first != 0, second != 0, tiny)}},

    {.op = Op::fmul,
     .symbol = "*",
     .native = [](auto a, auto b, auto) { return a * b; },
     .big = big_binary<mpfr_mul>,
     .partials =
         [](double a, double b, double, double) {
           return Gradient{b, a, 0};
         },
     .conditions = constantly<1, 1>,
     .raises = {overflows(infinite), underflows(first != 0, second != 0, tiny)}},
    {.op = Op::fdiv,
     .symbol = "/",
     .native = [](auto a, auto b, auto) { return a / b; },
     .big = big_binary<mpfr_div>,
     .partials =
         [](double, double b, double, double result) {
           return Gradient{1 / b, -result / b, 0};
         },
     .conditions = constantly<1, 1>,
     .raises = {overflows(second != 0, infinite), underflows(first != 0, tiny),
                divides_by_zero(first != 0, second == 0), is_invalid(first == 0, second == 0)}},
    {.op = Op::sqrt,
     .symbol = "sqrt",
     .native = [](auto a, auto, auto) { return std::sqrt(a); },
     .big = big_unary<mpfr_sqrt>,
     .partials = of_one([](double, double r) { return 0.5 / r; }),
     .conditions = constantly<0.5>,
     .monotone = increasing(mpfr_sqr, -0.0),
     .raises = {is_invalid(first < 0)}},

    {.op = Op::fneg,
     .symbol = "-",
     .native = [](auto a, auto, auto) { return -a; },
     .big = big_unary<mpfr_neg>,
     .partials = constantly<-1>,
     .conditions = constantly<1>,
     .raises = nothing},
    {.op = Op::fabs,
     .symbol = "fabs",
     .native = [](auto a, auto, auto) { return std::fabs(a); },
     .big = big_unary<mpfr_abs>,
     .partials = of_one([](double a, double) { return std::copysign(1, a); }),
     .conditions = constantly<1>,
     .raises = nothing},
    {.op = Op::copysign,
     .symbol = "copysign",
     .native = [](auto a, auto b, auto) { return std::copysign(a, b); },
     .big = big_binary<mpfr_copysign>,
     .partials =
         [](double a, double b, double, double) {
           return Gradient{std::signbit(a) == std::signbit(b) ? 1.0 : -1.0, 0, 0};
         },
     .conditions = constantly<1>,
     .raises = nothing},

    {.op = Op::fmin,
     .symbol = "fmin",
     .native = [](auto a, auto b, auto) { return std::fmin(a, b); },
     .big = big_binary<mpfr_min>,
     .partials =
         [](double a, double b, double, double) {
           return first_is_min(a, b) ? Gradient{1, 0, 0} : Gradient{0, 1, 0};
         },
     .conditions =
         [](double a, double b, double, double) {
           return first_is_min(a, b) ? Gradient{1, 0, 0} : Gradient{0, 1, 0};
         },
     .raises = nothing},
    {.op = Op::fmax,
     .symbol = "fmax",
     .native = [](auto a, auto b, auto) { return std::fmax(a, b); },
     .big = big_binary<mpfr_max>,
     .partials =
         [](double a, double b, double, double) {
           return first_is_max(a, b) ? Gradient{1, 0, 0} : Gradient{0, 1, 0};
         },
     .conditions =
         [](double a, double b, double, double) {
           return first_is_max(a, b) ? Gradient{1, 0, 0} : Gradient{0, 1, 0};
         },
     .raises = nothing},
    // A subtraction where a > b, constant elsewhere. Danger: the difference, for the result does not change sign.
    {.op = Op::fdim,
     .symbol = "fdim",
     .potentially_unstable = true,
     .native = [](auto a, auto b, auto) { return std::fdim(a, b); },
     .big = big_binary<mpfr_dim>,
     .partials =
         [](double a, double b, double, double) {
           return a > b ? Gradient{1, -1, 0} : Gradient{};
         },
     .conditions = [](double a, double b, double c,
                      double result) { return a > b ? terms_over_result(a, b, c, result) : Gradient{}; },
     .danger = [](double a, double b, double, double) { return a - b; },
     .raises = {overflows(infinite)}},

    {.op = Op::fpext,
     .symbol = "(extend)",
     .native = first_operand,
     .big = big_unary<mpfr_set>,
     .partials = constantly<1>,
     .conditions = constantly<1>,
     .raises = nothing},
    {.op = Op::fptrunc,
     .symbol = "(float)",
     .native = first_operand,
     .big = big_unary<mpfr_set>,
     .partials = constantly<1>,
     .conditions = constantly<1>,
     .raises = {overflows(infinite), underflows(first != 0, tiny)}},
    {.op = Op::round_add,
     .symbol = "+",
     .native = [](auto a, auto b, auto) { return a + b; },
     .big = big_binary<mpfr_add>,
     .raises = {overflows(infinite)}},
    {.op = Op::round_sub,
     .symbol = "-",
     .native = [](auto a, auto b, auto) { return a - b; },
     .big = big_binary<mpfr_sub>,
     .raises = {overflows(infinite)}},
    {.op = Op::round_fma,
     .symbol = "fma",
     .native = [](auto a, auto b, auto c) { return std::fma(a, b, c); },
     .big = [](mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr c) { mpfr_fma(result, a, b, c, MPFR_RNDN); },
     .raises = {overflows(infinite), underflows(first != 0, second != 0, tiny)}},
};

} // namespace faultline::ops
