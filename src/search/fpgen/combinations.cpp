#include "search/fpgen/combinations.h"

#include <algorithm>

namespace faultline::search {

using constraint::Large;
using constraint::Left;
using goal::Check;

namespace {

// Guesses; `faultline bench fpgen` shows what they find.
constexpr size_t most_goals = 4;       // of one combination
constexpr size_t most_known = 8192;    // combinations
constexpr size_t most_extensions = 12; // of one combination
constexpr int tiers_a_level = 2;       // that a combination falls back when it was not answered

CombinedGoal loss(size_t check, Large large) { return {check, Check::precision_loss, large, Left::anything}; }
CombinedGoal cancellation(size_t check, Left left) { return {check, Check::cancellation, Large::first, left}; }

} // namespace

Combinations::Combinations(size_t checks, int levels) : levels_(levels) {
  for (size_t check = checks; check-- > 0;)
    add({cancellation(check, Left::something)}, {}, 0);
  for (size_t check = 0; check < checks; ++check)
    for (const Large large : {Large::first, Large::second})
      add({loss(check, large)}, {}, 0);
}

void Combinations::add(std::vector<CombinedGoal> goals, const Near& near, int tier) {
  std::ranges::sort(goals);
  if (known_.size() < most_known && !is_refuted(goals) && known_.insert(goals).second)
    queue_.push({tier, number_++, {std::move(goals), 0, near}});
}

bool Combinations::is_refuted(const std::vector<CombinedGoal>& goals) const {
  return std::ranges::any_of(refuted_,
                             [&](const std::vector<CombinedGoal>& none) { return std::ranges::includes(goals, none); });
}

std::optional<Combination> Combinations::next() {
  while (!queue_.empty()) {
    Combination combination = queue_.top().combination;
    queue_.pop();
    if (!is_refuted(combination.goals))
      return combination;
  }
  return std::nullopt;
}

void Combinations::solved(const Combination& combination, const exec::Input& input) {
  const auto near = std::make_shared<const exec::Input>(input);
  if (combination.goals.size() == 1)
    pair_up(combination.goals.front(), near);
  else
    extend(combination, near);
}

// A loss and a later cancellation.
void Combinations::pair_up(const CombinedGoal& goal, const Near& near) {
  constexpr int tier = 1;
  if (goal.kind == Check::precision_loss) {
    losses_.push_back(goal);
    for (const CombinedGoal& after : cancellations_)
      if (after.check > goal.check)
        add({goal, after}, near, tier);
    return;
  }
  cancellations_.push_back(goal);
  for (const CombinedGoal& before : losses_)
    if (before.check < goal.check)
      add({before, goal}, near, tier);
}

void Combinations::extend(const Combination& combination, const Near& near) {
  const int tier = int(combination.goals.size());
  if (tier == 2 && combination.goals.back().left == Left::something)
    add({combination.goals.front(), cancellation(combination.goals.back().check, Left::nothing)}, near, tier);
  if (combination.goals.size() >= most_goals)
    return;
  size_t added = 0;
  const auto with = [&](const CombinedGoal& goal) {
    const bool outside = goal.check > combination.goals.back().check || goal.check < combination.goals.front().check;
    if (!outside || added++ >= most_extensions)
      return;
    std::vector<CombinedGoal> more = combination.goals;
    more.push_back(goal);
    add(std::move(more), near, tier);
  };
  for (const CombinedGoal& goal : cancellations_)
    if (goal.check > combination.goals.back().check)
      with(goal);
  for (const CombinedGoal& goal : losses_)
    with(goal);
}

void Combinations::refuted(const Combination& combination) {
  refuted_.push_back(combination.goals);
  leave_nothing(combination);
}

void Combinations::leave_nothing(const Combination& combination) {
  const CombinedGoal& goal = combination.goals.front();
  if (combination.goals.size() == 1 && goal.left == Left::something)
    add({cancellation(goal.check, Left::nothing)}, {}, 0);
}

bool Combinations::unanswered(Combination combination) {
  if (++combination.level >= levels_) {
    leave_nothing(combination);
    return false;
  }
  const int tier = int(combination.goals.size()) - 1 + tiers_a_level * combination.level;
  queue_.push({tier, number_++, std::move(combination)});
  return true;
}

} // namespace faultline::search
