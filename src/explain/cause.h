// Root cause: which operation made the output wrong.
//
// Rounding errors are everywhere and harmless; what hurts is the operation that amplifies them. So the cause is not the
// operation whose own rounding error ends up largest in the output (for (1 - cos x)/x^2 that is the cosine, correctly
// rounded and blameless), but the one on the way to the output at which the relative error jumps most against its
// operands (the subtraction). Errors are measured, not estimated: recorded values against high-precision values on the
// same path. Operations through which little of the output's error passes are not considered.
#pragma once

#include "tape/replay.h"
#include "tape/tape.h"

#include <span>
#include <vector>

namespace faultline::explain {

struct Blame {
  uint32_t record = 0; // 0: nobody stands out
  double condition = 0;
  double share = 0;         // of the output's error that passes through this operation, at most 1
  double amplification = 0; // its relative error against the largest of its operands'
};

// `output` is the record that made the wrong output. `exact` are the replayed values of all records.
Blame find_cause(const tape::Tape& tape, uint32_t output, const tape::Replay& exact);

// |recorded - exact| / |exact| of each record; infinity where the exact value is zero and the recorded is not.
std::vector<double> relative_errors(const tape::Tape& tape, const tape::Replay& exact);

} // namespace faultline::explain
