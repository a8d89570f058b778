// Numbers of bounds: rounded away from what they bound, and no farther than to the next one.
#include "report/bound_text.h"

#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>

namespace faultline::report {
namespace {

TEST(BoundWords, ThreeDigitsAreTheNextOnesOnTheirSide) {
  EXPECT_EQ(three_digits(0.9999999999999991, false), "9.99e-01");
  EXPECT_EQ(three_digits(0.9999999999999991, true), "1.00e+00");
  EXPECT_EQ(three_digits(1.0001e-7, true), "1.01e-07");
  EXPECT_EQ(three_digits(9.991, true), "1.00e+01");
  EXPECT_EQ(three_digits(std::nextafter(1e-3, 0), false), "9.99e-04");
  EXPECT_EQ(three_digits(1.5, false), "1.50e+00");
  EXPECT_EQ(three_digits(0, true), "0.00e+00");
  EXPECT_EQ(three_digits(INFINITY, true), "none");
}

TEST(BoundWords, ThreeDigitsNeverLieOnTheOtherSide) {
  for (double value = 1e-300; value < 1e90; value *= 1.0137)
    for (const bool up : {true, false}) {
      const double told = std::strtod(three_digits(value, up).c_str(), nullptr);
      EXPECT_TRUE(up ? told >= value : told <= value) << value;
      EXPECT_LE(std::fabs(told - value), 0.01 * value) << value;
    }
}

} // namespace
} // namespace faultline::report
