// Constructs cancellations directly: inputs are solved, one after another, until the exact value of an output is zero
// or another small target.
//
// Each step is a Newton step in exact arithmetic by one input: the adjoint gives the distance to move, the format of
// the input limits the precision. The first input cancels the sum of the others to its last bit. The next, if it is
// small enough to have bits there, cancels the rest, and so on, 24 bits per step for binary32. Meanwhile the computed
// value loses the bits it cannot hold: that is the error.
#pragma once

#include "search/fpgen/true_error.h"
#include "search/space.h"
#include "tape/tape.h"

#include <vector>

namespace faultline::search {

class Cancelling {
public:
  Cancelling(Quest& quest, TrueErrors& errors);

  // Changes the input so that the exact value of the output comes as close to the target as possible. `resting` inputs,
  // drawn at random, are set to zero first: they have all their bits for the later steps. Returns the error of the last
  // run that was kept.
  TrueError solve(exec::Input& input, size_t output, double target, size_t resting);

private:
  struct NewtonStep { // by one input
    size_t dimension;
    Value value;
    Value left; // of the distance, to first order
  };
  void rest(exec::Input& input, size_t count);
  std::vector<NewtonStep> steps(const exec::Input& input, size_t output, Value distance);
  Value distance(size_t output, double target);

  Quest& quest_;
  TrueErrors& errors_;
  numeric::BigFloat left_;
  std::vector<size_t> free_;
};

// Structured inputs, for code over many of them. The largest errors of sums, products and factorisations come from
// inputs that cancel exactly except for something tiny: equal or opposite values, powers of two, zeros, and magnitudes
// far apart. Random values rarely have these properties.

// Each array has its own rules, drawn anew for each sample.
exec::Input sample_structured(const Space& space, numeric::Rng& rng);

// Splits the inputs into two groups, so that the operands of products are apart (FPGen, ICSE 2020, Algorithm 1,
// partition-variables; the paper takes the split from a specification, here it comes from the tape).
//
// Two inputs should be apart if they meet in a product or quotient: one contributes to the left operand only, the other
// to the right one only. Elements of an array stay together if there is another array or scalar to separate them from.
// Where an array meets only itself (LU), its elements are separated one by one. Where not all pairs can be separated,
// pairs that meet more often, and with fewer others, have priority. Inputs that meet nothing are in the smaller group.
// Sums do not separate their operands: with one summand free and the others held there is no choice left. So dot(x, y)
// has the groups x and y, a weighted mean data and weights, and a sum one group.
struct OperandGroups {
  // Free float inputs, ascending. Among groups of equal size `smaller` is the one with fewer divisors, since solvers
  // handle free divisors badly; then the earlier one.
  std::vector<size_t> smaller, larger;

  bool parted() const { return !larger.empty(); }
};

// If nothing separates them, all inputs are in `smaller`.
OperandGroups operand_groups(const tape::Tape& tape, const Space& space);

} // namespace faultline::search
