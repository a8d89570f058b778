#include "numeric/bigfloat.h"

#include <gtest/gtest.h>

namespace faultline::numeric {
namespace {

TEST(Settled, AValueNearTheMiddleOfTwoFloatsNeedsMoreBits) {
  const BigFloat third = BigFloat(1.0L / 3, 200);
  EXPECT_TRUE(rounds_to_one(third, 60, Format::binary32));
  BigFloat middle(1.0L, 200); // 1 + 2^-24, and a little more
  mpfr_set_str(middle.raw(), "0x1.000001p0", 0, MPFR_RNDN);
  EXPECT_FALSE(rounds_to_one(middle, 100, Format::binary32));
  mpfr_set_str(middle.raw(), "0x1.00000100000001p0", 0, MPFR_RNDN);
  EXPECT_FALSE(rounds_to_one(middle, 40, Format::binary32));
  EXPECT_TRUE(rounds_to_one(middle, 80, Format::binary32));
}

TEST(Settled, WhatIsExactIsSettled) {
  BigFloat middle(1.0L, 200);
  mpfr_set_str(middle.raw(), "0x1.000001p0", 0, MPFR_RNDN);
  EXPECT_TRUE(rounds_to_one(middle, INT64_MAX, Format::binary32));
  EXPECT_TRUE(rounds_to_one(BigFloat(0.0L, 64), 3, Format::binary32));
  EXPECT_TRUE(rounds_to_one(BigFloat(INFINITY, 64), 3, Format::binary32));
}

} // namespace
} // namespace faultline::numeric
