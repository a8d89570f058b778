// Local search over the numbers of the floats, exact to the last bit: one variable moves at a time.
//
// Each round picks an assertion that fails, and an atom of it, and tries moves of the variables below: inverted ones
// (solve/newton/inversion.h) and steps of plus and minus 2^k floats. The best is taken if it lowers the weighted
// violation; otherwise the weights of what fails rise, and now and then a move is taken that does not help. Continuous
// methods stop a float or two beside a solution; this is what ends there.
#pragma once

#include "solve/newton/inversion.h"
#include "solve/newton/starts.h"
#include "solve/solver.h"

namespace faultline::solve {

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
