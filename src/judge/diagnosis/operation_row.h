// A record of a tape as explain shows it.
#pragma once

#include "finding/operation_row.h"
#include "frontend/target.h"
#include "tape/replay.h"
#include "tape/tape.h"

namespace faultline::judge {

finding::OperationRow row_of(const tape::Tape& tape, const frontend::Target& target, uint32_t index,
                             const tape::Replay& exact, double error, double share);

} // namespace faultline::judge
