// Problems as regression tests: what a test of the fixed code calls, and what it may demand. Plain data, made by
// hunt/regression.h.
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

// One problem, at the most ordinary input of it that a test can be made of.
struct RegressionCase {
  std::string problem; // its id
  std::string fault;   // its class: cancellation
  std::string file;    // where it is; empty, and a line of 0, if nobody knows
  int line = 0;
  std::string source; // the expression there, as far as it is known
  Kind kind = Kind::inaccuracy;
  std::string detail; // of a crash: "called abort"
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
