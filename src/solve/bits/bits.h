// The complete solver: a system as a circuit, the circuit as clauses, and CaDiCaL decides (see BitsSystem and Cnf).
#pragma once

#include "solve/bits/known.h"
#include "solve/solver.h"

#include <span>

namespace faultline::solve {

// `known` for each term of the system, or empty. solve_bits(question) takes what interval propagation knows.
Result solve_bits(const Question& question, std::span<const Known> known);

} // namespace faultline::solve
