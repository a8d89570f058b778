// From a judged run to its diagnosis: the analysis of the layer explain, put into words and numbers.
#pragma once

#include "campaign/diagnosis.h"
#include "frontend/target.h"
#include "numeric/bigfloat.h"
#include "tape/path.h"

namespace faultline::campaign {

// Why the output that `record` made is wrong. `relative` is its error against the oracle's `reference`.
Diagnosis diagnose(const tape::Tape& tape, const frontend::Target& target, uint32_t record, const tape::Replay& exact,
                   const numeric::BigFloat& reference, double relative);

// Why exact arithmetic takes another way.
Diagnosis diagnose_flip(const tape::Tape& tape, const tape::Divergence& flip, const tape::Replay& exact);

} // namespace faultline::campaign
