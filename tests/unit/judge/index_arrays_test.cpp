// Arrays of indices are distinguished from integer arrays of data.
#include "judge/extent_search.h"

#include <gtest/gtest.h>

namespace faultline::judge {
namespace {

using Integers = std::function<int64_t(uint64_t)>;

// Code that takes the four integers for indices into four elements, counted from `first`.
StaysWithin indexing_from(int64_t first) {
  return [first](const Integers& integers) {
    for (uint64_t i = 0; i < 4; ++i)
      if (integers(i) < first || integers(i) >= first + 4)
        return false;
    return true;
  };
}

TEST(IndexArrays, TheBaseOfIndicesIsFound) {
  EXPECT_EQ(first_index(indexing_from(0)), 0);
  EXPECT_EQ(first_index(indexing_from(1)), 1);
}

TEST(IndexArrays, DataMayHaveAnyValue) {
  EXPECT_EQ(first_index([](const Integers&) { return true; }), std::nullopt);
}

TEST(IndexArrays, WhereNoSequenceWillDoNoneIsHeld) { EXPECT_EQ(first_index(indexing_from(7)), std::nullopt); }

} // namespace
} // namespace faultline::judge
