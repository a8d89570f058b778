// When a problem shows: the simplest condition on one input that its samples bear out.
#include "judge/diagnosis/comparison.h"

#include <cmath>
#include <gtest/gtest.h>

namespace faultline::judge {
namespace {

template <class Shows>
std::vector<LabelledSample> line(long double from, long double to, Shows shows, int count = 200) {
  std::vector<LabelledSample> samples;
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

TEST(Condition, IsTheOneWithTheFewestExceptions) {
  const auto magnitude = condition_on(line(-2.3L, 10, [](long double x) { return std::fabs(x) < 2; }));
  ASSERT_TRUE(magnitude);
  EXPECT_TRUE(magnitude->of_magnitude) << "x < 2 holds with a few exceptions";
  const auto value = condition_on(line(-1, 10, [](long double x) { return x < 2; }));
  ASSERT_TRUE(value);
  EXPECT_FALSE(value->of_magnitude) << "of two that describe it, the simpler one";
  const auto alone = condition_on(line(0, 10, [](long double x) { return x > 5 || (x > 0.49L && x < 0.54L); }));
  ASSERT_TRUE(alone);
  EXPECT_NEAR(double(alone->inside), 5, 0.06) << "one that shows far away";
}

TEST(Condition, IsNoneWhereManyOthersShowIt) {
  int count = 0;
  EXPECT_FALSE(condition_on(line(0, 10, [&](long double x) { return x > 7 || ++count % 5 == 0; })));
}

TEST(Condition, DoesNotDivideEqualValues) {
  std::vector<LabelledSample> samples;
  for (int i = 0; i < 200; ++i)
    samples.push_back({(long double)(i / 20), i / 20 > 5 || (i / 20 == 5 && i % 20 < 3)});
  const auto condition = condition_on(samples);
  ASSERT_TRUE(condition);
  EXPECT_EQ(condition->inside, 6);
  EXPECT_EQ(condition->outside, 5);
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
  EXPECT_EQ(text({false, false, 0, 0}, "n", 8, true), "n >= 8");
  EXPECT_EQ(text({true, true, 0, 0}, "n", 1234567, true), "|n| <= 1234567");
}

} // namespace
} // namespace faultline::judge
