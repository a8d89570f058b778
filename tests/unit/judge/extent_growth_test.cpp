// Arrays grow until a call stays within them: what that comes to, of code that is a list of the elements it touches.
#include "judge/extent_search.h"

#include <gtest/gtest.h>

namespace faultline::judge {
namespace {

using exec::Outcome;
using exec::ProbedCall;

// Touches these elements of these arrays, one after the other.
CallWith touching(std::vector<exec::OverrunElement> elements) {
  return [elements](const std::vector<uint64_t>& extents) -> ProbedCall {
    for (const exec::OverrunElement& one : elements)
      if (one.element < 0 || uint64_t(one.element) >= extents[one.array])
        return {Outcome::overrun, one};
    return {};
  };
}

CallWith walking(int64_t elements) {
  return [elements](const std::vector<uint64_t>& extents) -> ProbedCall {
    if (int64_t(extents[0]) < elements)
      return {Outcome::overrun, exec::OverrunElement{0, int64_t(extents[0])}};
    return {};
  };
}

TEST(ExtentGrowth, EveryLengthIsFoundExactly) {
  for (int64_t length = 0; length < 300; ++length) {
    const Growth growth = grow({0}, 1 << 17, walking(length));
    EXPECT_EQ(growth.end, Growth::End::settled);
    EXPECT_EQ(growth.extents[0], uint64_t(length));
  }
  EXPECT_EQ(grow({0}, 1 << 17, walking(100'001)).extents[0], 100'001);
}

TEST(ExtentGrowth, ArraysThatAreTouchedInTurnsGrowTogether) {
  const Growth growth = grow({0, 0}, 100, touching({{0, 3}, {1, 8}, {0, 5}, {1, 2}}));
  EXPECT_EQ(growth.extents, (std::vector<uint64_t>{6, 9}));
}

TEST(ExtentGrowth, CodeThatNeverStopsIsTold) {
  const Growth growth = grow({0}, 1000, walking(1001));
  EXPECT_EQ(growth.end, Growth::End::endless);
  EXPECT_EQ(grow({0}, 1000, walking(1000)).end, Growth::End::settled);
}

TEST(ExtentGrowth, WhatLiesBeforeAnArrayIsTold) {
  const Growth growth = grow({0, 0}, 100, touching({{0, 2}, {1, -1}}));
  EXPECT_EQ(growth.end, Growth::End::before);
  EXPECT_EQ(growth.array, 1);
  EXPECT_EQ(growth.extents[0], 3);
}

TEST(ExtentGrowth, AnOverrunOfSomethingElseIsNotGrown) {
  const Growth growth = grow({0}, 100, [](const auto&) { return ProbedCall{Outcome::overrun, std::nullopt}; });
  EXPECT_EQ(growth.end, Growth::End::elsewhere);
}

} // namespace
} // namespace faultline::judge
