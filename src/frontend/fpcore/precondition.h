// A precondition (:pre) taken apart: what bounds one argument becomes its range, and the rest is left to be checked by
// the function itself, which refuses other inputs.
#pragma once

#include "frontend/fpcore/core.h"

#include <string>
#include <vector>

namespace faultline::frontend::fpcore {

// Of the floats that the precondition admits, the lowest and the highest: (< 0 x 1) has the smallest subnormal.
struct ArgumentRange {
  std::string argument; // its name in C
  long double low = 0, high = 0;
};

struct Precondition {
  std::vector<ArgumentRange> ranges; // in the order of the arguments; none may be empty (low > high)
  std::vector<const Form*> rest;     // all of which must hold; they point into the core
};

Precondition precondition_of(const Core& core);

} // namespace faultline::frontend::fpcore
