// The real roots of a polynomial, each once, in ascending order, to real_precision bits.
//
// Isolation is exact: Descartes' rule of signs on the square-free part, by bisection with integer arithmetic (Collins
// and Akritas, 1976). Exponents are halved before intervals are: coefficients come from floats, and roots lie anywhere
// between 2^-1074 and 2^1024, where halving the interval itself would take a thousand steps. Arb finds all
// complex roots (arb_fmpz_poly_complex_roots), and cannot be stopped: with roots near 1 it takes 2 to 29 times as long
// from degree 4 on, and 20 s instead of 0.2 ms for four roots between 1e-300 and 1e300.
#pragma once

#include "solve/real/budget.h"
#include "solve/real/polynomial.h"

#include <optional>
#include <vector>

namespace faultline::solve {

// Nothing if the budget ends first. Zero has none.
std::optional<std::vector<BigFloat>> real_roots(const Polynomial& polynomial, Budget& budget);

} // namespace faultline::solve
