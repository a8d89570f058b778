// The error of one result, split into where it came from: what each operand's error made of it, and the operation's own
// rounding. The parts add up to the error exactly, however large it is: they are differences of the operation's values
// at recorded and at exact operands, not derivatives. (First order fails just where it matters: where an error outgrows
// the value, and at the poles and corners that large errors jump over.)
//
//   recorded - exact  =  own  +  sum of parts,     own = recorded - op(recorded operands)
//
// Of two operands, each one's part is the mean of its effect with the other one exact and with the other one recorded.
#pragma once

#include "numeric/bigfloat.h"
#include "tape/replay.h"
#include "tape/tape.h"

#include <array>

namespace faultline::explain {

struct Parts {
  numeric::BigFloat error;                   // recorded minus exact
  std::array<numeric::BigFloat, 3> operands; // zero for constants, and for what the operation lacks
  numeric::BigFloat own;
};

// Recorded minus exact. Not finite if either is not.
numeric::BigFloat error_of(const tape::Tape& tape, uint32_t index, const tape::Replay& exact);

Parts parts_of(const tape::Tape& tape, uint32_t index, const tape::Replay& exact);

} // namespace faultline::explain
