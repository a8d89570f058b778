#include "suite/gsl/gsl_text.h"

#include <gtest/gtest.h>
#include <limits>

namespace faultline::suite {
namespace {

using Values = std::vector<double>;
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Ranks, TheLargestIsFirst) {
  EXPECT_EQ(ranks({1, 3, 2}), (Values{3, 1, 2}));
  EXPECT_EQ(ranks({0, infinity}), (Values{2, 1}));
  EXPECT_EQ(ranks({}), Values{});
}

TEST(Ranks, TiesShareTheMeanSoThatTheSumStays) {
  EXPECT_EQ(ranks({5, 5}), (Values{1.5, 1.5}));
  EXPECT_EQ(ranks({7, 0, 0, 0}), (Values{1, 3, 3, 3}));
  EXPECT_EQ(ranks({infinity, 1, infinity}), (Values{1.5, 3, 1.5}));
}

} // namespace
} // namespace faultline::suite
