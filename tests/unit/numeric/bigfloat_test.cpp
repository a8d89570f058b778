#include "numeric/bigfloat.h"

#include <cmath>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "samples.h"

namespace faultline::numeric {
namespace {

// Same value, zeros told apart.
template <class T> testing::AssertionResult same(T a, T b) {
  if ((std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b)))
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << testing::PrintToString(a) << " is not " << testing::PrintToString(b);
}

template <class Narrow, class Wide> void rounds_like_the_machine(Format format, Wide x) {
  BigFloat value(x, 200);
  value.round_to(format);
  EXPECT_TRUE(same<long double>(value.to_long_double(), static_cast<Narrow>(x)));
}

// Every value around which rounding changes its mind: the floats, the midpoints between them, and just beside.
template <class Narrow, class Wide> void rounds_like_the_machine_near(Format format, Narrow x) {
  const Narrow up = std::nextafter(x, std::numeric_limits<Narrow>::infinity());
  if (!std::isfinite(up))
    return;
  const Wide middle = (static_cast<Wide>(x) + static_cast<Wide>(up)) / 2;
  for (const Wide wide : {static_cast<Wide>(x), middle, next_up(middle), next_down(middle)})
    rounds_like_the_machine<Narrow>(format, wide);
}

TEST(RoundTo, FloatsLikeTheHardwareInTheWholeRange) {
  Rng rng(2);
  for (int i = 0; i < 20000; ++i) {
    rounds_like_the_machine_near<float, double>(Format::binary32, any_finite<float>(rng));
    rounds_like_the_machine<float>(Format::binary32, with_exponent<double>(rng, -152, 130));
  }
}

TEST(RoundTo, DoublesLikeTheHardwareInTheWholeRange) {
  Rng rng(3);
  for (int i = 0; i < 20000; ++i) {
    rounds_like_the_machine_near<double, long double>(Format::binary64, any_finite<double>(rng));
    rounds_like_the_machine<double>(Format::binary64, with_exponent<long double>(rng, -1078, 1026));
  }
}

TEST(RoundTo, SubnormalsAreRoundedOnceNotTwice) {
  Rng rng(4);
  for (int i = 0; i < 20000; ++i) {
    rounds_like_the_machine_near<float, double>(Format::binary32, with_exponent<float>(rng, -149, -125));
    rounds_like_the_machine_near<double, long double>(Format::binary64, with_exponent<double>(rng, -1074, -1021));
  }
}

TEST(RoundTo, OverflowStartsHalfAnUlpAboveTheLargestNumber) {
  const double limit = 0x1.ffffffp127;
  for (const double x : {limit, next_down(limit), next_up(limit), -limit, -next_down(limit)})
    rounds_like_the_machine<float>(Format::binary32, x);
  const long double limit64 = 0x1.fffffffffffff8p1023L;
  for (const long double x : {limit64, next_down(limit64), -limit64, -next_down(limit64)})
    rounds_like_the_machine<double>(Format::binary64, x);
}

TEST(RoundTo, HalfOfTheSmallestSubnormalGoesToZeroAndKeepsItsSign) {
  const double half = 0x1p-150;
  for (const double x : {half, next_up(half), next_down(half), -half, -next_up(half), 0x1p-151, -0x1p-300, 0.0, -0.0})
    rounds_like_the_machine<float>(Format::binary32, x);
}

TEST(RoundTo, ExtendedFormatAgreesWithItsOwnArithmetic) {
  Rng rng(5);
  for (int i = 0; i < 20000; ++i) {
    const auto x = i % 2 ? with_exponent<long double>(rng, -16446, -16380) : any_finite<long double>(rng);
    const long double y = near(rng, 1.0L, 3);
    BigFloat product(200), a(x, 64), b(y, 64);
    mpfr_mul(product.raw(), a.raw(), b.raw(), MPFR_RNDN);
    product.round_to(Format::extended80);
    EXPECT_TRUE(same(product.to_long_double(), x * y));
  }
}

TEST(RoundTo, SeesABitFarBelowTheMidpoint) {
  BigFloat value(1.0L, 2000), tail(1.0L, 53);
  mpfr_mul_2si(tail.raw(), tail.raw(), -53, MPFR_RNDN);
  mpfr_add(value.raw(), value.raw(), tail.raw(), MPFR_RNDN);
  BigFloat tie = value;
  tie.round_to(Format::binary64);
  EXPECT_EQ(tie.to_double(), 1.0);
  mpfr_mul_2si(tail.raw(), tail.raw(), -1900, MPFR_RNDN);
  mpfr_add(value.raw(), value.raw(), tail.raw(), MPFR_RNDN);
  value.round_to(Format::binary64);
  EXPECT_EQ(value.to_double(), next_up(1.0));
  EXPECT_EQ(value.precision(), 2000);
}

TEST(RoundTo, LeavesTheExponentRangeWide) {
  BigFloat value(1.0L, 53);
  value.round_to(Format::binary32);
  EXPECT_EQ(mpfr_get_emin(), mpfr_get_emin_min());
  EXPECT_EQ(mpfr_get_emax(), mpfr_get_emax_max());
}

TEST(BigFloats, EveryThreadHasTheFullExponentRange) {
  bool wide = false;
  std::thread([&] {
    BigFloat first(53);
    wide = mpfr_get_emin() == mpfr_get_emin_min() && mpfr_get_emax() == mpfr_get_emax_max();
  }).join();
  EXPECT_TRUE(wide);
}

TEST(BigFloats, ConversionsRoundAsRoundToDoes) {
  Rng rng(6);
  for (int i = 0; i < 20000; ++i) {
    BigFloat value(300), factor(any_finite<long double>(rng), 64);
    value.set(with_exponent<double>(rng, -40, 40));
    mpfr_mul(value.raw(), value.raw(), factor.raw(), MPFR_RNDN);
    if (i % 2) // into and below the subnormals of one of the formats
      mpfr_set_exp(value.raw(), (i % 3 == 0 ? -126 : i % 3 == 1 ? -1022 : -16382) - static_cast<long>(rng.below(66)));
    BigFloat f = value, d = value, l = value;
    f.round_to(Format::binary32);
    d.round_to(Format::binary64);
    l.round_to(Format::extended80);
    EXPECT_TRUE(same<long double>(value.to_float(), f.to_long_double()));
    EXPECT_TRUE(same<long double>(value.to_double(), d.to_long_double()));
    BigFloat back(value.to_long_double(), 64);
    EXPECT_TRUE(back == l) << back.to_string() << " " << l.to_string();
  }
}

TEST(BigFloats, MachineNumbersGoInAndOutUnchanged) {
  Rng rng(7);
  for (int i = 0; i < 10000; ++i) {
    const auto f = any_finite<float>(rng);
    const auto d = any_finite<double>(rng);
    const auto l = any_finite<long double>(rng);
    BigFloat value(64);
    value.set(f);
    EXPECT_EQ(value.to_float(), f);
    value.set(d);
    EXPECT_EQ(value.to_double(), d);
    value.set(l);
    EXPECT_EQ(value.to_long_double(), l);
  }
  BigFloat value(64);
  value.set(std::numeric_limits<int64_t>::min());
  EXPECT_EQ(value.to_double(), -0x1p63);
  value.set(-0.0);
  EXPECT_TRUE(value.is_zero() && value.is_negative());
}

TEST(BigFloats, CopiesAreIndependentAndKeepTheirPrecision) {
  BigFloat a(1.5L, 100);
  BigFloat b = a;
  b.set(2.5);
  EXPECT_EQ(a.to_double(), 1.5);
  EXPECT_EQ(b.precision(), 100);
  BigFloat c(20);
  c = a;
  EXPECT_EQ(c.precision(), 100);
  BigFloat moved = std::move(b);
  EXPECT_EQ(moved.to_double(), 2.5);
  b = a; // a moved-from number can be assigned again
  EXPECT_EQ(b.to_double(), 1.5);
  std::vector<BigFloat> many;
  for (int i = 0; i < 100; ++i)
    many.emplace_back(static_cast<long double>(i), 80);
  EXPECT_EQ(many[57].to_double(), 57);
}

TEST(BigFloats, ComparisonIsOfValuesAndNaNIsUnordered) {
  const BigFloat one(1.0L, 10), two(2.0L, 1000), nan(10), zero(0.0L, 10), minus_zero(-0.0L, 20);
  EXPECT_TRUE(one < two && two > one && one != two && one == BigFloat(1.0L, 500));
  EXPECT_TRUE(zero == minus_zero);
  EXPECT_FALSE(nan == nan);
  EXPECT_FALSE(nan < one || nan > one || one <= nan);
}

TEST(BigFloats, TextIsReadableAndTellsNeighboursApart) {
  EXPECT_EQ(BigFloat(0.1L, 53).to_string(5), "0.1");
  EXPECT_EQ(BigFloat(-1234.5L, 53).to_string(8), "-1234.5");
  EXPECT_EQ(BigFloat(1e300L, 53).to_string(3), "1e+300");
  EXPECT_EQ(BigFloat(-1.25e-30L, 53).to_string(3), "-1.25e-30");
  EXPECT_EQ(BigFloat(100.0L, 53).to_string(), "100");
  EXPECT_EQ(BigFloat(-0.0L, 53).to_string(), "-0");
  EXPECT_EQ(BigFloat(53).to_string(), "nan");
  EXPECT_NE(BigFloat(1.0L, 53).to_string(), BigFloat(next_up(1.0), 53).to_string());
}

TEST(BigFloat, TellsItsMagnitudeWhereverItLies) {
  EXPECT_EQ(BigFloat(8, 100).log2_magnitude(), 3);
  EXPECT_EQ(BigFloat(-0.25L, 100).log2_magnitude(), -2);
  EXPECT_NEAR(BigFloat(10, 100).log2_magnitude(), 3.321928094887362, 1e-15);
  BigFloat far(1, 200);
  mpfr_mul_2si(far.raw(), far.raw(), -1'000'000, MPFR_RNDN);
  EXPECT_EQ(far.log2_magnitude(), -1'000'000) << "beyond every machine format";
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(BigFloat(0, 64).log2_magnitude(), -infinity);
  EXPECT_EQ(BigFloat(-infinity, 64).log2_magnitude(), infinity);
  EXPECT_TRUE(std::isnan(BigFloat(64).log2_magnitude()));
}

} // namespace
} // namespace faultline::numeric
