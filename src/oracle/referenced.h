// The oracle that the user supplies: a reference function. It sees what lifted execution cannot: truncated series,
// wrong constants, wrong formulas.
#pragma once

#include "exec/reference.h"
#include "oracle/judgement.h"

namespace faultline::oracle {

// Judges the one output that the reference computes.
Judgement judge_referenced(exec::Reference& reference, const frontend::Target& target, const exec::Input& input,
                           const tape::Tape& tape, size_t output, double floor = 0, exec::Flight* flight = nullptr,
                           long first = first_precision);

} // namespace faultline::oracle
