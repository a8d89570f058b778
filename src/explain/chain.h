// The error path: from the output back to the origin of its error. Each step goes to the operand whose error makes the
// largest part of the result's. The path ends where the operation's own rounding is the largest part.
//
// Errors are measured, so the path never goes through exact operands, constants, or operands absorbed by a larger one:
// their part is zero. Infinities are followed as such, back to the operation that made one from finite operands.
#pragma once

#include "tape/replay.h"
#include "tape/tape.h"

#include <vector>

namespace faultline::explain {

struct Link {
  uint32_t record = 0;
  double error = 0; // relative, of its result; infinity where the exact value is zero or one of both is infinite
  // log2 of the loss here relative to that of the operand on the path, or to half an ulp if that is larger. The loss is
  // the error relative to the larger of recorded and exact value, so at most 1, a total loss. Relative to the exact
  // value alone, the operation after a total loss, whose exact result happens to be zero, would seem worse than the one
  // that lost all.
  double growth = 0;
  double share = 1; // the fraction, at most 1, of the output's error on this path
};

// Returns the path, output first. Empty if the output has no error.
std::vector<Link> chain(const tape::Tape& tape, uint32_t output, const tape::Replay& exact);

} // namespace faultline::explain
