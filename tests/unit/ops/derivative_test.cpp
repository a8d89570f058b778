#include <cmath>

#include <gtest/gtest.h>

#include "domains.h"
#include "numeric/bigfloat.h"
#include "numeric/format.h"
#include "ops/digamma.h"

namespace faultline::ops {
namespace {

using numeric::BigFloat;

constexpr mpfr_prec_t precision = 400;

// (f(x + h) - f(x - h)) / 2h in the given operand, with h = |x| 2^-100: right to about 60 digits in a smooth place.
BigFloat central_difference(Op op, const Operands& x, int operand) {
  BigFloat step(x[operand], precision), sides[2] = {BigFloat(precision), BigFloat(precision)};
  mpfr_mul_2si(step.raw(), step.raw(), -100, MPFR_RNDN);
  for (const int side : {0, 1}) {
    BigFloat at[3] = {BigFloat(x[0], precision), BigFloat(x[1], precision), BigFloat(x[2], precision)};
    (side ? mpfr_add : mpfr_sub)(at[operand].raw(), at[operand].raw(), step.raw(), MPFR_RNDN);
    evaluate(op, sides[side].raw(), at[0].raw(), at[1].raw(), at[2].raw());
  }
  mpfr_sub(sides[1].raw(), sides[1].raw(), sides[0].raw(), MPFR_RNDN);
  mpfr_div(sides[1].raw(), sides[1].raw(), step.raw(), MPFR_RNDN);
  mpfr_div_2ui(sides[1].raw(), sides[1].raw(), 1, MPFR_RNDN);
  return sides[1];
}

// |x * slope / f(x)|
double reference_condition(Op op, const Operands& x, int operand) {
  BigFloat condition = central_difference(op, x, operand), result(precision);
  const BigFloat a(x[0], 64), b(x[1], 64), c(x[2], 64), scale(x[operand], 64);
  evaluate(op, result.raw(), a.raw(), b.raw(), c.raw());
  mpfr_mul(condition.raw(), condition.raw(), scale.raw(), MPFR_RNDN);
  mpfr_div(condition.raw(), condition.raw(), result.raw(), MPFR_RNDN);
  return std::fabs(condition.to_double());
}

bool is_integer_operand(Op op, int operand) { return operand == 1 && has_integer_operand(op); }

// Constant between jumps: their conditions are zero even where the result is, and x * 0 / 0 has no value.
bool is_piecewise_constant(Op op) {
  return (has(op, trait::steps) && !rounds_on_purpose(op)) || is_comparison(op) || is_leaf(op);
}

class Slopes : public testing::TestWithParam<Op> {};

TEST_P(Slopes, AreThoseOfTheFunction) {
  const Op op = GetParam();
  numeric::Rng rng(1);
  for (int i = 0; i < 500; ++i) {
    const Operands x = sample(op, rng);
    const double result = evaluate(op, x[0], x[1], x[2]);
    const Gradient slopes = partials(op, x[0], x[1], x[2], result);
    for (int k = 0; k < 3; ++k) {
      const bool varies = k < arity(op) && !is_integer_operand(op, k) && !rounds_on_purpose(op);
      const double expected = varies ? central_difference(op, x, k).to_double() : 0;
      ASSERT_NEAR(slopes[k], expected, 1e-11 * std::fabs(expected) + (op == Op::lgamma ? 1e-13 : 0))
          << "operand " << k << " of " << x[0] << " " << x[1] << " " << x[2];
    }
  }
}

TEST_P(Slopes, GiveTheConditions) {
  const Op op = GetParam();
  numeric::Rng rng(2);
  for (int i = 0; i < 500; ++i) {
    const Operands x = sample(op, rng);
    const double result = evaluate(op, x[0], x[1], x[2]);
    const Gradient found = conditions(op, x[0], x[1], x[2], result);
    for (int k = 0; k < 3; ++k) {
      const bool varies = k < arity(op) && !is_integer_operand(op, k) && !rounds_on_purpose(op) &&
                          !is_piecewise_constant(op) && !(op == Op::fdim && x[0] < x[1]);
      const double expected = varies ? reference_condition(op, x, k) : 0;
      ASSERT_NEAR(found[k], expected, 1e-11 * expected + (op == Op::tgamma || op == Op::lgamma ? 1e-12 : 0))
          << "operand " << k << " of " << x[0] << " " << x[1] << " " << x[2];
    }
  }
}

TEST_P(Slopes, AreNeverNaNWhateverTheProgramFeedsIn) {
  const Op op = GetParam();
  const double values[] = {0.0, -0.0, 1.0, -1.0, 0.5, -3.0, 2.0, 5e-324, 1e308, -1e308, INFINITY, -INFINITY, NAN};
  for (const double a : values)
    for (const double b : values)
      for (const double c : {0.0, -1.0, 1e308, (double)INFINITY}) {
        const double result = evaluate(op, a, b, c);
        for (int k = 0; k < 3; ++k) {
          ASSERT_FALSE(std::isnan(partials(op, a, b, c, result)[k])) << a << " " << b << " " << c;
          ASSERT_GE(conditions(op, a, b, c, result)[k], 0) << a << " " << b << " " << c;
        }
      }
}

INSTANTIATE_TEST_SUITE_P(Table, Slopes, testing::ValuesIn(all_operations()),
                         [](const auto& param) { return std::string(name(param.param)); });

// Where conditions are largest, a formula that itself cancels would misjudge them.
TEST(Conditions, AreAccurateInsideTheDangerZones) {
  struct Zone {
    Op op;
    double a, b = 0, c = 0;
  };
  using numeric::next_down, numeric::next_up;
  const double pi = M_PI;
  const Zone zones[] = {
      {Op::fadd, 1, -next_up(1.0)},
      {Op::fsub, 1e300, next_up(1e300)},
      {Op::fma, 1 + 0x1p-30, 1 - 0x1p-30, -1},
      {Op::fma, 1e200, 1e100, -1e300},
      {Op::fdim, next_up(1.0), 1},
      {Op::sin, pi},
      {Op::sin, 1000 * pi},
      {Op::cos, pi / 2},
      {Op::tan, pi / 2},
      {Op::tan, pi},
      {Op::tan, 1e-300},
      {Op::asin, next_down(1.0)},
      {Op::asin, -next_down(1.0)},
      {Op::acos, next_down(1.0)},
      {Op::acos, -next_down(1.0)},
      {Op::atanh, next_down(1.0)},
      {Op::acosh, next_up(1.0)},
      {Op::log, next_up(1.0)},
      {Op::log2, next_down(1.0)},
      {Op::log10, next_up(1.0)},
      {Op::log1p, -next_down(1.0)},
      {Op::log1p, 1e-300},
      {Op::lgamma, next_up(1.0)},
      {Op::lgamma, next_down(2.0)},
      {Op::lgamma, -3 + 1e-9},
      {Op::tgamma, -2 + 1e-9},
      {Op::tgamma, 170},
      {Op::exp, 709},
      {Op::expm1, -60},
      {Op::expm1, 1e-300},
      {Op::erfc, 20},
      {Op::erfc, 26},
      {Op::erfc, 28},
      {Op::pow, 0.999999, 1e6},
      {Op::tanh, 300},
      {Op::atan, 1e200},
      {Op::asinh, 1e200},
      {Op::acosh, 1e200},
      {Op::hypot, 1e300, 1e290},
      {Op::atan2, 1e-200, 1e200},
      {Op::atan2, 1e200, 1e-10},
      {Op::atan2, 1e-300, 1e-301},
      {Op::fmod, 1e6 + 1e-9, 0.5},
      {Op::remainder, 1e6 - 1e-9, 0.5},
      {Op::modulo, 1e6 + 1e-9, 0.5},
      {Op::modulo, 1e6 - 1e-9, -0.5},
      {Op::erfcx, 29},
      {Op::erfcx, 31},
      {Op::erfcx, 1e8},
      {Op::csqrt_re, -1, 1e-30},
      {Op::csqrt_im, 1, 1e-30},
      {Op::ctanh_re, 1e-30, 1},
      {Op::modf, next_up(7.0)},
      {Op::atan, 1e-310},
      {Op::sin, 1e-310},
  };
  for (const Zone& z : zones) {
    const Gradient found = conditions(z.op, z.a, z.b, z.c, evaluate(z.op, z.a, z.b, z.c));
    for (int k = 0; k < arity(z.op); ++k) {
      const double expected = reference_condition(z.op, {z.a, z.b, z.c}, k);
      EXPECT_NEAR(found[k], expected, 1e-8 * expected + 1e-200) << name(z.op) << " " << z.a << " " << z.b << " " << k;
    }
  }
}

TEST(Conditions, AreInfiniteWhereOnlyTheResultIsZero) {
  EXPECT_EQ(conditions(Op::fadd, 1, -1, 0, 0)[0], INFINITY);
  EXPECT_EQ(conditions(Op::fsub, 1, 1, 0, 0)[1], INFINITY);
  EXPECT_EQ(conditions(Op::fma, 1, 1, -1, 0)[2], INFINITY);
  EXPECT_EQ(conditions(Op::log, 1, 0, 0, 0)[0], INFINITY);
  EXPECT_EQ(conditions(Op::acos, 1, 0, 0, 0)[0], INFINITY);
  EXPECT_EQ(conditions(Op::fmod, 6, 3, 0, 0)[0], INFINITY);
  EXPECT_EQ(conditions(Op::lgamma, 2, 0, 0, 0)[0], INFINITY);
}

TEST(Conditions, HaveTheirLimitWhereOperandAndResultVanishTogether) {
  for (const Op op :
       {Op::sin, Op::tan, Op::asin, Op::atan, Op::sinh, Op::tanh, Op::asinh, Op::atanh, Op::expm1, Op::log1p, Op::erf})
    EXPECT_EQ(conditions(op, 0, 0, 0, 0)[0], 1) << name(op);
  EXPECT_EQ(conditions(Op::atan2, 0, 1, 0, 0)[0], 1);
  EXPECT_EQ(conditions(Op::fadd, 0, 0, 0, 0)[0], 0);
}

TEST(Stability, OfAnOperationDeclaredStableIsNeverExceeded) {
  numeric::Rng rng(3);
  for (const Op op : all_operations()) {
    if (potentially_unstable(op))
      continue;
    for (int i = 0; i < 2000; ++i) {
      const Operands x = sample(op, rng);
      for (const double condition : conditions(op, x[0], x[1], x[2], evaluate(op, x[0], x[1], x[2])))
        ASSERT_LE(condition, 1 + 1e-12) << name(op) << " " << x[0] << " " << x[1];
    }
  }
}

TEST(Stability, IsDeniedToEveryOperationOfThePaperThatLacksIt) {
  for (const Op op : {Op::fadd, Op::fsub, Op::sin, Op::cos, Op::tan, Op::asin, Op::acos, Op::sinh, Op::cosh, Op::exp,
                      Op::pow, Op::log, Op::log10})
    EXPECT_TRUE(potentially_unstable(op)) << name(op);
  for (const Op op : {Op::fmul, Op::fdiv, Op::atan, Op::atan2, Op::tanh, Op::sqrt})
    EXPECT_FALSE(potentially_unstable(op)) << name(op);
}

TEST(Digamma, IsThatOfMpfr) {
  numeric::Rng rng(4);
  for (int i = 0; i < 20000; ++i) {
    const double x = i % 3 == 0   ? rng.uniform(-50, 50)
                     : i % 3 == 1 ? rng.uniform(0, 3)
                                  : std::ldexp(1 + rng.uniform(), static_cast<int>(rng.below(400)) - 200);
    BigFloat reference(x, 53);
    mpfr_digamma(reference.raw(), reference.raw(), MPFR_RNDN);
    const double expected = reference.to_double();
    // Between the poles an ulp of x is worth slope * ulp.
    const double slack = x < 0 ? 1e-15 * std::fabs(x) * (1 + expected * expected) : 2e-15;
    ASSERT_NEAR(digamma(x), expected, 1e-13 * std::fabs(expected) + slack) << x;
  }
  EXPECT_TRUE(std::isinf(digamma(0)));
  EXPECT_TRUE(std::isinf(digamma(-4)));
}

} // namespace
} // namespace faultline::ops
