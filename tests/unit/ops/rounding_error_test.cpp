// The error of one operation, in both arithmetics: never below the true one, and 0 only where results are floats.
#include "enclosing.h"
#include "ops/rounding_error.h"

#include <fmt/format.h>
#include <functional>
#include <gnu/libc-version.h>
#include <gtest/gtest.h>
#include <string_view>

namespace faultline::ops {
namespace {

using numeric::Format;

template <class T> RoundedOperand<T> floats(const T& values, Format format = Format::binary64) {
  return {&values, grain_of_floats(values, format), false};
}
template <class T> RoundedOperand<T> constant(const T& values) { return {&values, grain_of(values.low), true}; }

template <class T>
double error_of(Op op, const RoundedOperand<T>& a, const RoundedOperand<T>& b, Format format = Format::binary64) {
  const RoundedOperand<T> operands[] = {a, b};
  return double_above(rounding_error<T>(op, format, range_of<T>(op, {a.values, b.values}, false), operands).error);
}

template <class T> using ErrorOf = std::function<Rounded<T>(Op, Format, const T&, std::span<const RoundedOperand<T>>)>;

double rounded_to(double x, Format format) { return format == Format::binary32 ? double(float(x)) : x; }

long double computed(Op op, const Operands& x, Format format) {
  if (op == Op::fptrunc && format == Format::binary32)
    return float(x[0]);
  switch (format) {
  case Format::binary32:
    return evaluate32(op, float(x[0]), float(x[1]), float(x[2]));
  case Format::binary64:
    return evaluate(op, x[0], x[1], x[2]);
  default:
    return evaluate80(op, x[0], x[1], x[2]);
  }
}

// What a claim says of one execution. Empty: it holds.
template <class T> std::string false_claim(Op op, Format format, const Operands& x, const Rounded<T>& claim) {
  const long double result = computed(op, x, format);
  BigFloat difference =
      exact(op, x, is_arithmetic(op) || op == Op::ldexp ? 2'200 : 300); // exactly, if it is a number of so many bits
  if (!std::isfinite(result) || is_beyond_mpfr())
    return "";
  const BigFloat run(result, 64);
  mpfr_sub(difference.raw(), difference.raw(), run.raw(), MPFR_RNDA);
  mpfr_abs(difference.raw(), difference.raw(), MPFR_RNDN);
  if (!holds(T{0, claim.error}, difference))
    return fmt::format("{}({}, {}, {}) of {} is off by {:.17g}, not by {:.17g}", name(op), x[0], x[1], x[2],
                       numeric::info(format).name, difference.to_double(), double_above(claim.error));
  if (result != 0 && claim.grain > -20'000 && claim.grain < 20'000 &&
      std::fmod(result, std::ldexp(1.0L, int(claim.grain))) != 0)
    return fmt::format("{}({}, {}, {}) of {} is no multiple of 2^{}", name(op), x[0], x[1], x[2],
                       numeric::info(format).name, claim.grain);
  return "";
}

// Floats of few digits make exact results common, those of many make them rare.
double few_digits(double x, numeric::Rng& rng) {
  if (x == 0 || !std::isfinite(x))
    return x;
  const double unit = std::ldexp(1.0, std::max(std::ilogb(x) - int(rng.below(8)), -1070));
  return std::rint(x / unit) * unit;
}

struct Verdict {
  std::string falsehood;
  int known = 0, exact = 0; // of 2,000 boxes
};

template <class T> Verdict examine(Op op, Format format, const ErrorOf<T>& error_of) {
  numeric::Rng rng(uint64_t(op) * 3 + uint64_t(format) + 1);
  Verdict verdict;
  for (int i = 0; i < 2'000 && verdict.falsehood.empty(); ++i) {
    const bool few = rng.coin();
    const Format of_operands = op == Op::fptrunc ? Format::binary64 : op == Op::fpext ? Format::binary32 : format;
    const OperandBox box = operand_box(op, rng, [&](double x) {
      const double rounded = rounded_to(few ? few_digits(x, rng) : x, of_operands);
      return std::isfinite(rounded) ? rounded : x > 0 ? 1.0 : -1.0;
    });
    const std::array<T, 3> ranges = ranges_of<T>(box);
    RoundedOperand<T> operands[3];
    for (size_t k = 0; k < 3; ++k)
      operands[k] = ranges[k].single() ? constant(ranges[k]) : floats(ranges[k], of_operands);
    const T range = range_of(op, pointers_to(ranges), false);
    if (!range.known())
      continue;
    const Rounded<T> claim = error_of(op, format, range, std::span(operands).first(size_t(arity(op))));
    if (!numeric::is_finite(claim.error))
      continue;
    ++verdict.known;
    verdict.exact += claim.error == 0;
    for (const Operands& point : box.points)
      if (verdict.falsehood.empty())
        verdict.falsehood = false_claim(op, format, point, claim);
  }
  return verdict;
}

template <class T> class RoundingError : public testing::Test {};
using Arithmetics = testing::Types<Interval, Range>;
TYPED_TEST_SUITE(RoundingError, Arithmetics);

TYPED_TEST(RoundingError, IsNeverBelowTheTrueError) {
  for (const Op op : all_operations()) {
    if (arity(op) == 0 || is_decision(op))
      continue;
    for (const Format format : {Format::binary32, Format::binary64, Format::extended80}) {
      const Verdict verdict = examine<TypeParam>(op, format, rounding_error<TypeParam>);
      EXPECT_EQ(verdict.falsehood, "");
      const bool is_bounded = is_basic(op) || std::isfinite(libm_ulps(op, format)) || has(op, trait::exact) ||
                              rounding_of(op) || op == Op::fma || op == Op::powi || op == Op::ldexp;
      if (is_bounded && !rounds_on_purpose(op))
        EXPECT_GT(verdict.known, 400) << name(op);
      if (is_basic(op) && op != Op::sqrt)
        EXPECT_GT(verdict.exact, 50) << name(op);
    }
  }
}

// Errors below an ulp are those of one version of the library.
TEST(LibmErrors, AreWiderWithAnUnknownVersion) {
  const bool is_known = std::string_view(gnu_get_libc_version()) == "2.36";
  EXPECT_EQ(libm_ulps(Op::exp, Format::binary64), is_known ? 0.52 : 2);
}

// The smallest change that makes a claim false: errors of correctly rounded operations come close to half a unit.
TYPED_TEST(RoundingError, FailsIfItIsTooSmall) {
  const ErrorOf<TypeParam> planted = [](Op op, Format format, const TypeParam& result, const auto& operands) {
    Rounded<TypeParam> rounded = rounding_error<TypeParam>(op, format, result, operands);
    rounded.error = (TypeParam::of(0.9) * TypeParam::of(rounded.error)).high;
    return rounded;
  };
  for (const Op op : {Op::fadd, Op::fsub, Op::fmul, Op::fdiv, Op::sqrt, Op::fma, Op::fptrunc})
    EXPECT_NE(examine<TypeParam>(op, Format::binary32, planted).falsehood, "") << name(op);
}

TYPED_TEST(RoundingError, FailsIfAGrainIsTooCoarse) {
  const ErrorOf<TypeParam> planted = [](Op op, Format format, const TypeParam& result, const auto& operands) {
    Rounded<TypeParam> rounded = rounding_error<TypeParam>(op, format, result, operands);
    ++rounded.grain;
    return rounded;
  };
  for (const Op op : {Op::fadd, Op::fsub, Op::fmul, Op::fdiv, Op::sqrt, Op::fma, Op::exp, Op::floor, Op::ldexp})
    EXPECT_NE(examine<TypeParam>(op, Format::binary64, planted).falsehood, "") << name(op);
}

TYPED_TEST(RoundingError, IsNothingWhereTheOperationIsExact) {
  using T = TypeParam;
  const T one_to_two{1, 2}, upper{1.5, 2}, one = T::of(1), seven{-7, 7}, positive{1, 7}, quarter = T::of(0.25),
                                           eight = T::of(8), integers{-100, 100};
  EXPECT_EQ(error_of(Op::fsub, floats(one_to_two), floats(one_to_two)), 0) << "Sterbenz";
  EXPECT_EQ(error_of(Op::fsub, floats(upper), constant(one)), 0);
  EXPECT_EQ(error_of(Op::fmul, floats(seven), constant(quarter)), 0x1p-1074) << "a power of two, but for subnormals";
  EXPECT_EQ(error_of(Op::fmul, floats(positive), constant(quarter)), 0);
  EXPECT_EQ(error_of(Op::fdiv, floats(positive), constant(eight)), 0);
  const RoundedOperand<T> small{&integers, 0, false};
  EXPECT_EQ(error_of(Op::fmul, small, small), 0);
  EXPECT_EQ(error_of(Op::fadd, small, small), 0);
}

TYPED_TEST(RoundingError, IsHalfAUnitOfTheLargestResult) {
  using T = TypeParam;
  const T a{1, 1.5}, b{1, 1.25}, below_one{0.1, 1}, wide{1, 3}, tiny{0, 0x1p-60};
  EXPECT_EQ(error_of(Op::fmul, floats(a), floats(b)), 0x1p-53);
  EXPECT_EQ(error_of(Op::fadd, floats(below_one), floats(below_one)), 0x1p-53) << "at 2 as below";
  EXPECT_EQ(error_of(Op::fadd, floats(wide), floats(tiny)), 0x1p-60) << "not more than what is added";
  EXPECT_EQ(error_of(Op::fmul, floats(a, Format::binary32), floats(b, Format::binary32), Format::binary32), 0x1p-24);
}

// Large exponents, bases around 1 and far from it: results of all sizes, subnormal ones too.
TYPED_TEST(RoundingError, OfRepeatedMultiplicationIsNeverBelowTheTrueError) {
  using T = TypeParam;
  numeric::Rng rng(5);
  int bounded = 0, subnormal = 0;
  for (int i = 0; i < 20'000; ++i) {
    const int n = int(rng.below(uint64_t(1) << (1 + rng.below(22)))) * (rng.coin() ? 1 : -1);
    // A result of up to 2^149 in magnitude, or below 1 as far.
    const auto base = float(std::exp2((rng.uniform() - 0.5) * 298 / std::max(1, std::abs(n)))) * (rng.coin() ? 1 : -1);
    const T base_range = T::of(base), exponent = T::of(n);
    const double most = error_of(Op::powi, floats(base_range, Format::binary32), constant(exponent), Format::binary32);
    const float result = evaluate32(Op::powi, base, float(n), 0);
    if (!std::isfinite(most) || !std::isfinite(result))
      continue;
    BigFloat difference(600);
    mpfr_set_d(difference.raw(), base, MPFR_RNDN);
    mpfr_pow_si(difference.raw(), difference.raw(), n, MPFR_RNDN);
    mpfr_sub_d(difference.raw(), difference.raw(), result, MPFR_RNDN);
    ASSERT_LE(std::fabs(mpfr_get_d(difference.raw(), MPFR_RNDA)), most) << base << " ^ " << n;
    ++bounded;
    subnormal += std::fabs(result) < 0x1p-126f;
  }
  EXPECT_GT(bounded, 10'000);
  EXPECT_GT(subnormal, 100);
  const T near_one{1, 1.0000001}, one = T::of(1), million = T::of(1'000'000), too_many = T::of(1 << 24),
                                  down_to_tiny{0x1p-200, 1}, minus_six = T::of(-6);
  EXPECT_LT(error_of(Op::powi, floats(near_one), constant(million)), 2e-10) << "1.2e-10, to first order";
  EXPECT_FALSE(std::isfinite(error_of(Op::powi, floats(one, Format::binary32), constant(too_many), Format::binary32)))
      << "all digits may be lost";
  EXPECT_FALSE(std::isfinite(error_of(Op::powi, floats(down_to_tiny), constant(minus_six)))) << "the power underflows";
}

TYPED_TEST(RoundingError, ZeroStaysAMultipleOfEverything) {
  const TypeParam zero = TypeParam::of(0);
  Grain grain = grain_of_zero;
  for (int i = 0; i < 30; ++i) {
    const RoundedOperand<TypeParam> operands[2] = {{&zero, grain, true}, {&zero, grain, true}};
    grain = rounding_error<TypeParam>(Op::fmul, Format::binary64, zero, operands).grain;
    ASSERT_EQ(grain, grain_of_zero) << i;
  }
}

TYPED_TEST(RoundingError, OfAFunctionWithoutABoundIsInfinite) {
  const TypeParam one = TypeParam::of(1);
  EXPECT_FALSE(std::isfinite(error_of(Op::j0, floats(one), floats(one))));
  EXPECT_FALSE(std::isfinite(error_of(Op::modulo, floats(one), floats(one))));
  EXPECT_TRUE(std::isfinite(error_of(Op::exp, floats(one), floats(one))));
}

// erfc(1e22), say, has an exponent that is no integer of the machine.
TEST(RoundingErrorOfRanges, BelowAllExponentsTheUnitIsTheSmallestNumber) {
  Real tiny = Real::power_of_two(std::numeric_limits<slong>::min());
  arf_mul(tiny.raw(), tiny.raw(), tiny.raw(), ARF_PREC_EXACT, ARF_RND_DOWN);
  EXPECT_EQ(unit_at(Range::of(tiny), Format::binary64), Real::power_of_two(-1074));
  EXPECT_EQ(unit_at(Range::of(tiny), Format::binary32), Real::power_of_two(-149));
}

} // namespace
} // namespace faultline::ops
