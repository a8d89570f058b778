// What one value should have been, from what its operands should have been: the rules by which residues
// (tape/residue.h) pass through an operation.
//
// Of + - * / and sqrt the rounding error is exact (error-free transformations) and the rule is the operation's own;
// of functions it is that of x87's format, or of MPFR, and the rule their slope, or for large residues the difference.
#pragma once

#include "tape/tape.h"

#include <cmath>

namespace faultline::tape {

struct Shadow {
  long double exact;
  long double error; // exact minus recorded
};

// The result of an operation at this site, given its operands (`arity` of them) as they are and as they were recorded,
// and the result that was recorded.
Shadow shadow_of(const Site& site, const Shadow* operands, const long double* values, int arity, long double result);

// Where products and their errors neither overflow nor underflow in binary64.
inline bool roomy(double value) {
  const double magnitude = std::fabs(value);
  return magnitude > 0x1p-900 && magnitude < 0x1p+900;
}

} // namespace faultline::tape
