// Root cause: which operation made the output wrong.
//
// Rounding errors are everywhere and harmless; what hurts is the operation that amplifies them. So the cause is not the
// operation whose own rounding error ends up largest in the output (for (1 - cos x)/x^2 that is the cosine, correctly
// rounded and blameless), but the one on the error path (explain/chain.h) at which the relative error grows most
// against its operands (the subtraction). An operation that runs many times is judged by what all its executions on the
// path do to the error together: a loop that adds a little each time is as guilty as a single jump, and one that now
// blows the error up and now adds something large again is not.
//
// Where no operation stands out, roundings have accumulated, and the one is named whose own roundings are most of it.
#pragma once

#include "explain/chain.h"
#include "numeric/bigfloat.h"
#include "tape/replay.h"
#include "tape/tape.h"

#include <array>
#include <vector>

namespace faultline::explain {

struct Blame {
  uint32_t record = 0; // 0: nobody, there is no error
  double condition = 0;
  double share = 0;         // of the output's error that passes through this operation, at most 1
  double amplification = 0; // its relative error against that of its operand on the error path
  bool accumulated = false; // no operation stands out
  size_t executions = 1;    // of the same place on the error path
};

// `output` is the record that made the wrong output. `exact` are the replayed values of all records.
Blame find_cause(const tape::Tape& tape, uint32_t output, const tape::Replay& exact);
Blame find_cause(const tape::Tape& tape, const std::vector<Link>& path, const tape::Replay& exact);

// Do two records stem from the same place in the source?
bool same_place(const tape::Tape& tape, uint32_t a, uint32_t b);

// |recorded - exact| / |exact| of each record; infinity where the exact value is zero and the recorded is not.
std::vector<double> relative_errors(const tape::Tape& tape, const tape::Replay& exact);

// Whose rounding it is: the part of the output's error that arose in each operation of the run.
//
// One sweep from the output back, along the parts of explain/cause.h instead of derivatives: so the shares add up to
// the error that was measured, and not to a first-order estimate of it. They are signed, as roundings may make up for
// each other.

// One entry a record, with the sum 1 (0 if the output has no error). Where an infinity is on the way, all of it is its
// maker's. Where an iteration forgets its errors, what passes through an operation may be 1e20 times the sum, and
// cancels: it is counted in the precision of the exact values.
std::vector<long double> own_shares(const tape::Tape& tape, uint32_t output, const tape::Replay& exact);

// The error of one result, split into where it came from: what each operand's error made of it, and the operation's own
// rounding. The parts add up to the error exactly, however large it is: they are differences of the operation's values
// at recorded and at exact operands, not derivatives. (First order fails just where it matters: where an error outgrows
// the value, and at the poles and corners that large errors jump over.)
//
//   recorded - exact  =  own  +  sum of parts,     own = recorded - op(recorded operands)
//
// Of two operands, each one's part is the mean of its effect with the other one exact and with the other one recorded.
struct Parts {
  numeric::BigFloat error;                   // recorded minus exact
  std::array<numeric::BigFloat, 3> operands; // zero for constants, and for what the operation lacks
  numeric::BigFloat own;
};

// Recorded minus exact. Not finite if either is not.
numeric::BigFloat error_of(const tape::Tape& tape, uint32_t index, const tape::Replay& exact);

Parts parts_of(const tape::Tape& tape, uint32_t index, const tape::Replay& exact);

} // namespace faultline::explain
