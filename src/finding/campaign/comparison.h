// Two states of a library: which problems are new, fixed, as they were, or changed.
//
// A problem is known again by the fingerprints of its findings, which do not mind that lines have moved; or else by its
// place and class, for a line that was changed and is still wrong.
#pragma once

#include "finding/json/json.h"
#include "finding/problem.h"

#include <string>
#include <vector>

namespace faultline::finding {

struct ChangedProblem {
  const Problem* before = nullptr;
  const Problem* after = nullptr;
};

struct Comparison {
  std::vector<Problem> before, after; // all that count, most important first; they point into the reports

  std::vector<const Problem*> fresh;
  std::vector<const Problem*> fixed; // of functions that are still there
  std::vector<const Problem*> gone;  // with their functions
  std::vector<const Problem*> unchanged;
  std::vector<ChangedProblem> changed; // of another tier, or an error at least twice as large or half as large
};

// The reports must outlive it.
Comparison compare(const Report& before, const Report& after);

// Is there a new problem of this tier or a higher one?
bool has_new(const Comparison& comparison, Tier fail_on);

Json to_json(const Comparison& comparison);

} // namespace faultline::finding
