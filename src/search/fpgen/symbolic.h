// Symbolic execution with concretisation (FPGen, ICSE 2020, Algorithm 1), on tapes and our own solvers.
//
// The paper injects branches that are taken when an addition loses precision or cancels, and lets KLEE explore their
// combinations. Here the tape of the base input gives the path, combinations of goals (search/fpgen/combinations.h) are
// conjoined with its condition, and the portfolio of solvers answers, in this process.
//
// Only some inputs are free in a round: at first a whole group of operands (search/fpgen/operand_groups.h), the others
// having the values of the base input. A round whose questions mostly go unanswered is followed by one with half of the
// free inputs, chosen at random; a round that came through with fewer than all by one with twice as many, drawn anew;
// one that came through with all by one with half of them. Groups take turns, the smaller first (the paper stays with
// the smaller one). So do two paths, if some samples take one with more checks than the base input's: where conditions
// skip updates, as the weighted statistics of GSL do, the best of a few random inputs may have skipped most.
//
// Effort is counted, not timed, and charged to the evaluator, so that the same seed finds the same on every machine;
// the clock is a brake only.
#pragma once

#include "search/strategy.h"

#include <functional>
#include <map>
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

} // namespace faultline::search
