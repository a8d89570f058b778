// Back through an elementary function: for which arguments its value lies in a set.
//
// Monotone functions, over the reals, by their inverses in MPFR; cosh by its two branches; sin, cos and tan on the
// periods around zero and around each hint; roundings to an integer as the step functions they are. What is left out
// (erf, gamma functions, functions of two unknowns) has no inverse here.
#pragma once

#include "ops/op.h"
#include "solve/real/real_set.h"

#include <optional>
#include <span>

namespace faultline::solve {

// A function of one unknown.
struct ElementaryFunction {
  ops::Op op = ops::Op::none;
  // Of pow: the operand that is no unknown, and which one it is.
  BigFloat constant = real_number(0);
  bool constant_base = false;

  bool operator==(const ElementaryFunction&) const = default;
};

bool invertible(const ElementaryFunction& function);

// Arguments outside the domain are in no preimage.
RealSet preimage(const ElementaryFunction& function, const RealSet& values, std::span<const double> hints);

} // namespace faultline::solve
