// The complete solver: a system as a circuit, the circuit as clauses, and CaDiCaL decides (see BitsSystem and Cnf).
//
// The circuits are our own. SymFPU was not tried in their place; cvc5, which has SymFPU's over CaDiCaL, answers 2 of 59
// problems of griggio-small in 4 s each, and this solver 27; of 56 problems of jfs in 2 s each, 4 and 19.
#pragma once

#include "solve/bits/known.h"
#include "solve/solver.h"

#include <span>

namespace faultline::solve {

// `known` for each term of the system, or empty. solve_bits(question) takes what interval propagation knows.
Result solve_bits(const Question& question, std::span<const Known> known);

} // namespace faultline::solve
