// Decides whether the problem is ill-conditioned at this input, or the algorithm. Any algorithm in this precision has
// an error of about the problem's condition number times half an ulp of the inputs. A larger error is the algorithm's
// own.
#pragma once

#include "tape/replay.h"
#include "tape/tape.h"

namespace faultline::explain {

// A backward stable algorithm perturbs its inputs by a few units, not by half a unit. So an error of up to this many
// times the effect of rounding the inputs is still the problem's own. Known cases confirm it (tests/end_to_end/
// avoidable_test.py): the errors of ill-conditioned ones are below 3 times that effect, those of avoidable ones above
// MEASURED times.
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
