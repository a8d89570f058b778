// Symbolic execution with concretisation (FPGen, ICSE 2020, Algorithm 1), on tapes and our own solvers.
//
// The paper injects branches that are taken when an addition loses precision or cancels, and lets KLEE explore their
// combinations. Here the tape of the base input gives the path, combinations of goals (search/fpgen/symbolic.h) are
// conjoined with its condition, and the portfolio of solvers answers, in this process.
//
// Only some inputs are free in a round: at first a whole group of operands (search/fpgen/cancelling.h), the others
// having the values of the base input. A round whose questions mostly go unanswered is followed by one with half of the
// free inputs, chosen at random; a round that came through with fewer than all by one with twice as many, drawn anew;
// one that came through with all by one with half of them. Groups take turns, the smaller first (the paper stays with
// the smaller one). So do two paths, if some samples take one with more checks than the base input's: where conditions
// skip updates, as the weighted statistics of GSL do, the best of a few random inputs may have skipped most.
//
// Effort is counted, not timed, and charged to the evaluator, so that the same seed finds the same on every machine;
// the clock is a brake only.
#pragma once

#include "constraint/tape_terms.h"
#include "exec/session.h"
#include "search/strategy.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <set>
#include <string>

namespace faultline::search {

struct SymbolicOutcome {
  uint64_t asked = 0;     // combinations, each time they were put to the solvers
  uint64_t solved = 0;    // with a model, and so an input; some come again
  uint64_t refuted = 0;   // no values of the free inputs reach all goals on this path
  uint64_t timed_out = 0; // combinations that no solver answered with all the effort there is
  uint64_t rounds = 0;
  uint64_t reached = 0;                      // different goals (check and kind) that runs confirmed
  uint64_t goals = 0;                        // two for each check
  std::map<std::string, uint64_t> by_solver; // of the solved
};

// Until `share` of the evaluator's budget is spent or nothing is left to ask. Every new input is run, and then `found`
// is told; it may run inputs itself.
SymbolicOutcome solve_for_inaccuracy(Quest& quest, const exec::Input& base, double share,
                                     const std::function<void(const exec::Input&)>& found);

// Which goals of precision loss and cancellation to solve for together, and in which order: the branches that FPGen's
// symbolic execution explores (ICSE 2020, section 3.1), as a list of work.
//
// Single goals come first, for what alone is impossible is so with others. Then a loss followed by a cancellation: the
// first makes an error, the second lets it through. Then these with one goal more, before or after. Later cancellations
// come before earlier ones, since they are nearer to the result. A cancellation leaves something if it can, and nothing
// if that cannot be had; pairs are tried both ways.
//
// What no solver answers comes again with more effort, behind what is as promising and was not tried yet.
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
