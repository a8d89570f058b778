#include "base/clock.h"

#include <gtest/gtest.h>
#include <limits>

namespace faultline::base {
namespace {

TEST(TimeLimit, WithoutOneNothingIsEnded) { EXPECT_NO_THROW(TimeLimit::check()); }

TEST(TimeLimit, HoldsWhileThereIsTime) {
  const TimeLimit limit(3600);
  EXPECT_NO_THROW(TimeLimit::check());
}

TEST(TimeLimit, EndsWorkWhenTheTimeIsUp) {
  const TimeLimit limit(-1);
  EXPECT_THROW(for (;;) TimeLimit::check(), TimeLimitExceeded);
}

TEST(TimeLimit, EndsWithItsScope) {
  { const TimeLimit limit(0); }
  EXPECT_NO_THROW(TimeLimit::check());
}

TEST(TimeLimit, AnInnerOneCannotOutlastTheOuter) {
  const TimeLimit outer(0);
  {
    const TimeLimit inner(3600);
    EXPECT_THROW(for (;;) TimeLimit::check(), TimeLimitExceeded);
  }
  EXPECT_THROW(for (;;) TimeLimit::check(), TimeLimitExceeded);
}

TEST(TimeLimit, AnInnerOneThatEndedLeavesTheOuterAsItWas) {
  const TimeLimit outer(3600);
  {
    const TimeLimit inner(0);
    EXPECT_THROW(for (;;) TimeLimit::check(), TimeLimitExceeded);
  }
  EXPECT_NO_THROW(TimeLimit::check());
}

TEST(Deadline, PassesAndCanBeFarAway) {
  EXPECT_TRUE(Deadline(0).passed());
  EXPECT_TRUE(Deadline(-1).passed());
  EXPECT_FALSE(Deadline(3600).passed());
  EXPECT_GT(Deadline(std::numeric_limits<double>::infinity()).left(), 1e9);
}

} // namespace
} // namespace faultline::base
