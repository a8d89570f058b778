// Search and checker share the formulas of the table, so that a wrong one makes both wrong: here each is compared with
// MPFR, in both arithmetics.
#include "enclosing.h"

#include <fmt/format.h>
#include <functional>
#include <gtest/gtest.h>

namespace faultline::ops {
namespace {

// What is checked: the table's formulas, or those that a test plants.
template <class T> struct Columns {
  std::function<T(Op, const OperandRanges<T>&)> range = [](Op op, const OperandRanges<T>& x) {
    return range_of(op, x, false);
  };
  std::function<std::array<T, 3>(Op, const OperandRanges<T>&, const T&)> slopes = slopes_of<T>;
};

struct FormulaVerdict {
  std::string falsehood; // the first; empty: every value and every slope is held
  int known = 0;         // of 2,000 boxes
};

std::string words_of(Op op, const Operands& x) { return fmt::format("{}({}, {}, {})", name(op), x[0], x[1], x[2]); }

bool has_slope(Op op, size_t operand, const OperandBox& box) {
  if (operand == 1 && (has_integer_operand(op) || op == Op::copysign)) // which jumps by the sign
    return false;
  return operand != 0 || op != Op::copysign || box.low[1] > 0 || box.high[1] < 0;
}

// By the mean value theorem (f(b) - f(a)) / (b - a) is a slope between a and b: one operand at a time.
template <class T> std::string false_slope(Op op, const OperandBox& box, const std::array<T, 3>& slopes) {
  for (size_t i = 0; i < size_t(arity(op)); ++i) {
    Operands there = box.points[0];
    there[i] = box.points[1][i];
    if (there[i] == box.points[0][i] || !has_slope(op, i, box) || !slopes[i].known())
      continue;
    const BigFloat end = exact(op, there);
    const bool is_beyond = is_beyond_mpfr();
    const BigFloat begin = exact(op, box.points[0]);
    if (is_beyond || is_beyond_mpfr())
      continue;
    BigFloat rise(400), run(there[i], 400);
    mpfr_sub(rise.raw(), end.raw(), begin.raw(), MPFR_RNDN);
    const mpfr_exp_t size = std::max(mpfr_get_exp(begin.raw()), mpfr_get_exp(end.raw()));
    if (!mpfr_regular_p(begin.raw()) || !mpfr_regular_p(end.raw()) || !mpfr_regular_p(rise.raw()) ||
        mpfr_get_exp(rise.raw()) < size - 300)
      continue; // too few digits of the difference are left
    mpfr_sub_d(run.raw(), run.raw(), box.points[0][i], MPFR_RNDN);
    mpfr_div(rise.raw(), rise.raw(), run.raw(), MPFR_RNDN);
    if (!holds(slopes[i], rise, std::ldexp(std::fabs(rise.to_double()), -90)))
      return fmt::format("slope by operand {} from {} to {}: {}", i, words_of(op, box.points[0]), words_of(op, there),
                         rise.to_double());
  }
  return "";
}

template <class T> std::string false_value(Op op, const OperandBox& box, const T& range) {
  for (const Operands& point : box.points) {
    const BigFloat value = exact(op, point);
    if (!is_beyond_mpfr() && !holds(range, value))
      return fmt::format("{} = {}", words_of(op, point), value.to_double());
  }
  return "";
}

template <class T> FormulaVerdict examine_formulas(Op op, const Columns<T>& columns) {
  numeric::Rng rng(uint64_t(op) + 1);
  FormulaVerdict verdict;
  for (int i = 0; i < 2'000; ++i) {
    const OperandBox box = operand_box(op, rng, [](double x) { return x; });
    const std::array<T, 3> ranges = ranges_of<T>(box);
    const T range = columns.range(op, pointers_to(ranges));
    if (!range.known())
      continue;
    ++verdict.known;
    verdict.falsehood = false_value(op, box, range);
    // Steps have no slopes between them.
    if (verdict.falsehood.empty() && (!rounding_of(op) || range.single()))
      verdict.falsehood = false_slope(op, box, columns.slopes(op, pointers_to(ranges), range));
    if (!verdict.falsehood.empty())
      break;
  }
  return verdict;
}

bool has_ranges(Op op) {
  if (!has_formulas(op))
    return false;
  return op != Op::fmod && // it has ranges for one divisor only
         arity(op) > 0 && !is_comparison(op) && !rounds_on_purpose(op) && !is_complex_part(op);
}

template <class T> class Formulas : public testing::Test {};
using Arithmetics = testing::Types<Interval, Range>;
TYPED_TEST_SUITE(Formulas, Arithmetics);

TYPED_TEST(Formulas, HoldEveryValueAndEverySlope) {
  for (const Op op : all_operations()) {
    if (arity(op) == 0 || is_comparison(op))
      continue;
    const FormulaVerdict verdict = examine_formulas<TypeParam>(op, {});
    EXPECT_EQ(verdict.falsehood, "");
    if (has_ranges(op))
      EXPECT_GT(verdict.known, 500) << name(op);
    else if (!has_formulas(op))
      EXPECT_EQ(verdict.known, 0) << name(op);
  }
}

// Slopes that are off by a millionth; of those that are 0 there is no such.
TYPED_TEST(Formulas, FailWithAWrongSlope) {
  Columns<TypeParam> planted;
  planted.slopes = [](Op op, const OperandRanges<TypeParam>& x, const TypeParam& result) {
    std::array<TypeParam, 3> slopes = slopes_of(op, x, result);
    slopes[0] = slopes[0] * TypeParam::of(1 + 0x1p-20);
    return slopes;
  };
  for (const Op op : all_operations())
    if (has_ranges(op) && !rounding_of(op))
      EXPECT_NE(examine_formulas(op, planted).falsehood, "") << name(op);
}

TYPED_TEST(Formulas, FailWithAWrongValue) {
  Columns<TypeParam> planted;
  planted.range = [](Op op, const OperandRanges<TypeParam>& x) {
    return range_of(op, x, false) * TypeParam::of(1 + 0x1p-20);
  };
  for (const Op op : all_operations())
    if (has_ranges(op))
      EXPECT_NE(examine_formulas(op, planted).falsehood, "") << name(op);
}

// Mistakes that people make: a sign, a factor of log 10, a turning point, a formula of a neighbour.
TYPED_TEST(Formulas, FailWithPlausibleMistakes) {
  using T = TypeParam;
  const auto wrong_slope = [](Op at, auto slope) {
    Columns<T> planted;
    planted.slopes = [=](Op op, const OperandRanges<T>& x, const T& result) {
      return op == at ? std::array<T, 3>{slope(*x[0], result)} : slopes_of(op, x, result);
    };
    return examine_formulas(at, planted).falsehood;
  };
  const T one = T::of(1);
  EXPECT_NE(wrong_slope(Op::log1p, [&](const T& a, const T&) { return one / a; }), "");
  EXPECT_NE(wrong_slope(Op::log10, [&](const T& a, const T&) { return one / a; }), "");
  EXPECT_NE(wrong_slope(Op::acos, [&](const T& a, const T&) { return one / root(one - square(a)); }), "");
  EXPECT_NE(wrong_slope(Op::expm1, [&](const T&, const T& result) { return result; }), "");
  EXPECT_NE(wrong_slope(Op::tanh, [&](const T&, const T& result) { return one + square(result); }), "");
  Columns<T> without_top;
  without_top.range = [](Op op, const OperandRanges<T>& x) { // as if it went one way
    const T low = x[0]->lower(), high = x[0]->upper();
    return hull(range_of<T>(op, {&low}, false), range_of<T>(op, {&high}, false));
  };
  for (const Op op : {Op::sin, Op::cos, Op::cosh, Op::tan, Op::fabs})
    EXPECT_NE(examine_formulas(op, without_top).falsehood, "") << name(op);
  EXPECT_EQ(examine_formulas(Op::sinh, without_top).falsehood, "");
}

TYPED_TEST(Formulas, WhatHasNoResultSomewhereIsNotKnown) {
  using T = TypeParam;
  const T around_zero{-1, 1}, one = T::of(1);
  EXPECT_FALSE(range_of<T>(Op::fdiv, {&one, &around_zero}, false).known());
  EXPECT_FALSE(range_of<T>(Op::log, {&around_zero}, false).known());
  EXPECT_FALSE(range_of<T>(Op::sqrt, {&around_zero}, false).known());
  EXPECT_FALSE(range_of<T>(Op::atan2, {&around_zero, &around_zero}, false).known());
  EXPECT_FALSE(range_of<T>(Op::log1p, {&around_zero}, false).known());
  EXPECT_FALSE(range_of<T>(Op::atanh, {&around_zero}, false).known());
  const T turning{1, 2}, unknown = T::nothing_known();
  EXPECT_FALSE(range_of<T>(Op::tan, {&turning}, false).known());
  for (const Op op : {Op::sin, Op::exp, Op::cosh, Op::fadd, Op::fmul, Op::fabs, Op::hypot, Op::pow})
    EXPECT_FALSE(range_of<T>(op, {&unknown, &one, &one}, false).known()) << name(op);
}

TYPED_TEST(Formulas, OfOneValueTwiceAreTighter) {
  using T = TypeParam;
  const T around_zero{-1, 2};
  const T square = range_of<T>(Op::fmul, {&around_zero, &around_zero}, true);
  EXPECT_TRUE(square.low == 0 && square.high == 4);
  const T difference = range_of<T>(Op::fsub, {&around_zero, &around_zero}, true);
  EXPECT_TRUE(difference.low == 0 && difference.high == 0);
}

TYPED_TEST(Formulas, WhereTheSignIsZeroBothSignsAreThere) {
  using T = TypeParam;
  const T around_zero{-1, 1}, two = T::of(2);
  const T both = range_of<T>(Op::copysign, {&two, &around_zero}, false);
  EXPECT_TRUE(both.low == -2 && both.high == 2);
}

TYPED_TEST(Formulas, OfWavesKnowTheirTurningPoints) {
  using T = TypeParam;
  const T top{1, 2}, before{0, 1}, bottom{3, 4};
  EXPECT_TRUE(range_of<T>(Op::sin, {&top}, false).high == 1);
  EXPECT_TRUE(range_of<T>(Op::sin, {&before}, false).high < 0.85);
  EXPECT_TRUE(range_of<T>(Op::cos, {&bottom}, false).low == -1);
}

TYPED_TEST(Formulas, OfStepsHaveBothSidesOfThem) {
  using T = TypeParam;
  const T within{1.25, 1.75}, across{0.5, 1};
  const T one = range_of<T>(Op::floor, {&within}, false), both = range_of<T>(Op::floor, {&across}, false);
  EXPECT_TRUE(one.low == 1 && one.high == 1);
  EXPECT_TRUE(both.low == 0 && both.high == 1);
}

} // namespace
} // namespace faultline::ops
