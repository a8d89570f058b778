// Ranges of operations hold every value and every slope, whatever the operands are.
#include "bound/extension.h"
#include "certificate/functions.h"
#include "numeric/bigfloat.h"
#include "numeric/random.h"
#include "ops/table.h"

#include <cmath>
#include <gtest/gtest.h>

namespace faultline::certificate {
namespace {

using numeric::BigFloat;
using ops::Op;

constexpr long bits = 400;

struct Subject {
  Op op;
  double low = -20, high = 20; // of the first operand
  double second_low = -20, second_high = 20;
};
void PrintTo(const Subject& subject, std::ostream* stream) { *stream << ops::name(subject.op); }
class Held : public testing::TestWithParam<Subject> {};

Real real_of(const BigFloat& value) {
  Real real;
  arf_set_mpfr(real.raw(), value.raw());
  return real;
}

BigFloat exact(Op op, const double* x) {
  const BigFloat a(x[0], 64), b(x[1], 64), c(x[2], 64);
  BigFloat result(bits);
  ops::evaluate(op, result.raw(), a.raw(), b.raw(), c.raw());
  return result;
}

bool holds(const Range& range, const BigFloat& value, double slack = 0) {
  const Range wider = Rounding(64).widened(range, Real(slack));
  return wider.low <= real_of(value) && real_of(value) <= wider.high;
}

// Two points in some range of operands, often a narrow one.
struct Sample {
  Range ranges[3];
  double points[2][3];
};
Sample sample(const Subject& subject, numeric::Rng& rng) {
  Sample sample;
  const double width = std::exp2(-double(rng.below(40)));
  for (int i = 0; i < 3; ++i) {
    const double low = i == 0 ? subject.low : subject.second_low, high = i == 0 ? subject.high : subject.second_high;
    const double begin = low + (high - low) * rng.uniform(), end = begin + (high - begin) * rng.uniform() * width;
    sample.ranges[i] = {Real(begin), Real(end)};
    for (auto& point : sample.points)
      point[i] =
          std::clamp(begin + (end - begin) * (rng.below(4) == 0 ? double(rng.below(2)) : rng.uniform()), begin, end);
  }
  if (ops::has_integer_operand(subject.op)) {
    sample.points[0][1] = sample.points[1][1] = std::floor(sample.points[0][1]);
    sample.ranges[1] = Range(sample.points[0][1]);
  }
  return sample;
}

// f(b) - f(a) is a slope between times b - a, by the mean value theorem: one operand at a time.
void expect_slopes(const Functions& functions, Op op, Sample& sample, std::span<const Range* const> operands,
                   const Range& result) {
  const auto slopes = functions.slopes(op, operands, result);
  for (int i = 0; i < ops::arity(op); ++i) {
    if (ops::has_integer_operand(op) && i == 1)
      continue;
    double there[3] = {sample.points[0][0], sample.points[0][1], sample.points[0][2]};
    there[i] = sample.points[1][i];
    if (there[i] == sample.points[0][i] || !slopes[size_t(i)])
      continue;
    BigFloat rise = exact(op, there), run(there[i], bits);
    mpfr_sub(rise.raw(), rise.raw(), exact(op, sample.points[0]).raw(), MPFR_RNDN);
    mpfr_sub_d(run.raw(), run.raw(), sample.points[0][i], MPFR_RNDN);
    mpfr_div(rise.raw(), rise.raw(), run.raw(), MPFR_RNDN);
    EXPECT_TRUE(holds(*slopes[size_t(i)], rise, std::ldexp(1 + std::fabs(rise.to_double()), -100)))
        << ops::name(op) << " from " << sample.points[0][i] << " to " << there[i] << ", operand " << i;
  }
}

TEST_P(Held, EveryValueAndEverySlope) {
  const Subject subject = GetParam();
  numeric::Rng rng(1);
  const Functions functions(64);
  int known = 0;
  for (int i = 0; i < 2'000; ++i) {
    Sample made = sample(subject, rng);
    const Range* operands[3] = {&made.ranges[0], &made.ranges[1], &made.ranges[2]};
    const MaybeRange result = functions.value(subject.op, operands, false);
    if (!result)
      continue;
    ++known;
    for (const auto& point : made.points)
      ASSERT_TRUE(holds(*result, exact(subject.op, point)))
          << ops::name(subject.op) << "(" << point[0] << ", " << point[1] << ")";
    if (ops::rounding_of(subject.op) == ops::Rounding::none || result->is_single()) // steps have none between them
      expect_slopes(functions, subject.op, made, operands, *result);
  }
  EXPECT_GT(known, 400);
}

INSTANTIATE_TEST_SUITE_P(
    All, Held,
    testing::Values(Subject{Op::fadd}, Subject{Op::fsub}, Subject{Op::fmul}, Subject{Op::fdiv}, Subject{Op::sqrt, 0},
                    Subject{Op::fma}, Subject{Op::fneg}, Subject{Op::fabs}, Subject{Op::fmin}, Subject{Op::fmax},
                    Subject{Op::copysign}, Subject{Op::floor}, Subject{Op::ceil}, Subject{Op::trunc},
                    Subject{Op::round}, Subject{Op::rint}, Subject{Op::ldexp}, Subject{Op::powi}, Subject{Op::pow, 0},
                    Subject{Op::hypot}, Subject{Op::atan2}, Subject{Op::exp}, Subject{Op::exp2}, Subject{Op::exp10},
                    Subject{Op::expm1}, Subject{Op::log, 0}, Subject{Op::log2, 0}, Subject{Op::log10, 0},
                    Subject{Op::log1p, -1}, Subject{Op::sin}, Subject{Op::cos}, Subject{Op::tan},
                    Subject{Op::asin, -1, 1}, Subject{Op::acos, -1, 1}, Subject{Op::atan}, Subject{Op::sinh},
                    Subject{Op::cosh}, Subject{Op::tanh}, Subject{Op::asinh}, Subject{Op::acosh, 1},
                    Subject{Op::atanh, -1, 1}, Subject{Op::cbrt}, Subject{Op::erf, -4, 4}, Subject{Op::erfc, -4, 4}),
    [](const auto& info) { return std::string(ops::name(info.param.op)); });

TEST(Functions, WhatHasNoResultSomewhereHasNoRange) {
  const Functions functions(64);
  const Range around_zero{Real(-1), Real(1)}, one(1.0);
  const Range* operands[3] = {&one, &around_zero, &one};
  EXPECT_FALSE(functions.value(Op::fdiv, operands, false));
  operands[0] = &around_zero;
  for (const Op op : {Op::sqrt, Op::log, Op::atan2, Op::tgamma, Op::j0})
    EXPECT_FALSE(functions.value(op, operands, false)) << ops::name(op);
}

TEST(Functions, WhereTheSignIsZeroBothSignsAreThere) {
  const Functions functions(64);
  const Range around_zero{Real(-1), Real(1)}, two(2.0);
  const Range* operands[3] = {&two, &around_zero, &two};
  const MaybeRange both = functions.value(Op::copysign, operands, false);
  ASSERT_TRUE(both);
  EXPECT_TRUE(holds(*both, BigFloat(2.0, bits)) && holds(*both, BigFloat(-2.0, bits)));
}

TEST(Functions, WhatTheSearchCanProveCanBeChecked) {
  const Functions functions(64);
  int known = 0;
  for (int i = 0; i < ops::operation_count; ++i)
    for (const double at : {0.5, 1.25}) {
      const auto op = Op(i);
      const double second = ops::has_integer_operand(op) ? 2 : 0.75;
      const bound::Operands searched = {bound::Interval::of(at), bound::Interval::of(second), bound::Interval::of(1)};
      if (ops::arity(op) == 0 || ops::is_decision(op) || !bound::extension(op, searched, false).known())
        continue;
      ++known;
      const Range first(at), other(second), third(1.0);
      const Range* operands[3] = {&first, &other, &third};
      const MaybeRange result = functions.value(op, operands, false);
      ASSERT_TRUE(result) << ops::name(op);
      for (int operand = 0; operand < ops::arity(op); ++operand)
        EXPECT_TRUE(functions.slopes(op, operands, *result)[size_t(operand)]) << ops::name(op);
    }
  EXPECT_GT(known, 60);
}

TEST(Functions, ASquareIsNotNegative) {
  const Functions functions(64);
  const Range around_zero{Real(-1), Real(2)};
  const Range* operands[3] = {&around_zero, &around_zero, &around_zero};
  const MaybeRange square = functions.value(Op::fmul, operands, true);
  EXPECT_EQ(square->low.sign(), 0);
  EXPECT_EQ(arf_cmp_si(square->high.raw(), 4), 0);
  EXPECT_TRUE(functions.value(Op::fsub, operands, true)->is_zero());
}

} // namespace
} // namespace faultline::certificate
