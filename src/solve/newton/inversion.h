// Moves of one variable each that would make an atom hold, were the operations exact: the value that a comparison wants
// is carried down the term, each operation solved for one operand with the others held, to a variable.
//
// It is Newton's step where an operation has no inverse, and the answer itself (up to a float or two) where all have
// one. Where both operands depend on variables, one is drawn at random. (Propagation-based local search for bit-vectors
// by Niemetz, Preiner and Biere, CAV 2016, does this with exact inverses.)
#pragma once

#include "numeric/random.h"
#include "solve/newton/box.h"
#include "solve/newton/violation.h"

namespace faultline::solve {

struct Move {
  size_t variable = 0;
  constraint::Bits bits = 0;
};

// Appends some to `moves`.
void propose_inverted(const Violation& violation, const Violation::State& state, const Box& box, const Goal& atom,
                      numeric::Rng& rng, std::vector<Move>& moves);

} // namespace faultline::solve
