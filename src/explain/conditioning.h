// Decides whether the problem is ill-conditioned at this input, or the algorithm. Any algorithm in this precision has
// an error of about the problem's condition number times half an ulp of the inputs. A larger error is the algorithm's
// own.
#pragma once

#include "tape/replay.h"
#include "tape/tape.h"

namespace faultline::explain {

// A backward stable algorithm perturbs its inputs by a few units, not by half a unit. So an error of up to this many
// times the effect of rounding the inputs is still the problem's own. Known cases lie on both sides: the
// ill-conditioned ones of tests/unit/judge/judge_test.cpp have errors of at most 1.3 times that effect, the avoidable
// ones of at least 19 times (Heron's formula for a needle) and mostly 1e15 times, each by moving inputs and constants
// in 400 bits.
inline constexpr double few_roundings = 8;

struct Conditioning {
  double problem_condition = 0;
  double unavoidable = 0;       // relative error from rounding the inputs alone
  bool ill_conditioned = false; // the measured error is at most a few times that
  // False where the derivatives on this path are meaningless: a division by a number that is zero, or indistinguishable
  // from zero at any precision (the pivot of a singular matrix), or a result beyond the range of doubles.
  bool known = true;
  bool in_range = true; // the result is a normal double
};

Conditioning conditioning(const tape::Tape& tape, uint32_t output, const tape::Replay& exact, double relative_error);

} // namespace faultline::explain
