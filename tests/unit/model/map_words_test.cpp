// Maps in words: numbers are rounded into the proved range, and symmetric ranges are given by magnitude.
#include "model/safety_map.h"

#include <gtest/gtest.h>

namespace faultline::model {
namespace {

MapBox box(double low, double high, double error = 0) {
  return {{{low, high}}, 1e-9, error > 0 ? std::vector<long double>{low} : std::vector<long double>{}, error};
}

TEST(MapWords, SymmetricRangesAreToldByMagnitude) {
  const SafetyMap map{{box(-1, -1.261e-5), box(1.262e-5, 1)}, {box(-9.61e-6, 9.58e-6, 0.9999)}, {}, {}};
  EXPECT_EQ(safe_words(map, 0, "x"), "safe for |x| >= 1.3e-05 (proved)");
  EXPECT_EQ(unsafe_words(map, 0, "x", ErrorMeasure::relative), "wrong by up to 99.9 % within |x| <= 9.7e-06");
  EXPECT_EQ(open_words(map, 0, "x"), "");
}

TEST(MapWords, WhatIsSafeAtBothEndsIsToldByTheLesserOfThem) {
  const SafetyMap map{{box(-1, -1.1e-5), box(1e-7, 2e-7), box(2e-5, 1)}, {}, {box(-1.1e-5, 1e-7), box(2e-7, 2e-5)}, {}};
  EXPECT_EQ(safe_words(map, 0, "x"), "safe for |x| >= 2e-05 (proved)");
}

TEST(MapWords, WhatIsSafeBetweenTheEndsIsNotLeftOut) {
  SafetyMap map{{box(-10, -8), box(-7.9, -4), box(-3.9, 3.9), box(4, 7.9), box(8, 10)}, {}, {box(-8, -7.9)}, {}};
  EXPECT_EQ(safe_words(map, 0, "x"), "safe in 98.0 % of the range (proved)");
  map.safe = {box(-10, -9.5), box(-9.4, 9.4), box(9.5, 10)};
  EXPECT_EQ(safe_words(map, 0, "x"), "safe for x <= -9.5, -9.4 <= x <= 9.4, x >= 9.5 (proved)");
}

TEST(MapWords, OneSidedRangesAreToldByTheirEnds) {
  const SafetyMap map{{box(0.0105, 2)}, {box(1e-9, 1e-3, 1e-5)}, {box(1.0001e-3, 0.0104)}, {}};
  EXPECT_EQ(safe_words(map, 0, "t"), "safe for t >= 0.011 (proved)");
  EXPECT_EQ(unsafe_words(map, 0, "t", ErrorMeasure::relative), "wrong by up to 1e-05 within t <= 0.001");
  EXPECT_EQ(open_words(map, 0, "t"), "open for 0.001 <= t <= 0.0104");
}

TEST(MapWords, ErrorsAreRoundedDownToTheNextNumberNotBeyondIt) {
  const SafetyMap map{{}, {box(1e-9, 1e-3, 1.0639e-9)}, {}, {}};
  EXPECT_EQ(unsafe_words(map, 0, "t", ErrorMeasure::relative), "wrong by up to 1e-09 within all t");
}

TEST(MapWords, PercentagesAreRoundedDownAndHaveNoExponent) {
  EXPECT_EQ(found_words(0.9999999, ErrorMeasure::relative), "99.9 %");
  EXPECT_EQ(found_words(1, ErrorMeasure::relative), "100 %");
  EXPECT_EQ(found_words(2.567, ErrorMeasure::relative), "256 %");
  EXPECT_EQ(found_words(0.0123, ErrorMeasure::relative), "1.2 %");
}

TEST(MapWords, EndsThatTwoDigitsWouldMoveFarHaveThree) {
  const SafetyMap map{{box(-13.7024, 40)}, {}, {box(-40, -13.7024)}, {}};
  EXPECT_EQ(safe_words(map, 0, "x"), "safe for x >= -13.7 (proved)");
}

TEST(MapWords, FragmentsWithNothingSafeBetweenThemAreOne) {
  const SafetyMap map{{box(5, 9)}, {box(1, 2, 4), box(3, 4, 3)}, {box(2, 3), box(4, 5)}, {}};
  EXPECT_EQ(unsafe_words(map, 0, "x", ErrorMeasure::ulps), "wrong by up to 4 ulps within x <= 4");
  EXPECT_EQ(open_words(map, 0, "x"), "open for 4 <= x <= 5");
}

TEST(MapWords, NothingAndEverythingAreSaid) {
  EXPECT_EQ(safe_words({{}, {box(1, 2, 1)}, {}, {}}, 0, "x"), "");
  EXPECT_EQ(safe_words({{box(1, 2)}, {}, {}, {}}, 0, "x"), "safe for all x (proved)");
}

} // namespace
} // namespace faultline::model
