// Symbolic execution with concretisation (FPGen, ICSE 2020, Algorithm 1), on tapes and our own solvers.
//
// The paper injects branches that are taken when an addition loses precision or cancels, and KLEE explores their
// combinations. Here the tape of the base input gives the path, combinations of goals are conjoined with its condition,
// and the portfolio of solvers answers in this process.
//
// Only some inputs are free in a round: at first a whole group of operands (search/fpgen/cancelling.h), while the
// others have the values of the base input. After a round with mostly unanswered questions, the next has half of the
// free inputs, chosen at random. After a successful round with fewer than all, the next has twice as many, drawn anew;
// after one with all, half of them. Groups alternate, the smaller first (the paper uses only the smaller one). So do
// two paths, if some samples take one with more checks than the base input's: where conditions skip updates, as in the
// weighted statistics of GSL, the best of a few random inputs may have skipped most.
//
// Effort is counted, not timed, and charged to the evaluator, so that the same seed finds the same on every machine.
// The clock is only an emergency limit.
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
  uint64_t asked = 0;     // combinations given to the solvers, with repetitions
  uint64_t solved = 0;    // with a model, and so an input; with repetitions
  uint64_t refuted = 0;   // no values of the free inputs reach all goals on this path
  uint64_t timed_out = 0; // combinations that no solver answered with the largest effort
  uint64_t rounds = 0;
  uint64_t reached = 0;                      // different goals (check and kind) that runs confirmed
  uint64_t goals = 0;                        // two for each check
  std::map<std::string, uint64_t> by_solver; // of the solved
};

// Solves until `share` of the evaluator's budget is spent or no question is left. Every new input is run and then
// passed to `found`, which may run inputs itself.
SymbolicOutcome solve_for_inaccuracy(Quest& quest, const exec::Input& base, double share,
                                     const std::function<void(const exec::Input&)>& found);

// The order in which goals of precision loss and cancellation are solved together: the branches that FPGen's symbolic
// execution explores (ICSE 2020, section 3.1), as a work list.
//
// Single goals come first, since a goal that is impossible alone is impossible with others. Then a loss followed by a
// cancellation: the first makes an error, the second exposes it. Then these with one more goal, before or after. Later
// cancellations come before earlier ones, since they are nearer to the result. A cancellation leaves a nonzero result
// if possible, otherwise zero; pairs are tried both ways.
//
// Unanswered combinations are retried with more effort, after equally promising ones that were not tried yet.
struct CombinedGoal {
  size_t check = 0; // index in the list of checked additions
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
  // `levels`: the number of attempts per combination.
  Combinations(size_t checks, int levels);

  // The most promising combination; nothing if all are done.
  std::optional<Combination> next();

  // Records a model.
  void solved(const Combination& combination, const exec::Input& input);
  void refuted(const Combination& combination);
  // False if there is no further level: the combination is dropped.
  bool unanswered(Combination combination);

private:
  struct Entry {
    int tier;
    uint64_t number;
    Combination combination;
    bool operator<(const Entry& other) const { // the queue's top is its largest element
      return tier != other.tier ? tier > other.tier : number > other.number;
    }
  };
  using NearInput = std::shared_ptr<const exec::Input>;
  void add(std::vector<CombinedGoal> goals, const NearInput& near, int tier);
  void pair_up(const CombinedGoal& goal, const NearInput& near);
  void extend(const Combination& combination, const NearInput& near);
  void leave_nothing(const Combination& combination); // if it was to leave something
  bool is_refuted(const std::vector<CombinedGoal>& goals) const;

  int levels_;
  uint64_t number_ = 0;
  std::priority_queue<Entry> queue_;
  std::set<std::vector<CombinedGoal>> known_;
  std::vector<CombinedGoal> losses_, cancellations_; // those possible alone
  std::vector<std::vector<CombinedGoal>> refuted_;
};

} // namespace faultline::search
