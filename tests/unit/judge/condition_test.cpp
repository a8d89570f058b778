// When a problem shows: the simplest condition on one input that its samples bear out.
#include "judge/diagnosis/condition.h"

#include <cmath>
#include <gtest/gtest.h>

namespace faultline::judge {
namespace {

template <class Shows>
std::vector<Labelled> line(long double from, long double to, Shows shows, int count = 200) {
  std::vector<Labelled> samples;
  for (int i = 0; i < count; ++i) {
    const long double x = from + (to - from) * i / (count - 1);
    samples.push_back({x, shows(x)});
  }
  return samples;
}

TEST(Condition, IsABoundOnTheValueOrOnItsMagnitude) {
  const auto above = condition_on(line(0, 10, [](long double x) { return x > 7; }));
  ASSERT_TRUE(above);
  EXPECT_FALSE(above->below || above->of_magnitude);
  EXPECT_NEAR(double(above->inside), 7, 0.06);
  EXPECT_LT(above->outside, 7.0001);
  const auto small = condition_on(line(-10, 10, [](long double x) { return std::fabs(x) < 2; }));
  ASSERT_TRUE(small);
  EXPECT_TRUE(small->below && small->of_magnitude);
  EXPECT_NEAR(double(small->inside), 2, 0.11);
  const auto negative = condition_on(line(-10, 10, [](long double x) { return x < -3; }));
  ASSERT_TRUE(negative);
  EXPECT_TRUE(negative->below && !negative->of_magnitude);
}

TEST(Condition, ToleratesAFewExceptionsAndNoMore) {
  int count = 0;
  const auto with = [&](int one_in) {
    count = 0;
    return condition_on(line(0, 10, [&](long double x) { return x > 5 && ++count % one_in != 0; }));
  };
  EXPECT_TRUE(with(20));
  EXPECT_FALSE(with(3));
}

TEST(Condition, IsNoneWithoutExamplesOnBothSides) {
  EXPECT_FALSE(condition_on({}));
  EXPECT_FALSE(condition_on(line(0, 1, [](long double) { return true; })));
  EXPECT_FALSE(condition_on(line(0, 1, [](long double) { return false; })));
  EXPECT_FALSE(condition_on(line(0, 1, [](long double x) { return x == 1; }))) << "one example is none";
  EXPECT_FALSE(condition_on(line(0, 10, [](long double x) { return int(x * 10) % 2 == 0; })));
}

TEST(Condition, IsWordedAsPeopleTypeIt) {
  EXPECT_EQ(text({true, true, 0, 0}, "x", 1.88e-7L), "|x| < 1.88e-7");
  EXPECT_EQ(text({false, false, 0, 0}, "b", 1.34078e154L), "b > 1.34e154");
}

} // namespace
} // namespace faultline::judge
