#include "report/checked_text.h"

#include <gtest/gtest.h>

namespace faultline::report {
namespace {

using model::CheckedSet;
using model::LargestErrors;

std::string shown(LargestErrors before, LargestErrors now) {
  CheckedVectors all;
  all.sets.emplace_back();
  all.checked.push_back({.function = "f", .missing = {}, .vectors = 3, .failures = {}});
  all.checked[0].largest_before = before;
  all.checked[0].largest = now;
  const std::string text = checked_text(all, false);
  return text.substr(0, text.find('\n'));
}

TEST(CheckedText, InfiniteErrorsDoNotHideTheOthers) {
  EXPECT_EQ(shown({4, 0}, {2.5, 0}),
            "passed   f: 3 of 3 vectors, 0 with another value, largest error 2.5 ulps, before 4");
  EXPECT_EQ(shown({4, 0}, {2.5, 1}),
            "passed   f: 3 of 3 vectors, 0 with another value, largest error inf ulps, before 4");
  EXPECT_EQ(shown({4, 2}, {2.5, 1}), "passed   f: 3 of 3 vectors, 0 with another value, largest finite error 2.5 ulps, "
                                     "before 4; 1 infinite, before 2");
}

TEST(CheckedText, LargestErrorsAreThoseOfBothKinds) {
  LargestErrors errors;
  for (const double ulps : {1.0, double(INFINITY), 3.0, double(INFINITY)})
    errors.add(ulps);
  EXPECT_EQ(errors.finite, 3);
  EXPECT_EQ(errors.infinite, 2u);
  EXPECT_TRUE(std::isinf(errors.of_all()));
}

} // namespace
} // namespace faultline::report
