// Findings as regression tests: what a test of the fixed code would call and what it may demand.
//
// A test must demand what a good implementation gives, no more. So every input is run again here, and the exact result
// is looked at around it: moving each input by an ulp changes it by so many ulps of the output, and half of that is
// what rounding the inputs alone would cost. The bound is 8 ulps and 8 times that: a backward stable algorithm perturbs
// its inputs by a few units. What is within the bound now, or is judged ill-conditioned or inherent, is left out, with
// the reason: a test of it would demand the impossible. The bound for a wrong branch is a quarter of the error: the
// test tells which branch was taken.
//
// Differences of exact results are preferred to derivatives along the run's own path: they hold where that path is the
// wrong one, overflowed, or divided by zero.
#pragma once

#include "campaign/finding.h"
#include "campaign/options.h"

namespace faultline::campaign {

// What is expected of an output.
struct Expectation {
  size_t output = 0; // of the target
  Number reference;
  Number computed;        // when the finding was made
  double ulps = 0;        // that this is off
  double bound = 0;       // in ulps
  double unavoidable = 0; // ulps that rounding the inputs alone would cost; not of a wrong branch
};

struct RegressionCase {
  std::string id; // of the finding
  Kind kind = Kind::inaccuracy;
  // Empty: the worst input; "simple": the finding's simpler one; "avoidable": where it is that; "other": a further one,
  // where the worst has an exact result of zero.
  std::string variant;
  std::string cause; // "fsub at foo.c:4"; empty if nobody knows
  std::vector<NamedNumber> input;
  std::optional<Expectation> expected; // none: the call must return
  std::string left_out;                // why there is no test of it; empty: there is one
};

struct RegressionTarget {
  std::string function;
  std::string file;
  frontend::Target target;
  std::vector<RegressionCase> cases;
};

// One target for each of the report that has findings. Throws frontend::UserError if the sources do not compile any
// more; a function that is gone is a reason to leave out its cases.
std::vector<RegressionTarget> regression_targets(const Report& report, const Options& options);

// The code that the targets call, as bitcode. Throws frontend::UserError.
std::string bitcode_for(const std::vector<RegressionTarget>& targets, const Options& options);

} // namespace faultline::campaign
