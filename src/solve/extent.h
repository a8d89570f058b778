// The extent of a term: its least and its greatest value over all models of a system, exact to the last float.
//
// Propagation gives an interval that no model leaves; a model gives a value inside. Between the two lies what is not
// known yet, and it is halved, in the order of numeric/format.h, by asking for a model there: at most one question a
// bit of the format for each end. NaN has no place in an order, and is left out: a system whose models all make the
// term NaN has an empty extent. An extent may have gaps.
#pragma once

#include "solve/interval/domain.h"
#include "solve/solver.h"

namespace faultline::solve {

struct Extent {
  Range seen;     // from the least to the greatest value that a model has; empty if no model is known
  Range possible; // no model has a value outside, proven; empty: there is no model
  constraint::Model least_model = {}, greatest_model = {};
  uint64_t questions = 0, projections = 0; // what it cost

  bool infeasible() const { return possible.empty(); }
  bool least_proven() const { return infeasible() || (!seen.empty() && seen.low == possible.low); }
  bool greatest_proven() const { return infeasible() || (!seen.empty() && seen.high == possible.high); }
  bool exact() const { return least_proven() && greatest_proven(); }
};

struct ExtentLimits {
  double seconds = 10;            // of all questions together
  uint64_t effort = ~uint64_t(0); // of each question, as in Question
  bool ulp_max = true;
};

// Of a float term. Questions that the solver does not answer leave an end unproven.
Extent extent(const constraint::System& system, constraint::Term term, const NamedSolver& solver,
              const ExtentLimits& limits = {});

} // namespace faultline::solve
