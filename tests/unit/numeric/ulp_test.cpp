#include "numeric/bigfloat.h"

#include <cmath>

#include <gtest/gtest.h>

#include "samples.h"

namespace faultline::numeric {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

template <class T> void spacing_is_the_gap_to_the_next_float(Format format, uint64_t seed) {
  Rng rng(seed);
  for (int i = 0; i < 10000; ++i) {
    const T x = std::fabs(any_finite<T>(rng));
    const T up = next_up(x);
    if (std::isfinite(up)) {
      EXPECT_EQ(ulp(x, format), static_cast<long double>(up) - x) << x;
    }
  }
}

TEST(Ulp, IsTheGapToTheNextFloat) {
  spacing_is_the_gap_to_the_next_float<float>(Format::binary32, 1);
  spacing_is_the_gap_to_the_next_float<double>(Format::binary64, 2);
  spacing_is_the_gap_to_the_next_float<long double>(Format::extended80, 3);
}

TEST(Ulp, TheSmallestNormalAndTheLargestNumberAreTheFormats) {
  EXPECT_EQ(smallest_normal(Format::binary32), std::numeric_limits<float>::min());
  EXPECT_EQ(smallest_normal(Format::binary64), std::numeric_limits<double>::min());
  EXPECT_EQ(smallest_normal(Format::extended80), std::numeric_limits<long double>::min());
  EXPECT_EQ(largest(Format::binary32), std::numeric_limits<float>::max());
  EXPECT_EQ(largest(Format::binary64), std::numeric_limits<double>::max());
  EXPECT_EQ(largest(Format::extended80), std::numeric_limits<long double>::max());
}

TEST(Ulp, AtTheEdges) {
  EXPECT_EQ(ulp(0, Format::binary32), 0x1p-149L);
  EXPECT_EQ(ulp(0, Format::binary64), 0x1p-1074L);
  EXPECT_EQ(ulp(0, Format::extended80), 0x1p-16445L);
  EXPECT_EQ(ulp(1, Format::binary64), 0x1p-52L);
  EXPECT_EQ(ulp(-1, Format::binary64), 0x1p-52L);
  EXPECT_EQ(ulp(next_down(1.0), Format::binary64), 0x1p-53L);
  EXPECT_EQ(ulp(0x1p-1022, Format::binary64), 0x1p-1074L);
  EXPECT_EQ(ulp(1e300, Format::binary32), 0x1p104L); // beyond the format: the spacing of its largest numbers
  EXPECT_EQ(ulp(infinity, Format::binary64), infinity);
  EXPECT_TRUE(std::isnan(ulp(NAN, Format::binary64)));
}

TEST(UlpError, OfACorrectRoundingIsAtMostOneHalf) {
  Rng rng(4);
  for (const Format format : {Format::binary32, Format::binary64, Format::extended80}) {
    const FormatInfo form = info(format);
    for (int i = 0; i < 10000; ++i) {
      BigFloat exact(with_exponent<long double>(rng, -20, 20), 200),
          factor(with_exponent<long double>(rng, -20, 20), 200);
      mpfr_mul(exact.raw(), exact.raw(), factor.raw(), MPFR_RNDN);
      if (i % 4 == 0) // around the smallest normal
        mpfr_set_exp(exact.raw(),
                     form.min_exponent + 2 - static_cast<long>(rng.below(static_cast<uint64_t>(form.precision))));
      BigFloat rounded = exact;
      rounded.round_to(format);
      const double error = ulp_error(rounded.to_long_double(), exact, format);
      EXPECT_LE(error, 0.5);
      const long double next = rounded.to_long_double() + 3 * ulp(rounded.to_long_double(), format);
      EXPECT_GE(ulp_error(next, exact, format), 1.5);
    }
  }
}

TEST(UlpError, CountsUlpsOfTheReference) {
  const BigFloat one(1.0L, 100);
  EXPECT_EQ(ulp_error(1 + 7 * 0x1p-52, one, Format::binary64), 7);
  EXPECT_EQ(ulp_error(1 + 7 * 0x1p-23, one, Format::binary32), 7);
  EXPECT_EQ(ulp_error(0x1p-1074, BigFloat(0.0L, 100), Format::binary64), 1);
  EXPECT_EQ(ulp_error(1e300, BigFloat(0.0L, 100), Format::binary64), infinity);
  EXPECT_EQ(bits_of_error(0), 0);
  EXPECT_EQ(bits_of_error(7), 3);
}

TEST(Errors, AreTakenFromTheExactDifference) {
  BigFloat third(500);
  mpfr_set_ui(third.raw(), 1, MPFR_RNDN);
  mpfr_div_ui(third.raw(), third.raw(), 3, MPFR_RNDN);
  // 1/3 as a double is (1 - 2^-54) / 3.
  EXPECT_DOUBLE_EQ(relative_error(1.0 / 3, third), 0x1p-54);
  EXPECT_DOUBLE_EQ(absolute_error(1.0 / 3, third), 0x1p-54 / 3);
  EXPECT_DOUBLE_EQ(relative_error(-1.0, BigFloat(2.0L, 53)), 1.5);
  BigFloat huge(1.0L, 53);
  mpfr_mul_2si(huge.raw(), huge.raw(), 100000, MPFR_RNDN);
  EXPECT_EQ(relative_error(1.0, huge), 1);
  EXPECT_EQ(absolute_error(1.0, huge), infinity);
}

TEST(Errors, OfSpecialValuesAreZeroOrInfiniteButNeverNaN) {
  const BigFloat zero(0.0L, 53), one(1.0L, 53), inf(infinity, 53), minus_inf(-infinity, 53), nan(53);
  struct Case {
    double computed;
    const BigFloat& reference;
    double expected;
  };
  const Case cases[] = {
      {NAN, nan, 0},
      {infinity, inf, 0},
      {-infinity, minus_inf, 0},
      {0, zero, 0},
      {-0.0, zero, 0},
      {NAN, one, infinity},
      {1, nan, infinity},
      {infinity, one, infinity},
      {1, inf, infinity},
      {infinity, minus_inf, infinity},
      {infinity, nan, infinity},
      {NAN, inf, infinity},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(relative_error(c.computed, c.reference), c.expected) << c.computed << " " << c.reference.to_string();
    EXPECT_EQ(absolute_error(c.computed, c.reference), c.expected) << c.computed << " " << c.reference.to_string();
    EXPECT_EQ(ulp_error(c.computed, c.reference, Format::binary64), c.expected);
  }
  EXPECT_EQ(relative_error(0x1p-1074, zero), infinity);
  EXPECT_EQ(absolute_error(0x1p-1074, zero), 0x1p-1074);
}

} // namespace
} // namespace faultline::numeric
