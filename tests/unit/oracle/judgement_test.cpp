// How wrong an output is, and when its reference is known.
#include "oracle/judgement.h"

#include "numeric/bigfloat.h"

#include <cmath>
#include <gtest/gtest.h>

namespace faultline::test {
namespace {

model::Cell cell(numeric::Format format = numeric::Format::binary64) {
  model::Cell cell;
  cell.name = "return";
  cell.type.format = format;
  return cell;
}

numeric::BigFloat big(const char* text) {
  numeric::BigFloat value(200);
  mpfr_set_str(value.raw(), text, 10, MPFR_RNDN);
  return value;
}

TEST(Measure, SubnormalsRightToAnUlpAreSo) {
  const double tiny = std::numeric_limits<double>::denorm_min();
  numeric::BigFloat exact(tiny, 200);
  mpfr_mul_d(exact.raw(), exact.raw(), 1.4, MPFR_RNDN);
  const oracle::OutputJudgement judged = oracle::measure(0, cell(), tiny, exact);
  EXPECT_NEAR(judged.ulps, 0.4, 1e-12);
  EXPECT_LE(judged.bits, 0.5);
}

TEST(Measure, OverflowAndUnderflowThatAreRightAreNoErrors) {
  const long double infinity = std::numeric_limits<long double>::infinity();
  EXPECT_EQ(oracle::measure(0, cell(), infinity, big("1e400")).relative, 0);
  EXPECT_EQ(oracle::measure(0, cell(), infinity, big("1e400")).ulps, 0);
  EXPECT_EQ(oracle::measure(0, cell(), -infinity, big("-1e400")).relative, 0);
  EXPECT_EQ(oracle::measure(0, cell(), 0, big("1e-400")).relative, 0);
  EXPECT_EQ(oracle::measure(0, cell(numeric::Format::binary32), infinity, big("1e40")).relative, 0);
}

// What rounding towards zero makes of an overflow.
TEST(Measure, TheLargestNumberIsRightWhereTheResultDoesNotFit) {
  const long double most = std::numeric_limits<double>::max();
  EXPECT_EQ(oracle::measure(0, cell(), most, big("1e400")).relative, 0);
  EXPECT_EQ(oracle::measure(0, cell(), -most, big("-1e400")).relative, 0);
  EXPECT_EQ(oracle::measure(0, cell(numeric::Format::binary32), std::numeric_limits<float>::max(), big("1e40")).ulps,
            0);
  EXPECT_GT(oracle::measure(0, cell(), -most, big("1e400")).relative, 0.9) << "of the other sign";
  EXPECT_GT(oracle::measure(0, cell(), most / 2, big("1e400")).relative, 0.9);
  EXPECT_GT(oracle::measure(0, cell(), std::numeric_limits<float>::max(), big("1e400")).relative, 0.9)
      << "the largest of another format";
  EXPECT_GT(oracle::measure(0, cell(), most, big("1e300")).relative, 1e7);
}

TEST(Measure, OverflowAndUnderflowThatAreWrongAreErrors) {
  const long double infinity = std::numeric_limits<long double>::infinity();
  EXPECT_TRUE(std::isinf(oracle::measure(0, cell(), infinity, big("1e300")).relative));
  EXPECT_TRUE(std::isinf(oracle::measure(0, cell(), -infinity, big("1e400")).relative));
  EXPECT_EQ(oracle::measure(0, cell(), 0, big("1e-300")).relative, 1);
  EXPECT_GT(oracle::measure(0, cell(), 0, big("1e-300")).ulps, 1e6);
  EXPECT_TRUE(std::isinf(oracle::measure(0, cell(numeric::Format::extended80), infinity, big("1e400")).relative));
}

TEST(Measure, NaNIsRightOnlyWhereItIsExpected) {
  numeric::BigFloat nan(100);
  EXPECT_EQ(oracle::measure(0, cell(), std::nanl(""), nan).relative, 0);
  EXPECT_TRUE(std::isinf(oracle::measure(0, cell(), std::nanl(""), big("1")).relative));
  EXPECT_TRUE(std::isinf(oracle::measure(0, cell(), 1, nan).relative));
}

TEST(Measure, OfAnOrdinaryErrorIsInAllUnits) {
  const oracle::OutputJudgement judged = oracle::measure(3, cell(), 1.5, big("1"));
  EXPECT_EQ(judged.output, 3u);
  EXPECT_EQ(judged.relative, 0.5);
  EXPECT_EQ(judged.absolute, 0.5);
  EXPECT_EQ(judged.ulps, 0x1p51);
  EXPECT_NEAR(judged.bits, 51, 1e-9);
}

// A reference with so many correct bits.
oracle::Reference reference(const numeric::BigFloat& value, int64_t bits) {
  const bool regular = value.is_finite() && !value.is_zero();
  return {value, regular ? mpfr_get_exp(value.raw()) - bits : -bits};
}

bool agree(const numeric::BigFloat& coarse, int64_t coarse_bits, const numeric::BigFloat& fine, int64_t fine_bits) {
  return oracle::agree(reference(coarse, coarse_bits), reference(fine, fine_bits), numeric::Format::binary64);
}

TEST(Agree, NeedsCorrectBits) {
  EXPECT_TRUE(agree(big("0.1"), 50, big("0.1"), 100));
  EXPECT_FALSE(agree(big("0"), 0, big("0"), 0)) << "zeros that are all error";
  EXPECT_FALSE(agree(big("0.1"), 30, big("0.1"), 60)) << "more precision would tell more";
}

TEST(Agree, NeedsEqualValues) {
  EXPECT_FALSE(agree(big("0.1"), 100, big("0.10000000000000000001"), 200)) << "within a double's reach";
  EXPECT_TRUE(agree(big("0.1"), 100, big("0.1000000000000000000000000000001"), 200));
  EXPECT_TRUE(agree(numeric::BigFloat(64), 100, numeric::BigFloat(64), 200)) << "NaN is an answer";
  EXPECT_FALSE(agree(numeric::BigFloat(64), 100, big("1"), 200));
  EXPECT_FALSE(agree(big("0"), 100, big("1e-300"), 200));
}

TEST(Measure, WithAFloorIsFiniteWhereTheExactResultIsZero) {
  const double floor = 0x1p-126;
  EXPECT_EQ(oracle::measure(0, cell(), 0x1p-50, big("0"), floor).relative, 0x1p76);
  EXPECT_EQ(oracle::measure(0, cell(), 0x1p-50, big("0"), 0).relative, INFINITY);
  EXPECT_EQ(oracle::measure(0, cell(), 1.5, big("1"), floor).relative, 0.5);
}

TEST(ReferenceSequence, TakesWhatNobodyCanTellFromZeroForZero) {
  const numeric::Format format = numeric::Format::binary64;
  const numeric::BigFloat noise(0x1p-2000L, 64);
  auto settles = [&](ops::ErrorExponent coarse, ops::ErrorExponent fine, double floor) {
    oracle::ReferenceSequence sequence(floor);
    sequence.add({{noise, coarse}}, std::span(&format, 1));
    return sequence.add({{noise, fine}}, std::span(&format, 1)) && sequence.settled()[0].value.is_zero();
  };
  EXPECT_TRUE(settles(-1990, -1995, 0));
  EXPECT_FALSE(settles(-4000, -4000, 0)) << "it is known: too small for a double, and not zero";
  EXPECT_FALSE(settles(-1000, -2000, 0)) << "a double could show such an error";
  EXPECT_TRUE(settles(-1000, -2000, 0x1p-126)) << "the floor covers it";
  EXPECT_FALSE(settles(-130, -2000, 0x1p-126)) << "within reach of the floor";
}

TEST(Certainty, IsOfErrorsLargerThanTheDoubt) {
  oracle::OutputJudgement judged = oracle::measure(0, cell(), 1.5, big("1"));
  EXPECT_TRUE(judged.is_certain());
  judged.good_bits = 20;
  EXPECT_TRUE(judged.is_certain());
  judged.relative = 1e-6;
  EXPECT_FALSE(judged.is_certain());
}

} // namespace
} // namespace faultline::test
