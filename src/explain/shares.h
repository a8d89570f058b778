// Whose rounding it is: the part of the output's error that arose in each operation of the run.
//
// One sweep from the output back, along the parts of explain/parts.h instead of derivatives: so the shares add up to
// the error that was measured, and not to a first-order estimate of it. They are signed, as roundings may make up for
// each other.
#pragma once

#include "tape/replay.h"
#include "tape/tape.h"

#include <vector>

namespace faultline::explain {

// One entry a record, with the sum 1 (0 if the output has no error). Where an infinity is on the way, all of it is its
// maker's. Where an iteration forgets its errors, what passes through an operation may be 1e20 times the sum, and
// cancels: it is counted in the precision of the exact values.
std::vector<long double> own_shares(const tape::Tape& tape, uint32_t output, const tape::Replay& exact);

} // namespace faultline::explain
