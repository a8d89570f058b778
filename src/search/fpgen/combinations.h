// Which goals of precision loss and cancellation to solve for together, and in which order: the branches that FPGen's
// symbolic execution explores (ICSE 2020, section 3.1), as a list of work.
//
// Single goals come first, for what alone is impossible is so with others. Then a loss followed by a cancellation: the
// first makes an error, the second lets it through. Then these with one goal more, before or after. Later cancellations
// come before earlier ones, since they are nearer to the result. A cancellation leaves something if it can, and nothing
// if that cannot be had; pairs are tried both ways.
//
// What no solver answers comes again with more effort, behind what is as promising and was not tried yet.
#pragma once

#include "constraint/inaccuracy.h"
#include "exec/session.h"

#include <memory>
#include <optional>
#include <queue>
#include <set>

namespace faultline::search {

struct CombinedGoal {
  size_t check = 0; // its place in the list of checked additions
  goal::Check kind = goal::Check::cancellation;
  constraint::Large large = constraint::Large::first;
  constraint::Left left = constraint::Left::anything;

  auto operator<=>(const CombinedGoal&) const = default;
};

struct Combination {
  std::vector<CombinedGoal> goals;              // in the order of execution
  int level = 0;                                // of effort
  std::shared_ptr<const exec::Input> near = {}; // solves all goals but one; may be null
};

class Combinations {
public:
  // `levels`: how often a combination is tried.
  Combinations(size_t checks, int levels);

  // The most promising; nothing if all are through.
  std::optional<Combination> next();

  // What became of it.
  void solved(const Combination& combination, const exec::Input& input);
  void refuted(const Combination& combination);
  // False if there is no level left: it is given up.
  bool unanswered(Combination combination);

private:
  struct Entry {
    int tier;
    uint64_t number;
    Combination combination;
    bool operator<(const Entry& other) const { // the queue's top is its largest
      return tier != other.tier ? tier > other.tier : number > other.number;
    }
  };
  using Near = std::shared_ptr<const exec::Input>;
  void add(std::vector<CombinedGoal> goals, const Near& near, int tier);
  void pair_up(const CombinedGoal& goal, const Near& near);
  void extend(const Combination& combination, const Near& near);
  void leave_nothing(const Combination& combination); // if it was to leave something
  bool is_refuted(const std::vector<CombinedGoal>& goals) const;

  int levels_;
  uint64_t number_ = 0;
  std::priority_queue<Entry> queue_;
  std::set<std::vector<CombinedGoal>> known_;
  std::vector<CombinedGoal> losses_, cancellations_; // that are possible alone
  std::vector<std::vector<CombinedGoal>> refuted_;
};

} // namespace faultline::search
