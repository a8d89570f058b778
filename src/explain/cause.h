// Root cause: the operation that made the output wrong.
//
// Rounding errors are everywhere and mostly harmless; operations that amplify them do damage. So the cause is not the
// operation whose own rounding error is largest in the output. For (1 - cos x)/x^2 that is the cosine, which is
// correctly rounded. It is the operation on the error path at which the relative error grows most
// against its operands (the subtraction). The executions of an operation on the path are judged together: a loop that
// adds a little each time is as guilty as a single jump, and an operation that first amplifies the error and then adds
// a large number again is not.
//
// If no single operation is responsible, roundings have accumulated. The cause is then the operation whose own
// roundings contribute most.
#pragma once

#include "numeric/bigfloat.h"
#include "tape/replay.h"
#include "tape/tape.h"

#include <array>
#include <vector>

namespace faultline::explain {

// The error path: from the output back to the origin of its error. Each step goes to the operand whose error makes the
// largest part of the result's. The path ends where the operation's own rounding is the largest part.
//
// Errors are measured, so the path never goes through exact operands, constants, or operands absorbed by a larger one:
// their part is zero. Infinities are followed as such, back to the operation that made one from finite operands.
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

struct Blame {
  uint32_t record = 0; // 0: none, there is no error
  double condition = 0;
  double share = 0;         // the fraction, at most 1, of the output's error that passes through this operation
  double amplification = 0; // its relative error divided by that of its operand on the error path
  bool accumulated = false; // no single operation is responsible
  size_t executions = 1;    // executions of the same place on the error path
};

// `output` is the record of the wrong output. `exact` holds the replayed values of all records.
Blame find_cause(const tape::Tape& tape, uint32_t output, const tape::Replay& exact);
Blame find_cause(const tape::Tape& tape, const std::vector<Link>& path, const tape::Replay& exact);

// True if two records come from the same place in the source.
bool same_place(const tape::Tape& tape, uint32_t a, uint32_t b);

// The operations whose results meet in this one, scaled: its operands, and behind products, quotients, roots and
// conversions the sums and functions that these are made of. Failures that share one of them have one root: the slope
// and the intercept of a regression by raw sums. Earliest first, at most a few.
std::vector<uint32_t> roots_of(const tape::Tape& tape, uint32_t record);

// Returns |recorded - exact| / |exact| of each record; infinity where only the exact value is zero.
std::vector<double> relative_errors(const tape::Tape& tape, const tape::Replay& exact);

// Own shares: the part of the output's error that arose in each operation of the run.
//
// One backward sweep from the output follows the parts defined below, not derivatives. The shares therefore add up to
// the measured error and not to a first-order estimate. They are signed, since roundings may compensate each other.

// Returns one entry per record, with the sum 1 (0 if the output has no error). If an infinity is on the way, its origin
// gets all of it. Where an iteration forgets its errors, the error that passes through an operation may be 1e20 times
// the sum, and cancels. It is therefore computed in the precision of the exact values.
std::vector<numeric::Value> own_shares(const tape::Tape& tape, uint32_t output, const tape::Replay& exact);

// The error of one result, split by origin: the part that each operand's error causes, and the operation's own
// rounding. The parts add up to the error exactly, however large it is: they are differences of the operation's values
// at recorded and at exact operands, not derivatives. (First-order estimates fail where it matters: where an error
// outgrows the value, and at the poles and corners that large errors jump over.)
//
//   recorded - exact  =  own  +  sum of parts,     own = recorded - op(recorded operands)
//
// With two operands, each one's part is the mean of its effect with the other one exact and with the other one
// recorded.
struct Parts {
  numeric::BigFloat error;                   // recorded minus exact
  std::array<numeric::BigFloat, 3> operands; // zero for constants and absent operands
  numeric::BigFloat own;
};

// Returns recorded minus exact. Not finite if either is not.
numeric::BigFloat error_of(const tape::Tape& tape, uint32_t index, const tape::Replay& exact);

Parts parts_of(const tape::Tape& tape, uint32_t index, const tape::Replay& exact);

} // namespace faultline::explain
