// By what a hunt goes: which errors are looked for, and with how much effort.
#include "judge/space_of_target.h"

#include <gtest/gtest.h>

namespace faultline::judge {
namespace {

using model::Settings;

TEST(WhatCounts, SmallErrorsDoWhereSomebodySaysSo) {
  Settings settings;
  EXPECT_FALSE(small_errors_count(settings));
  settings.threshold = 1e-9;
  EXPECT_FALSE(small_errors_count(settings)) << "over all floats";
  settings.ranges["x"] = {0, 1};
  EXPECT_TRUE(small_errors_count(settings));
  settings.threshold = 0.5;
  EXPECT_FALSE(small_errors_count(settings)) << "that is looked for anyway";
  settings.threshold.reset();
  EXPECT_FALSE(small_errors_count(settings));
  Settings ulps, absolute;
  ulps.ulps = 2;
  absolute.absolute = 1e-12;
  EXPECT_TRUE(small_errors_count(ulps));
  EXPECT_TRUE(small_errors_count(absolute));
}

TEST(WhatCounts, UlpsAreThoseOfTheOutputsFormat) {
  model::Target target;
  model::Cell single, wide;
  single.type.format = numeric::Format::binary32;
  wide.type.format = numeric::Format::binary64;
  target.outputs = {single, wide};
  Settings settings;
  settings.ulps = 4;
  EXPECT_EQ(searched_threshold(settings, target, {0}), 0x1p-21);
  EXPECT_EQ(searched_threshold(settings, target, {1}), 0x1p-50);
  EXPECT_EQ(searched_threshold(settings, target, {0, 1}), 0x1p-21);
}

TEST(WhatCounts, ErrorsAreComparedInTheMeasureThatCounts) {
  const model::Error error{.relative = 1, .absolute = 2, .ulps = 3};
  Settings settings;
  EXPECT_EQ(size_of(error, settings), 1);
  settings.ulps = 1;
  EXPECT_EQ(size_of(error, settings), 3);
  settings.absolute = 1;
  EXPECT_EQ(size_of(error, settings), 2);
}

} // namespace
} // namespace faultline::judge
