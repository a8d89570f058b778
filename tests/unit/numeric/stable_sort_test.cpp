#include "numeric/stable_sort.h"

#include "numeric/random.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace faultline::numeric {
namespace {

TEST(StableSort, EqualsKeepTheirOrder) {
  Rng rng(1);
  for (size_t size = 0; size < 70; ++size) {
    std::vector<std::pair<uint64_t, size_t>> values;
    std::multimap<uint64_t, size_t> expected; // which keeps the order of equal keys
    for (size_t i = 0; i < size; ++i) {
      values.emplace_back(rng.below(6), i);
      expected.emplace(values.back().first, i);
    }
    sort_stably(values, {}, &std::pair<uint64_t, size_t>::first);
    EXPECT_TRUE(std::ranges::equal(values, expected, [](const auto& a, const auto& b) {
      return a == std::pair(b.first, b.second);
    })) << size;
  }
}

TEST(StableSort, TheLargestComeFirstIfThatIsAsked) {
  std::vector<std::string> words = {"a", "ccc", "bb", "ddd"};
  sort_stably(words, std::ranges::greater(), &std::string::size);
  EXPECT_EQ(words, (std::vector<std::string>{"ccc", "ddd", "bb", "a"}));
}

TEST(StableSort, ValuesThatCannotBeCopiedAreMoved) {
  std::vector<std::unique_ptr<int>> values;
  for (const int value : {3, 1, 2})
    values.push_back(std::make_unique<int>(value));
  sort_stably(values, {}, [](const std::unique_ptr<int>& value) { return *value; });
  EXPECT_EQ(*values[0], 1);
  EXPECT_EQ(*values[2], 3);
}

TEST(StableSort, NoValueIsLostAmongNans) {
  std::vector<double> values = {2, NAN, 1, NAN, 0, 5, NAN, 4};
  sort_stably(values);
  EXPECT_EQ(values.size(), 8u);
  for (const double value : {0.0, 1.0, 2.0, 4.0, 5.0})
    EXPECT_EQ(std::ranges::count(values, value), 1) << value;
}

} // namespace
} // namespace faultline::numeric
