// The order of the questions: what is asked too late, or never, is not found within a budget.
#include "search/fpgen/symbolic.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace faultline::search {
namespace {

using constraint::Left;
using goal::Check;

bool is_cancellation(const CombinedGoal& goal) { return goal.kind == Check::cancellation; }

TEST(Combinations, SingleGoalsComeFirstAndLateCancellationsBeforeEarlyOnes) {
  Combinations combinations(3, 1);
  for (size_t i = 0; i < 9; ++i) {
    const auto next = combinations.next();
    ASSERT_TRUE(next);
    ASSERT_EQ(next->goals.size(), 1u);
    EXPECT_EQ(is_cancellation(next->goals[0]), i < 3);
    if (i < 3) {
      EXPECT_EQ(next->goals[0].check, 2 - i);
    }
  }
  EXPECT_FALSE(combinations.next());
}

TEST(Combinations, ALossIsFollowedByALaterCancellationIfBothArePossible) {
  Combinations combinations(3, 1);
  std::vector<Combination> pairs;
  while (const auto next = combinations.next()) {
    if (next->goals.size() == 1 && next->goals[0].check == 1 && is_cancellation(next->goals[0]))
      combinations.unanswered(*next);
    else if (next->goals.size() == 1)
      combinations.solved(*next, {1});
    else
      pairs.push_back(*next);
  }
  ASSERT_FALSE(pairs.empty());
  for (const Combination& pair : pairs) {
    ASSERT_EQ(pair.goals.size(), 2u);
    EXPECT_EQ(pair.goals[0].kind, Check::precision_loss);
    EXPECT_EQ(pair.goals[1].kind, Check::cancellation);
    EXPECT_LT(pair.goals[0].check, pair.goals[1].check);
    EXPECT_EQ(*pair.near, exec::Input{1});
  }
  // Two losses (which operand is large) at each of two places before the last one; the cancellation in the middle, of
  // which is unknown, was tried again leaving nothing, and solved.
  const auto last = [](const Combination& pair) { return pair.goals[1].check == 2; };
  EXPECT_EQ(std::ranges::count_if(pairs, last), 4);
}

TEST(Combinations, WhatIsImpossibleAloneIsNotAskedWithOthers) {
  Combinations combinations(4, 1);
  while (const auto next = combinations.next()) {
    if (next->goals.size() == 1 && !is_cancellation(next->goals[0]) && next->goals[0].check < 2)
      combinations.refuted(*next);
    else
      combinations.solved(*next, {});
    if (next->goals.size() > 1) {
      for (const CombinedGoal& goal : next->goals)
        EXPECT_TRUE(is_cancellation(goal) || goal.check >= 2);
    }
  }
}

TEST(Combinations, WhatTwoCannotThreeAreNotAskedForAgain) {
  Combinations combinations(4, 2);
  std::vector<std::vector<CombinedGoal>> refuted;
  size_t triples = 0;
  while (const auto next = combinations.next()) {
    for (const auto& pair : refuted)
      EXPECT_FALSE(std::ranges::includes(next->goals, pair));
    const bool hard = next->goals.size() == 3 || (next->goals.size() == 2 && next->goals.back().check == 3);
    triples += next->goals.size() == 3;
    if (!hard) {
      combinations.solved(*next, {});
    } else if (next->level == 0) {
      combinations.unanswered(*next);
    } else {
      refuted.push_back(next->goals);
      combinations.refuted(*next);
    }
  }
  EXPECT_FALSE(refuted.empty());
  EXPECT_GT(triples, 0u);
}

TEST(Combinations, ACancellationThatCannotLeaveSomethingLeavesNothing) {
  Combinations combinations(1, 1);
  size_t zeros = 0;
  while (const auto next = combinations.next()) {
    combinations.refuted(*next);
    zeros += next->goals[0].left == Left::nothing;
  }
  EXPECT_EQ(zeros, 1u);
}

TEST(Combinations, AQuestionWithoutAnswerComesAgainBehindFreshOnesAndNotForEver) {
  Combinations combinations(2, 3);
  int tries[3] = {};
  size_t given_up = 0, asked = 0;
  int level = 0;
  while (const auto next = combinations.next()) {
    ++asked;
    ++tries[next->level];
    if (next->goals[0].left == Left::something) {
      EXPECT_GE(next->level, level);
      level = next->level;
    }
    given_up += !combinations.unanswered(*next);
  }
  EXPECT_EQ(asked, 3u * 8); // two cancellations, four losses, and two cancellations that leave nothing
  EXPECT_EQ(given_up, 8u);
  EXPECT_EQ(tries[0], 8);
  EXPECT_EQ(tries[2], 8);
}

TEST(Combinations, NoneIsAskedTwiceAndThereIsAnEnd) {
  Combinations combinations(12, 1);
  std::set<std::vector<CombinedGoal>> asked;
  size_t longest = 0;
  while (const auto next = combinations.next()) {
    EXPECT_TRUE(asked.insert(next->goals).second);
    EXPECT_TRUE(std::ranges::is_sorted(next->goals));
    longest = std::max(longest, next->goals.size());
    combinations.solved(*next, {});
  }
  EXPECT_GE(longest, 3u);
  EXPECT_LE(longest, 4u);
}

} // namespace
} // namespace faultline::search
