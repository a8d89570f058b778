// Findings as regression tests: what a test of the fixed code calls, and what it may demand. Plain data, made by
// campaign/regression.h.
#pragma once

#include "finding/finding.h"
#include "frontend/target.h"

#include <optional>
#include <string>
#include <vector>

namespace faultline::finding {

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

} // namespace faultline::finding
