// What is said of a high-precision value's correct bits, against many more bits: never more than are there, and not so
// few that a good answer would be thrown away.
#include "numeric/bigfloat.h"
#include "numeric/random.h"
#include "ops/error_bound.h"
#include "ops/table.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace faultline::ops {
namespace {

using numeric::BigFloat;

// A value at working precision with its error bound, and at a precision that stands for the truth.
struct Pair {
  BigFloat value, truth;
  ErrorExponent error = no_error;
};

constexpr long truth_precision = 2000;

Pair exact(long double value, long precision = 128) {
  return {BigFloat(value, precision), BigFloat(value, truth_precision), no_error};
}

Pair apply(Op op, std::vector<const Pair*> operands) {
  const long precision = operands[0]->value.precision();
  Pair result{BigFloat(precision), BigFloat(truth_precision), no_error};
  mpfr_srcptr low[3] = {}, high[3] = {};
  std::vector<Operand> known;
  for (size_t i = 0; i < operands.size(); ++i) {
    low[i] = operands[i]->value.raw();
    high[i] = operands[i]->truth.raw();
    known.push_back({low[i], operands[i]->error});
  }
  evaluate(op, result.truth.raw(), high[0], high[1], high[2]);
  mpfr_clear_inexflag();
  evaluate(op, result.value.raw(), low[0], low[1], low[2]);
  const bool inexact = mpfr_inexflag_p() != 0;
  result.error = error_exponent(op, result.value.raw(), inexact, known);
  return result;
}
Pair apply(Op op, const Pair& a) { return apply(op, {&a}); }
Pair apply(Op op, const Pair& a, const Pair& b) { return apply(op, {&a, &b}); }

int64_t claimed(const Pair& pair) {
  return std::min<int64_t>(good_bits(pair.value.raw(), pair.error), truth_precision);
}

// Leading bits that really are right; many if all are.
int64_t real(const Pair& pair) {
  BigFloat difference(truth_precision);
  mpfr_sub(difference.raw(), pair.value.raw(), pair.truth.raw(), MPFR_RNDN);
  if (difference.is_zero())
    return truth_precision;
  return pair.value.is_zero() ? 0 : mpfr_get_exp(pair.value.raw()) - mpfr_get_exp(difference.raw());
}

constexpr Op usual[] = {Op::fadd,    Op::fsub,     Op::fmul,     Op::fdiv,    Op::fma,     Op::sqrt,   Op::fneg,
                        Op::fabs,    Op::fmin,     Op::hypot,    Op::cbrt,    Op::exp,     Op::expm1,  Op::log,
                        Op::log1p,   Op::pow,      Op::sin,      Op::cos,     Op::tan,     Op::asin,   Op::acos,
                        Op::atan,    Op::atan2,    Op::sinh,     Op::tanh,    Op::asinh,   Op::acosh,  Op::atanh,
                        Op::erf,     Op::erfc,     Op::tgamma,   Op::lgamma,  Op::j0,      Op::modulo, Op::cexp_re,
                        Op::clog_re, Op::csqrt_re, Op::csqrt_im, Op::ctan_re, Op::ctanh_im};

bool of_ordinary_size(const BigFloat& value) {
  return value.is_finite() && (value.is_zero() || std::abs(mpfr_get_exp(value.raw())) < 40);
}

TEST(GoodBits, OfRandomChainsAreThere) {
  constexpr int64_t few = 8;
  numeric::Rng rng(3);
  int checked = 0, cancelled = 0;
  for (int chain = 0; chain < 400; ++chain) {
    std::vector<Pair> values;
    for (int i = 0; i < 4; ++i)
      values.push_back(exact(rng.uniform(-3, 3)));
    for (int step = 0; step < 24; ++step) {
      const Op op = usual[rng.below(std::size(usual))];
      std::vector<const Pair*> operands;
      for (int i = 0; i < arity(op); ++i)
        operands.push_back(&values[values.size() - 1 - rng.below(std::min<size_t>(values.size(), 6))]);
      Pair made = apply(op, operands);
      if (!of_ordinary_size(made.value) || !of_ordinary_size(made.truth))
        continue;
      if (claimed(made) > 0) {
        ++checked;
        EXPECT_LE(claimed(made), real(made) + few) << name(op) << " in chain " << chain << ", step " << step;
      }
      cancelled += claimed(made) < 120;
      values.push_back(std::move(made));
    }
  }
  EXPECT_GT(checked, 3000);
  EXPECT_GT(cancelled, 100) << "the chains are too tame to show anything";
}

TEST(GoodBits, OfWellConditionedChainsAreNotGivenAway) {
  numeric::Rng rng(5);
  constexpr Op tame[] = {Op::fadd, Op::fmul, Op::fdiv, Op::sqrt, Op::cbrt, Op::hypot, Op::atan, Op::asinh};
  for (int chain = 0; chain < 200; ++chain) {
    Pair value = exact(rng.uniform(0.5, 2));
    for (int step = 0; step < 30; ++step) {
      const Op op = tame[rng.below(std::size(tame))];
      const Pair other = exact(rng.uniform(0.5, 2));
      value = arity(op) == 1 ? apply(op, value) : apply(op, value, other);
    }
    EXPECT_GE(claimed(value), 128 - 50); // at most a bit and a half an operation
    EXPECT_LE(claimed(value), real(value) + 6);
  }
}

TEST(GoodBits, OfASumOfManyTermsAreThere) {
  Pair sum = exact(0);
  for (int i = 1; i < 1000; ++i)
    sum = apply(Op::fadd, sum, apply(Op::fdiv, exact(1), exact(i)));
  EXPECT_LE(claimed(sum), real(sum) + 10);
  EXPECT_GE(claimed(sum), 110);
}

TEST(GoodBits, OfTotalCancellationAreNone) {
  const Pair third = apply(Op::fdiv, exact(1), exact(3));
  const Pair again = apply(Op::fmul, apply(Op::fdiv, exact(2), exact(3)), exact(0.5));
  const Pair nothing = apply(Op::fsub, third, again);
  EXPECT_LE(claimed(nothing), 0);
  EXPECT_LE(claimed(apply(Op::fmul, nothing, exact(1e300))), 0);
  EXPECT_LE(claimed(apply(Op::fdiv, exact(1), nothing)), 0);
  EXPECT_LE(claimed(apply(Op::sqrt, nothing)), 0);
  EXPECT_LE(claimed(apply(Op::log, nothing)), 0);
}

TEST(GoodBits, OfAnExponentialOfNothingAreThere) {
  const Pair third = apply(Op::fdiv, exact(1), exact(3));
  const Pair again = apply(Op::fmul, apply(Op::fdiv, exact(7), exact(3)), apply(Op::fdiv, exact(1), exact(7)));
  const Pair nothing = apply(Op::fsub, third, again);
  for (const Op op : {Op::exp, Op::cos, Op::cosh, Op::erfc, Op::j0}) {
    const Pair one = apply(op, nothing);
    EXPECT_GE(claimed(one), 100) << name(op);
    EXPECT_LE(claimed(one), real(one) + 4) << name(op);
  }
  EXPECT_LE(claimed(apply(Op::sin, nothing)), 0);
  EXPECT_LE(claimed(apply(Op::expm1, nothing)), 0);
}

TEST(GoodBits, OfExactOperationsAreAll) {
  const Pair a = exact(0.1), b = exact(0.7);
  for (const Pair& value : {apply(Op::fadd, a, b), apply(Op::fmul, a, b), apply(Op::fsub, a, a), apply(Op::fneg, a),
                            apply(Op::floor, b), apply(Op::sqrt, exact(4)), apply(Op::exp, exact(0)),
                            apply(Op::fdiv, exact(3), exact(4)), apply(Op::cos, exact(0))}) {
    EXPECT_EQ(value.error, no_error);
    EXPECT_EQ(claimed(value), truth_precision);
  }
}

TEST(GoodBits, OfOneMinusACosineComeWithThePrecision) {
  auto one_minus_cos = [](long precision) {
    return apply(Op::fsub, exact(1, precision), apply(Op::cos, exact(1e-100, precision)));
  };
  EXPECT_LE(claimed(one_minus_cos(128)), 0);
  EXPECT_LE(claimed(one_minus_cos(256)), 0);
  const Pair enough = one_minus_cos(1024);
  EXPECT_GT(claimed(enough), 300);
  EXPECT_LE(claimed(enough), real(enough) + 2);
}

// Arguments so near a singularity that a double does not see the distance.
struct Edge {
  Op op;
  long double centre;
  int exponent; // of the distance
};
void PrintTo(const Edge& edge, std::ostream* stream) { *stream << name(edge.op); }

class Singularity : public testing::TestWithParam<Edge> {};

TEST_P(Singularity, GoodBitsAreThereRightBesideIt) {
  // centre + sqrt(3) * 2^exponent, known to 128 bits and no more
  const Pair step = apply(Op::fmul, apply(Op::sqrt, exact(3)),
                          exact(std::ldexp(1.0L, GetParam().exponent) * (GetParam().op == Op::acosh ? 1 : -1)));
  const Pair near = apply(Op::fadd, exact(GetParam().centre), step);
  const Pair made = apply(GetParam().op, near);
  ASSERT_TRUE(made.value.is_finite());
  EXPECT_LE(claimed(made), real(made) + 8);
}

INSTANTIATE_TEST_SUITE_P(All, Singularity,
                         testing::Values(Edge{Op::asin, 1, -100}, Edge{Op::acos, 1, -100}, Edge{Op::atanh, 1, -100},
                                         Edge{Op::acosh, 1, -100}, Edge{Op::log, 1, -100}, Edge{Op::lgamma, 1, -100},
                                         Edge{Op::acos, 1, -40}),
                         [](const auto& info) {
                           return std::string(name(info.param.op)) + std::to_string(-info.param.exponent);
                         });

TEST(GoodBits, OfATangentBesideItsPoleAreThere) {
  BigFloat half_pi(128);
  mpfr_const_pi(half_pi.raw(), MPFR_RNDN);
  mpfr_div_2ui(half_pi.raw(), half_pi.raw(), 1, MPFR_RNDN);
  Pair near{half_pi, BigFloat(truth_precision), -127}; // as atan of something would leave it
  mpfr_const_pi(near.truth.raw(), MPFR_RNDN);
  mpfr_div_2ui(near.truth.raw(), near.truth.raw(), 1, MPFR_RNDN);
  mpfr_sub(near.truth.raw(), near.truth.raw(), BigFloat(0x1p-130L, 64).raw(), MPFR_RNDN);
  const Pair made = apply(Op::tan, near);
  EXPECT_LE(claimed(made), real(made) + 8);
}

TEST(HugeArguments, OfPeriodicFunctionsAreUnknownAndTakeNoMemory) {
  BigFloat huge(128), one(1.0, 128), result(128);
  mpfr_set_ui_2exp(huge.raw(), 1, mpfr_exp_t(1) << 45, MPFR_RNDN);
  for (const Op op : {Op::sin, Op::cos, Op::tan, Op::fmod, Op::remainder, Op::modulo, Op::csin_re, Op::j0}) {
    evaluate(op, result.raw(), huge.raw(), one.raw(), nullptr);
    EXPECT_TRUE(result.is_nan()) << name(op);
  }
  mpfr_set_ui_2exp(huge.raw(), 1, 16384, MPFR_RNDN); // beyond x87's largest
  evaluate(Op::sin, result.raw(), huge.raw(), nullptr, nullptr);
  EXPECT_FALSE(result.is_nan());
}

// sqrt(b^2 - t) - b for a t that no working precision sees beside b^2, where b^2 is a subnormal double: not zero.
TEST(ErrorBound, OfTheRootOfATinyNumberIsNotRoundedAway) {
  const Pair b = exact(2e-155L), tiny = exact(1e-240L);
  const Pair rest = apply(Op::fsub, apply(Op::fmul, b, b), apply(Op::fmul, tiny, tiny));
  const Pair zero = apply(Op::fsub, apply(Op::sqrt, rest), b);
  ASSERT_TRUE(zero.value.is_zero());
  ASSERT_FALSE(zero.truth.is_zero());
  EXPECT_GE(zero.error, mpfr_get_exp(zero.truth.raw()));
}

} // namespace
} // namespace faultline::ops
