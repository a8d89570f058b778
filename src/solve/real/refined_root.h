// An isolated root, to real_precision bits: bisection, of the exponent first, and Newton's method as soon as it holds.
#pragma once

#include "solve/real/budget.h"
#include "solve/real/polynomial_held.h"

#include <optional>

namespace faultline::solve {

// The one root between two positive numbers, neither of which is a root. Nothing if the budget ends.
std::optional<BigFloat> refined_root(const Integers& f, BigFloat low, BigFloat high, Budget& budget);

} // namespace faultline::solve
