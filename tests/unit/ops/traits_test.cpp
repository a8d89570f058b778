// Traits that can be told from the table: one that is forgotten in the list, or wrong, shows here by name.
#include "domains.h"
#include "ops/op.h"

#include "numeric/bigfloat.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>

namespace faultline::ops {
namespace {

class Traits : public testing::TestWithParam<Op> {
protected:
  template <class Visit> void sampled(Visit visit) const {
    numeric::Rng rng(4);
    for (int i = 0; i < 300; ++i) {
      const Operands x = sample(GetParam(), rng);
      visit(x, evaluate(GetParam(), x[0], x[1], x[2]));
    }
  }
};

TEST_P(Traits, SayWhetherErrorsPassOnAsTheyAre) {
  const Op op = GetParam();
  if (arity(op) == 0 || is_decision(op))
    return;
  bool constant = true, of_size_one = true;
  sampled([&](const Operands& x, double result) {
    for (const double slope : partials(op, x[0], x[1], x[2], result)) {
      constant = constant && slope == 0;
      of_size_one = of_size_one && (slope == 0 || std::fabs(slope) == 1);
    }
  });
  EXPECT_EQ(has(op, trait::steps), constant);
  EXPECT_EQ(has(op, trait::isometric), of_size_one && !constant);
}

TEST_P(Traits, SayWhetherTheSecondOperandIsAnInteger) {
  const Op op = GetParam();
  if (arity(op) != 2 || is_comparison(op))
    return;
  bool whole = true;
  for (const double a : {0.75, 1.5, 2.25})
    for (const double b : {1.25, 2.5, 3.75})
      whole = whole && evaluate(op, a, b) == evaluate(op, a, std::trunc(b));
  EXPECT_EQ(has_integer_operand(op), whole && op != Op::copysign);
}

TEST_P(Traits, SayWhetherNothingIsRoundedAway) {
  const Op op = GetParam();
  if (!has(op, trait::exact) || rounds_on_purpose(op))
    return;
  sampled([&](const Operands& x, double result) {
    EXPECT_TRUE(std::fabs(result) == std::fabs(x[0]) || std::fabs(result) == std::fabs(x[1])) << x[0] << " " << x[1];
  });
}

TEST_P(Traits, SayWhetherAFunctionIsFiniteEverywhere) {
  const Op op = GetParam();
  if (!has(op, trait::entire))
    return;
  for (double a = -30; a <= 30; a += 0.25)
    for (double b = -30; b <= 30; b += arity(op) > 1 ? 0.25 : 100)
      EXPECT_TRUE(std::isfinite(evaluate(op, a, b))) << a << " " << b;
}

// Results of a function of one operand along all floats of a grid, correctly rounded: libm's need not be monotone.
struct Course {
  bool up = true, down = true, defined = false;
  double low = 0, high = 0; // where there are numbers
};

Course course_of(Op op) {
  Course course;
  numeric::BigFloat last(53);
  std::vector<double> grid{
      -1, -0.0, 0, 1, -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  for (double magnitude = 1e-300; magnitude < 1e300; magnitude *= 1.37)
    grid.insert(grid.end(), {magnitude, -magnitude});
  for (double x = -40; x < 40; x += 0.173)
    grid.push_back(x);
  std::ranges::sort(grid, [](double a, double b) { return a < b || (a == b && std::signbit(a) && !std::signbit(b)); });
  for (const double x : grid) {
    const numeric::BigFloat a(x, 53);
    numeric::BigFloat value(53);
    evaluate(op, value.raw(), a.raw(), nullptr, nullptr);
    if (value.is_nan())
      continue;
    course.up = course.up && (!course.defined || last <= value);
    course.down = course.down && (!course.defined || last >= value);
    course.low = course.defined ? course.low : x;
    course.high = x;
    course.defined = true;
    last = value;
  }
  return course;
}

// What the interval solver may use (solve/interval).
TEST_P(Traits, SayWhetherAFunctionGoesOneWay) {
  const Op op = GetParam();
  const Monotone& monotone = entry(op).monotone;
  if (arity(op) != 1 || rounding_of(op) || (is_arithmetic(op) && op != Op::sqrt))
    return;
  // glibc has no erfcx, so nothing is promised about how far a compiler's own is off.
  if (op == Op::erfcx)
    return;
  const Course course = course_of(op);
  EXPECT_EQ(bool(monotone), course.up || course.down);
  if (!monotone)
    return;
  EXPECT_EQ(monotone.up(), course.up);
  EXPECT_EQ(monotone.low, course.low);
  EXPECT_EQ(std::signbit(monotone.low), std::signbit(course.low));
  EXPECT_EQ(monotone.high, course.high);
  if (monotone.inverse)
    sampled([&](const Operands& x, double) {
      numeric::BigFloat value(x[0], 300);
      evaluate(op, value.raw(), value.raw(), nullptr, nullptr);
      monotone.inverse(value.raw(), value.raw(), MPFR_RNDN);
      EXPECT_NEAR(value.to_double(), x[0], 1e-12 * std::fabs(x[0]));
    });
}

INSTANTIATE_TEST_SUITE_P(All, Traits, testing::ValuesIn(all_operations()),
                         [](const auto& info) { return std::string(name(info.param)); });

TEST(Comparisons, HoldForTheOrdersTheyName) {
  const double values[] = {-1, 0, 2, std::numeric_limits<double>::quiet_NaN()};
  for (const double a : values)
    for (const double b : values) {
      const bool nan = std::isnan(a) || std::isnan(b);
      const auto check = [&](Op ordered, Op unordered, bool expected) {
        EXPECT_EQ(holds(ordered, order_between(a, b)), expected && !nan) << name(ordered) << a << " " << b;
        EXPECT_EQ(holds(unordered, order_between(a, b)), unordered == Op::cmp_uno ? nan : expected || nan)
            << name(unordered) << a << " " << b;
      };
      check(Op::cmp_oeq, Op::cmp_ueq, a == b);
      check(Op::cmp_olt, Op::cmp_ult, a < b);
      check(Op::cmp_ole, Op::cmp_ule, a <= b);
      check(Op::cmp_ogt, Op::cmp_ugt, a > b);
      check(Op::cmp_oge, Op::cmp_uge, a >= b);
      check(Op::cmp_one, Op::cmp_une, a != b);
      check(Op::cmp_ord, Op::cmp_uno, !nan);
    }
}

TEST(Comparisons, KnowTheirOppositesAndTheirMirrorImages) {
  EXPECT_EQ(opposite(Op::cmp_olt), Op::cmp_uge);
  EXPECT_EQ(opposite(Op::cmp_oeq), Op::cmp_une);
  EXPECT_EQ(opposite(Op::cmp_ord), Op::cmp_uno);
  EXPECT_EQ(swapped(Op::cmp_olt), Op::cmp_ogt);
  EXPECT_EQ(swapped(Op::cmp_ule), Op::cmp_uge);
  EXPECT_EQ(swapped(Op::cmp_one), Op::cmp_one);
  EXPECT_EQ(ordered(Op::cmp_ule), Op::cmp_ole);
}

} // namespace
} // namespace faultline::ops
