// Is the problem ill-conditioned at this input, or the algorithm? An error of about the problem's condition number
// times half an ulp of the inputs is what any algorithm in this precision suffers; a larger one is the algorithm's own.
#pragma once

#include "tape/replay.h"
#include "tape/tape.h"

namespace faultline::explain {

// A backward stable algorithm perturbs its inputs by a few units, not by one half: so many times what rounding the
// inputs causes is still the problem's own.
inline constexpr double few_roundings = 8;

struct Conditioning {
  double problem_condition = 0;
  double unavoidable = 0;       // relative error that rounding the inputs alone would cause
  bool ill_conditioned = false; // the measured error is no larger than a few times that
  // False where the derivatives on this path say nothing: it divides by a number that is exactly zero, or that no
  // precision can tell from zero (the pivot of a singular matrix), or the result is beyond the range of doubles.
  bool known = true;
};

Conditioning conditioning(const tape::Tape& tape, uint32_t output, const tape::Replay& exact, double relative_error);

} // namespace faultline::explain
