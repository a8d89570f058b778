// Local search over the numbers of the floats, exact to the last bit: one variable moves at a time.
//
// Each round picks an assertion that fails, and an atom of it, and tries moves of the variables below: inverted ones
// (solve/newton/lattice.h) and steps of plus and minus 2^k floats. The best is taken if it lowers the weighted
// violation; otherwise the weights of what fails rise, and now and then a move is taken that does not help. Continuous
// methods stop a float or two beside a solution; this is what ends there.
#pragma once

#include "numeric/random.h"
#include "solve/newton/starts.h"
#include "solve/newton/violation.h"
#include "solve/solver.h"

namespace faultline::solve {

// Moves of one variable each that would make an atom hold, were the operations exact: the value that a comparison wants
// is carried down the term, each operation solved for one operand with the others held, to a variable.
//
// It is Newton's step where an operation has no inverse, and the answer itself (up to a float or two) where all have
// one. Where both operands depend on variables, one is drawn at random. (Propagation-based local search for bit-vectors
// by Niemetz, Preiner and Biere, CAV 2016, does this with exact inverses.)
struct Move {
  size_t variable = 0;
  constraint::Bits bits = 0;
};

// Appends some to `moves`.
void propose_inverted(const Violation& violation, const Violation::State& state, const Box& box, const Goal& atom,
                      numeric::Rng& rng, std::vector<Move>& moves);

class Lattice {
public:
  Lattice(Violation& violation, const Box& box, Starts& starts, numeric::Rng rng, const Deadline& deadline)
      : violation_(violation), box_(box), starts_(starts), rng_(rng), deadline_(deadline) {}

  // Improves `state` until it is satisfied (true), the work is done or time is over.
  // Ends where the fewest assertions failed.
  bool search(Violation::State& state, uint64_t work);

  // Draws a few variables anew, of those that failing assertions depend on.
  void kick(Violation::State& state);

private:
  void round(Violation::State& state);
  uint32_t failing_atom(const Violation::State& state);
  void propose_steps(const Violation::State& state, size_t variable);

  Violation& violation_;
  const Box& box_;
  Starts& starts_;
  numeric::Rng rng_;
  const Deadline& deadline_;
  std::vector<Move> moves_;
  std::vector<uint32_t> failing_;
};

} // namespace faultline::solve
