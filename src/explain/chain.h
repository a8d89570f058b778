// The error path: from the output back to where it arose, each step to the operand whose error makes the largest
// part of the result's. It ends where the operation's own rounding is the largest part.
//
// Errors are measured, so the path does not lead through operands that are exact, constants, or absorbed by a larger
// operand: their part is nothing. Infinities are followed as such: whoever made one out of finite operands is the end.
#pragma once

#include "tape/replay.h"
#include "tape/tape.h"

#include <vector>

namespace faultline::explain {

struct Link {
  uint32_t record = 0;
  double error = 0; // relative, of its result; infinity where the exact value is zero, or one of the two is infinite
  // log2 of the loss here against that of the operand on the path, or half an ulp where that is larger. The loss is the
  // error relative to the larger one of recorded and exact value: at most 1, when nothing is left to lose. Relative to
  // the exact value alone it would say that the operation after a total loss, whose exact result happens to be zero, is
  // worse than the one that lost all.
  double growth = 0;
  double share = 1; // of the output's error that comes along this path, at most 1
};

// The output first. Empty if the output has no error.
std::vector<Link> chain(const tape::Tape& tape, uint32_t output, const tape::Replay& exact);

} // namespace faultline::explain
