// Inverts elementary functions: finds the arguments for which the value is in a set.
//
// Monotone functions are inverted over the reals in MPFR; cosh by its two branches; sin, cos and tan on the periods
// around zero and around each hint; roundings to an integer as step functions. Other functions (erf, gamma functions,
// functions of two unknowns) have no inverse here.
#pragma once

#include "ops/op.h"
#include "solve/real/real_set.h"

#include <optional>
#include <span>

namespace faultline::solve {

// A function of one unknown.
struct ElementaryFunction {
  Op op = Op::none;
  // For pow: the constant operand, and its position.
  BigFloat constant = real_number(0);
  bool constant_base = false;

  bool operator==(const ElementaryFunction&) const = default;
};

bool invertible(const ElementaryFunction& function);

// Arguments outside the domain are in no preimage.
RealSet preimage(const ElementaryFunction& function, const RealSet& values, std::span<const double> hints);

} // namespace faultline::solve
