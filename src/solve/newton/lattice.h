// Local search over the numbers of the floats, exact to the last bit: moves one variable at a time.
//
// Each round picks a failing assertion and one of its atoms, and tries moves of the variables below: inverted ones and
// steps of plus and minus 2^k floats. The best move is taken if it lowers the weighted violation; otherwise the weights
// of failing assertions rise, and occasionally a move is taken that does not help. Continuous methods stop a float or
// two next to a solution; this search ends there.
#pragma once

#include "numeric/random.h"
#include "solve/newton/starts.h"
#include "solve/newton/violation.h"
#include "solve/solver.h"

namespace faultline::solve {

// Moves of one variable that would satisfy an atom if the operations were exact: the value that a comparison needs is
// propagated down the term to a variable, solving each operation for one operand with the others fixed.
//
// The result is Newton's step where an operation has no inverse, and the solution itself (up to a float or two) where
// all have one. If both operands depend on variables, one is drawn at random. (Propagation-based local search for
// bit-vectors by Niemetz, Preiner and Biere, CAV 2016, does this with exact inverses.)
struct Move {
  size_t variable = 0;
  Bits bits = 0;
};

// Appends moves to `moves`.
void propose_inverted(const Violation& violation, const Violation::State& state, const Box& box, const Goal& atom,
                      numeric::Rng& rng, std::vector<Move>& moves);

class Lattice {
public:
  Lattice(Violation& violation, const Box& box, Starts& starts, numeric::Rng rng, const Deadline& deadline)
      : violation_(violation), box_(box), starts_(starts), rng_(rng), deadline_(deadline) {}

  // Improves `state` until it is satisfied (true), the work is done or the time is over. `state` ends at the point with
  // the fewest failing assertions.
  bool search(Violation::State& state, uint64_t work);

  // Redraws a few variables on which failing assertions depend.
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
