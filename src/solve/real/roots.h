// The real roots of a polynomial, each once, in ascending order, to real_precision bits.
//
// Isolation is exact: Descartes' rule of signs on the square-free part, by bisection with integer arithmetic (Collins
// and Akritas, 1976). Exponents are halved before intervals are: coefficients come from floats, and roots lie anywhere
// between 2^-1074 and 2^1024, where halving the interval itself would take a thousand steps. FLINT's own root finders
// were not taken because they find all complex roots, and cannot be stopped.
#pragma once

#include "solve/real/budget.h"
#include "solve/real/polynomial.h"

#include <optional>
#include <vector>

namespace faultline::solve {

// Nothing if the budget ends first. Zero has none.
std::optional<std::vector<BigFloat>> real_roots(const Polynomial& polynomial, Budget& budget);

} // namespace faultline::solve
