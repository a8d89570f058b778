// The inputs in two groups, so that the operands of products are apart (FPGen, ICSE 2020, Algorithm 1,
// partition-variables; the paper reads it from a specification, here the tape tells).
//
// Two inputs should be apart if they meet in a product or quotient: one has a part in the left operand only, the other
// in the right one only. Elements of an array stay together, if there is another array or scalar to part them from;
// where an array meets itself only (LU), its elements are parted one by one. Where that cannot be done for all, pairs
// that meet more often, and with fewer others beside them, come first. Inputs that meet nothing are in the smaller
// group. Sums do not part their operands: with one summand free and the others held there is no choice left. So dot(x,
// y) has the groups x and y, a weighted mean data and weights, and a sum one group.
#pragma once

#include "search/space.h"
#include "tape/tape.h"

#include <vector>

namespace faultline::search {

struct OperandGroups {
  // Free float inputs, ascending. Of groups of one size `smaller` is the one that divides less, since solvers are bad
  // at free divisors, then the earlier.
  std::vector<size_t> smaller, larger;

  bool parted() const { return !larger.empty(); }
};

// If nothing parts them, all inputs are in `smaller`.
OperandGroups operand_groups(const tape::Tape& tape, const Space& space);

} // namespace faultline::search
