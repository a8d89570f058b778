// The error of one operation: never below the true one, and nothing where it is exact.
#include "bound/local_error.h"

#include "bound/extension.h"
#include "numeric/bigfloat.h"
#include "numeric/random.h"
#include "ops/table.h"

#include <gtest/gtest.h>

namespace faultline::bound {
namespace {

using numeric::BigFloat;
using numeric::Format;
using ops::Op;

RoundedOperand floats(const Interval& values, Format format = Format::binary64) {
  return {values, grain_of_floats(values, format), false};
}
RoundedOperand constant(double value) { return {Interval::of(value), grain_of_constant(value), true}; }

double error_of(Op op, const RoundedOperand& a, const RoundedOperand& b, Format format = Format::binary64) {
  const RoundedOperand operands[] = {a, b};
  return local_error(op, format, extension(op, {a.values, b.values}, false), operands).error;
}

TEST(LocalError, IsNothingWhereTheOperationIsExact) {
  EXPECT_EQ(error_of(Op::fsub, floats({1, 2}), floats({1, 2})), 0) << "Sterbenz";
  EXPECT_EQ(error_of(Op::fsub, floats({1.5, 2}), constant(1)), 0);
  EXPECT_EQ(error_of(Op::fmul, floats({-7, 7}), constant(0.25)), 0x1p-1074) << "a power of two, but for subnormals";
  EXPECT_EQ(error_of(Op::fmul, floats({1, 7}), constant(0.25)), 0);
  EXPECT_EQ(error_of(Op::fdiv, floats({1, 7}), constant(8)), 0);
  const RoundedOperand small{{-100, 100}, 0, false}; // integers
  EXPECT_EQ(error_of(Op::fmul, small, small), 0);
  EXPECT_EQ(error_of(Op::fadd, small, small), 0);
}

TEST(LocalError, IsHalfAUnitOfTheLargestResult) {
  EXPECT_EQ(error_of(Op::fmul, floats({1, 1.5}), floats({1, 1.25})), 0x1p-53);
  EXPECT_EQ(error_of(Op::fadd, floats({0.1, 1}), floats({0.1, 1})), 0x1p-53) << "at 2 as below";
  EXPECT_EQ(error_of(Op::fadd, floats({1, 3}), floats({0, 0x1p-60})), 0x1p-60) << "not more than what is added";
  EXPECT_EQ(
      error_of(Op::fmul, floats({1, 1.5}, Format::binary32), floats({1, 1.25}, Format::binary32), Format::binary32),
      0x1p-24);
}

// Of products and sums of floats of few digits exactness is common, so that a claim of it is put to the test.
TEST(LocalError, IsNeverBelowTheTrueError) {
  numeric::Rng rng(3);
  const auto few_digits = [&] { return std::ldexp(double(int64_t(rng.below(64)) - 32), int(rng.below(60)) - 30); };
  const auto many_digits = [&] { return (rng.uniform() - 0.5) * std::exp2(double(rng.below(60)) - 30); };
  for (int i = 0; i < 100'000; ++i) {
    const bool few = rng.coin();
    double ends[4];
    for (double& end : ends)
      end = few ? few_digits() : many_digits();
    const Interval a{std::min(ends[0], ends[1]), std::max(ends[0], ends[1])};
    const Interval b{std::min(ends[2], ends[3]), std::max(ends[2], ends[3])};
    for (const Op op : {Op::fadd, Op::fsub, Op::fmul, Op::fdiv}) {
      if (op == Op::fdiv && b.has(0))
        continue;
      const double most = error_of(op, floats(a), floats(b));
      for (const double x : {a.low, a.high, a.low / 2 + a.high / 2})
        for (const double y : {b.low, b.high}) {
          BigFloat exact(512);
          const BigFloat left(x, 64), right(y, 64);
          ops::evaluate(op, exact.raw(), left.raw(), right.raw(), right.raw());
          mpfr_sub_d(exact.raw(), exact.raw(), ops::evaluate(op, x, y), MPFR_RNDN);
          EXPECT_LE(std::fabs(mpfr_get_d(exact.raw(), MPFR_RNDA)), most) << x << " " << ops::name(op) << " " << y;
        }
    }
  }
}

// Large exponents, bases around 1 and far from it: results of all sizes, subnormal ones too.
TEST(LocalError, OfRepeatedMultiplicationIsNeverBelowTheTrueError) {
  numeric::Rng rng(5);
  int bounded = 0, subnormal = 0;
  for (int i = 0; i < 20'000; ++i) {
    const int n = int(rng.below(uint64_t(1) << (1 + rng.below(22)))) * (rng.coin() ? 1 : -1);
    // A result of up to 2^149 in magnitude, or below 1 as far.
    const auto base = float(std::exp2((rng.uniform() - 0.5) * 298 / std::max(1, std::abs(n)))) * (rng.coin() ? 1 : -1);
    const double most = error_of(Op::powi, floats(Interval::of(base), Format::binary32), constant(n), Format::binary32);
    const float computed = ops::evaluate32(Op::powi, base, float(n), 0);
    if (!std::isfinite(most) || !std::isfinite(computed))
      continue;
    BigFloat exact(600);
    mpfr_set_d(exact.raw(), base, MPFR_RNDN);
    mpfr_pow_si(exact.raw(), exact.raw(), n, MPFR_RNDN);
    mpfr_sub_d(exact.raw(), exact.raw(), computed, MPFR_RNDN);
    ASSERT_LE(std::fabs(mpfr_get_d(exact.raw(), MPFR_RNDA)), most) << base << " ^ " << n;
    ++bounded;
    subnormal += std::fabs(computed) < 0x1p-126f;
  }
  EXPECT_GT(bounded, 10'000);
  EXPECT_GT(subnormal, 100);
  EXPECT_LT(error_of(Op::powi, floats({1, 1.0000001}), constant(1'000'000)), 2e-10) << "1.2e-10, to first order";
  EXPECT_FALSE(std::isfinite(error_of(Op::powi, floats({1, 1}, Format::binary32), constant(1 << 24), Format::binary32)))
      << "all digits may be lost";
  EXPECT_FALSE(std::isfinite(error_of(Op::powi, floats({0x1p-200, 1}), constant(-6)))) << "the power underflows";
}

} // namespace
} // namespace faultline::bound
