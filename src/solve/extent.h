// The extent of a term: its least and its greatest value over all models of a system, exact to the last float.
//
// Propagation gives an interval that contains all models; a model gives a value inside. The unknown part between them
// is bisected in the order of numeric/format.h by asking for a model in it: at most one question per bit of the format
// for each end. NaN has no place in an order and is excluded: a system whose models all make the term NaN has an empty
// extent. An extent may have gaps.
#pragma once

#include "solve/interval/domain.h"
#include "solve/solver.h"

namespace faultline::solve {

struct Extent {
  Range seen;     // from the least to the greatest value in a known model; empty if no model is known
  Range possible; // proved: no model has a value outside; empty: no model exists
  Model least_model = {}, greatest_model = {};
  uint64_t questions = 0, projections = 0; // the cost

  bool infeasible() const { return possible.empty(); }
  bool least_proven() const { return infeasible() || (!seen.empty() && seen.low == possible.low); }
  bool greatest_proven() const { return infeasible() || (!seen.empty() && seen.high == possible.high); }
  bool exact() const { return least_proven() && greatest_proven(); }
};

struct ExtentLimits {
  double seconds = 10;            // for all questions together
  uint64_t effort = ~uint64_t(0); // for each question, as in Question
  bool ulp_max = true;
};

// For a float term. Unanswered questions leave an end unproved.
Extent extent(const System& system, Term term, const NamedSolver& solver, const ExtentLimits& limits = {});

} // namespace faultline::solve
