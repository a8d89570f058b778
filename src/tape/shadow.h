// The exact value of a result, from the exact values of its operands: the rules by which residues (tape/residue.h) pass
// through an operation.
//
// For + - * / and sqrt the rounding error is exact (error-free transformations) and the rule is the operation's own.
// For functions the error is that of x87's format, or of MPFR, and the rule is the slope or, for large residues, the
// difference.
#pragma once

#include "numeric/bigfloat.h"
#include "tape/tape.h"

#include <algorithm>
#include <cmath>

namespace faultline::tape {

struct Shadow {
  long double exact;
  long double error; // exact minus recorded
};

// Returns the shadow of a result at this site, given its `arity` operands, exact and as recorded, and the recorded
// result.
Shadow shadow_of(const Site& site, const Shadow* operands, const long double* values, int arity, long double result);

// True where products and their errors neither overflow nor underflow in binary64.
inline bool roomy(double value) {
  const double magnitude = std::fabs(value);
  return magnitude > 0x1p-900 && magnitude < 0x1p+900;
}

// The error of one result in the usual measures.
struct ErrorSizes {
  double absolute = 0;
  double relative = 0; // to the exact result, or to the floor if that is larger
  double ulps = 0;     // of the exact result, in the output's format
};

// Returns zeros where a number is not finite.
inline ErrorSizes sizes_of(const Shadow& shadow, numeric::Format format, double floor) {
  if (!std::isfinite(shadow.exact) || !std::isfinite(shadow.error) || shadow.error == 0)
    return {};
  const long double error = std::fabs(shadow.error), size = std::max(std::fabs(shadow.exact), (long double)floor);
  return {double(error), double(error / size), double(error / numeric::ulp(shadow.exact, format))};
}

} // namespace faultline::tape
