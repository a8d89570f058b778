// Rational functions: a term as a quotient of polynomials with integer coefficients in atoms, by FLINT. An atom is a part
// that is no field operation: a variable, sqrt(u), sin(u). The powers of a root, of |u|, and products of exponentials are
// reduced: sqrt(u)^2 = u, exp(2 u) = exp(u)^2.
//
// Common denominators, cancellation, factors and expansions are thus one step, and equality of two such terms is
// decided.
#pragma once

#include "fix/term.h"

#include <vector>

namespace faultline::fix {

// Other forms of the term, all equal to it wherever both are defined: expanded, factored, collected by each atom.
// Empty if it is too large.
std::vector<Term> rational_forms(const Term& term);

// True if both are the same rational function of their atoms.
bool same_rational(const Term& a, const Term& b);

} // namespace faultline::fix
