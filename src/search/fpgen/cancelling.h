// Direct construction of cancellation: inputs are solved, one after another, until an output's exact value is zero or
// another small target.
//
// Each step is Newton's, in exact arithmetic and by one input: the adjoint says how far it must move, its format how
// close it can come. The first input cancels the sum of the others to its last bit; the next, if it is small enough to
// have bits there, cancels what is left of that, and so on, 24 bits a step for binary32. Meanwhile the computed value
// loses what it cannot hold: that is the error.
#pragma once

#include "search/fpgen/true_error.h"
#include "search/space.h"
#include "tape/tape.h"

#include <vector>

namespace faultline::search {

class Cancelling {
public:
  Cancelling(Quest& quest, TrueErrors& errors);

  // Changes the input so that the exact value of the output comes as close to the target as it can. `resting` inputs,
  // drawn at random, are set to zero first: they have all their bits for the later steps. Returns the error of the
  // last run that was kept.
  TrueError solve(exec::Input& input, size_t output, double target, size_t resting);

private:
  struct NewtonStep { // of one input
    size_t dimension;
    long double value;
    long double left; // of the distance, to first order
  };
  void rest(exec::Input& input, size_t count);
  std::vector<NewtonStep> steps(const exec::Input& input, size_t output, long double distance);
  long double distance(size_t output, double target);

  Quest& quest_;
  TrueErrors& errors_;
  numeric::BigFloat left_;
  std::vector<size_t> free_;
};

// Inputs with structure, for code over many of them. The largest errors of sums, products and factorisations come from
// inputs that cancel exactly but for something tiny: equal or opposite values, powers of two, zeros, and magnitudes far
// apart. Random values from everywhere are none of these.

// Every array by rules of its own, drawn anew for each sample.
exec::Input sample_structured(const Space& space, numeric::Rng& rng);

// The inputs in two groups, so that the operands of products are apart (FPGen, ICSE 2020, Algorithm 1,
// partition-variables; the paper reads it from a specification, here the tape tells).
//
// Two inputs should be apart if they meet in a product or quotient: one has a part in the left operand only, the other
// in the right one only. Elements of an array stay together, if there is another array or scalar to part them from;
// where an array meets itself only (LU), its elements are parted one by one. Where that cannot be done for all, pairs
// that meet more often, and with fewer others beside them, come first. Inputs that meet nothing are in the smaller
// group. Sums do not part their operands: with one summand free and the others held there is no choice left. So dot(x,
// y) has the groups x and y, a weighted mean data and weights, and a sum one group.
struct OperandGroups {
  // Free float inputs, ascending. Of groups of one size `smaller` is the one that divides less, since solvers are bad
  // at free divisors, then the earlier.
  std::vector<size_t> smaller, larger;

  bool parted() const { return !larger.empty(); }
};

// If nothing parts them, all inputs are in `smaller`.
OperandGroups operand_groups(const tape::Tape& tape, const Space& space);

} // namespace faultline::search
