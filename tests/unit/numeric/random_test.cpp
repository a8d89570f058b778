#include "numeric/random.h"

#include <bit>
#include <cmath>
#include <map>

#include <gtest/gtest.h>

namespace faultline::numeric {
namespace {

TEST(Random, IsThePublishedGenerator) {
  // SplitMix64 from 0 gives these four words; then xoshiro256** by its definition.
  uint64_t s[4] = {0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f, 0xf88bb8a8724c81ec};
  Rng rng(0);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(rng.next(), std::rotl(s[1] * 5, 7) * 9);
    const uint64_t t = s[1] << 17;
    s[2] ^= s[0], s[3] ^= s[1], s[1] ^= s[2], s[0] ^= s[3], s[2] ^= t, s[3] = std::rotl(s[3], 45);
  }
}

TEST(Random, ReproducesAFindingFromItsSeedOnEveryPlatform) {
  Rng rng(42);
  EXPECT_EQ(rng.next(), 1546998764402558742u);
  EXPECT_EQ(rng.below(1000), 378u);
  EXPECT_EQ(rng.uniform(), 0x1.5c2ea66473c93p-1);
  EXPECT_EQ(rng.gaussian(), 0x1.98914dbd6b56p-2);
  EXPECT_EQ(rng.fork("search").next(), 15617855508018297942u);
}

TEST(Random, ForksDoNotDependOnWhatWasDrawnBefore) {
  Rng fresh(7), used(7);
  for (int i = 0; i < 10; ++i)
    used.next();
  EXPECT_EQ(fresh.fork("a").next(), used.fork("a").next());
  EXPECT_NE(fresh.fork("a").next(), fresh.fork("b").next());
  EXPECT_NE(fresh.fork("a").next(), Rng(8).fork("a").next());
  EXPECT_NE(fresh.fork("a").fork("b").next(), fresh.fork("b").fork("a").next());
  EXPECT_NE(fresh.fork("").next(), fresh.next());
}

TEST(Random, BelowIsUniformAndInRange) {
  Rng rng(1);
  std::map<uint64_t, int> counts;
  for (int i = 0; i < 70000; ++i)
    ++counts[rng.below(7)];
  ASSERT_EQ(counts.size(), 7u);
  for (const auto& [value, count] : counts)
    EXPECT_NEAR(count, 10000, 500) << value;
  EXPECT_EQ(rng.below(1), 0u);
  // With a modulus of 2^64 * 2/3, plain reduction would return the lower half twice as often.
  const uint64_t large = 0xaaaaaaaaaaaaaaab;
  int low = 0;
  for (int i = 0; i < 10000; ++i)
    low += rng.below(large) < large / 2;
  EXPECT_NEAR(low, 5000, 300);
}

TEST(Random, GaussianHasTheMomentsAndTailsOfTheNormalDistribution) {
  Rng rng(2);
  const int n = 200000;
  double sum = 0, squares = 0, fourths = 0;
  int beyond_one = 0, beyond_three = 0;
  for (int i = 0; i < n; ++i) {
    const double x = rng.gaussian();
    sum += x;
    squares += x * x;
    fourths += x * x * x * x;
    beyond_one += std::fabs(x) > 1;
    beyond_three += std::fabs(x) > 3;
  }
  EXPECT_NEAR(sum / n, 0, 0.01);
  EXPECT_NEAR(squares / n, 1, 0.015);
  EXPECT_NEAR(fourths / n, 3, 0.1);
  EXPECT_NEAR(beyond_one, n * std::erfc(1 / std::sqrt(2)), 900);
  EXPECT_NEAR(beyond_three, n * std::erfc(3 / std::sqrt(2)), 100);
}

TEST(Random, UniformFillsTheUnitIntervalWithoutOne) {
  Rng rng(3);
  double sum = 0, low = 1, high = 0;
  for (int i = 0; i < 100000; ++i) {
    const double x = rng.uniform();
    sum += x;
    low = std::min(low, x);
    high = std::max(high, x);
  }
  EXPECT_NEAR(sum / 100000, 0.5, 0.005);
  EXPECT_TRUE(low >= 0 && low < 1e-3 && high < 1 && high > 0.999);
}

} // namespace
} // namespace faultline::numeric
