#include "exec/session.h"

#include <cmath>

#include <gtest/gtest.h>

namespace faultline::exec {
namespace {

TEST(Input, IsTheSameIfARunCannotTellItFromTheOther) {
  EXPECT_TRUE(same_bits({}, {}));
  EXPECT_TRUE(same_bits({1, -0.0L, INFINITY}, {1, -0.0L, INFINITY}));
  EXPECT_TRUE(same_bits({NAN}, {NAN}));
  EXPECT_FALSE(same_bits({0.0L}, {-0.0L}));
  EXPECT_FALSE(same_bits({NAN}, {-NAN}));
  EXPECT_FALSE(same_bits({NAN}, {1}));
  EXPECT_FALSE(same_bits({1, 2}, {1, 3}));
  EXPECT_FALSE(same_bits({1, 2}, {1}));
}

} // namespace
} // namespace faultline::exec
