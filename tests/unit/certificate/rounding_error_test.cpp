// The error of one operation: never below the true one, and 0 only where results are floats.
#include "certificate/functions.h"
#include "certificate/rounding_error.h"
#include "numeric/bigfloat.h"
#include "numeric/random.h"
#include "ops/table.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace faultline::certificate {
namespace {

using numeric::Format;
using ops::Op;

double double_of(const Real& real) { return arf_get_d(real.raw(), ARF_RND_UP); }

// Floats of few digits make exact results common, those of many make them rare; small ones underflow.
float any_float(numeric::Rng& rng) {
  const int exponent = rng.below(4) == 0 ? -140 + int(rng.below(30)) : int(rng.below(40)) - 20;
  const auto digits = int64_t(rng.below(rng.below(2) ? 64 : 1 << 24));
  return std::ldexp(float(rng.below(2) ? digits : -digits), exponent - 20);
}

TEST(RoundingError, IsNeverBelowTheTrueError) {
  numeric::Rng rng(1);
  const Functions functions(64);
  int exact_results = 0;
  for (int i = 0; i < 200'000; ++i) {
    const Op op = std::array{Op::fadd, Op::fsub, Op::fmul, Op::fdiv, Op::sqrt, Op::fma, Op::ldexp}[rng.below(7)];
    Range ranges[3];
    RoundedOperand operands[3];
    float at[3];
    for (int k = 0; k < 3; ++k) {
      const float end = any_float(rng);
      at[k] = any_float(rng);
      if (op == Op::ldexp && k == 1)
        at[k] = float(rng.below(60)) - 30;
      const bool single = rng.below(2) || (op == Op::ldexp && k == 1);
      ranges[k] = single ? Range(double(at[k])) : Range{Real(std::min(at[k], end)), Real(std::max(at[k], end))};
      operands[k] = {&ranges[k], single ? grain_of(ranges[k].low) : grain_of_floats(ranges[k], Format::binary32),
                     single};
    }
    const Range* values[3] = {&ranges[0], &ranges[1], &ranges[2]};
    const MaybeRange result = functions.value(op, values, false);
    if (!result)
      continue;
    const auto rounded = rounding_error(op, Format::binary32, *result, operands, functions.rounding());
    ASSERT_TRUE(rounded);
    const float computed = ops::evaluate32(op, at[0], at[1], at[2]);
    if (!std::isfinite(computed))
      continue;
    numeric::BigFloat exact(600);
    const numeric::BigFloat a(at[0], 64), b(at[1], 64), c(at[2], 64);
    ops::evaluate(op, exact.raw(), a.raw(), b.raw(), c.raw());
    mpfr_sub_d(exact.raw(), exact.raw(), double(computed), MPFR_RNDN);
    ASSERT_LE(std::fabs(mpfr_get_d(exact.raw(), MPFR_RNDA)), double_of(rounded->error))
        << ops::name(op) << " " << at[0] << " " << at[1] << " " << at[2];
    exact_results += rounded->error.sign() == 0;
    if (rounded->grain && computed != 0 && *rounded->grain < 1000)
      ASSERT_EQ(std::fmod(double(computed), std::ldexp(1.0, int(*rounded->grain))), 0) << ops::name(op);
  }
  EXPECT_GT(exact_results, 10'000);
}

TEST(RoundingError, OfRepeatedMultiplicationIsNeverBelowTheTrueError) {
  numeric::Rng rng(3);
  const Functions functions(64);
  int known = 0;
  for (int i = 0; i < 20'000; ++i) {
    const int n = int(rng.below(uint64_t(1) << (1 + rng.below(22)))) * (rng.below(2) ? 1 : -1);
    const auto base = float(std::exp2((rng.uniform() - 0.5) * 298 / std::max(1, std::abs(n))));
    const Range ranges[2] = {Range(double(base)), Range(double(n))};
    const RoundedOperand operands[2] = {{&ranges[0], grain_of(ranges[0].low), false}, {&ranges[1], 0, true}};
    const Range* values[3] = {&ranges[0], &ranges[1], nullptr};
    const MaybeRange result = functions.value(Op::powi, values, false);
    const float computed = ops::evaluate32(Op::powi, base, float(n), 0);
    if (!result || !std::isfinite(computed))
      continue;
    const auto rounded = rounding_error(Op::powi, Format::binary32, *result, operands, functions.rounding());
    if (!rounded)
      continue;
    numeric::BigFloat exact(600);
    mpfr_set_d(exact.raw(), base, MPFR_RNDN);
    mpfr_pow_si(exact.raw(), exact.raw(), n, MPFR_RNDN);
    mpfr_sub_d(exact.raw(), exact.raw(), computed, MPFR_RNDN);
    ASSERT_LE(std::fabs(mpfr_get_d(exact.raw(), MPFR_RNDA)), double_of(rounded->error)) << base << " ^ " << n;
    ++known;
  }
  EXPECT_GT(known, 10'000);
}

TEST(RoundingError, FloatsAboveAreTheNextOnes) {
  numeric::Rng rng(2);
  for (int i = 0; i < 10'000; ++i) {
    const float at = any_float(rng), next = std::nextafterf(at, INFINITY);
    EXPECT_TRUE(is_float(Real(double(at)), Format::binary32));
    EXPECT_EQ(double_of(float_above(Real(double(at)), Format::binary32)), double(next));
    EXPECT_FALSE(is_float(Real((double(at) + double(next)) / 2), Format::binary32));
  }
  EXPECT_EQ(double_of(float_above(Real(0.0), Format::binary64)), 0x1p-1074);
  EXPECT_EQ(double_of(largest(Format::binary64)), std::numeric_limits<double>::max());
}

TEST(RoundingError, ZeroStaysAMultipleOfEverything) {
  const Rounding rounding(64);
  const Range zero;
  Grain grain = grain_of(zero.low);
  for (int i = 0; i < 30; ++i) {
    const RoundedOperand operands[2] = {{&zero, grain, true}, {&zero, grain, true}};
    grain = rounding_error(Op::fmul, Format::binary64, zero, operands, rounding)->grain;
    ASSERT_EQ(grain, grain_of(zero.low)) << i;
  }
}

// erfc(1e22), say, has an exponent that is no integer of the machine.
TEST(RoundingError, BelowAllExponentsTheUnitIsTheSmallestNumber) {
  Real tiny = Real::power_of_two(std::numeric_limits<slong>::min());
  arf_mul(tiny.raw(), tiny.raw(), tiny.raw(), ARF_PREC_EXACT, ARF_RND_DOWN);
  EXPECT_EQ(unit_at(tiny, Format::binary64), Real::power_of_two(-1074));
  EXPECT_EQ(unit_at(tiny, Format::binary32), Real::power_of_two(-149));
}

TEST(RoundingError, OfWhatNobodyKnowsIsNotKnown) {
  const Range one(1.0);
  const RoundedOperand operands[3] = {{&one, 0, false}, {&one, 0, false}, {&one, 0, false}};
  EXPECT_FALSE(rounding_error(Op::lgamma, Format::binary64, one, operands, Rounding(64)));
  EXPECT_TRUE(rounding_error(Op::exp, Format::binary64, one, operands, Rounding(64)));
}

} // namespace
} // namespace faultline::certificate
