// The cheap oracle: the operations of the tape at high precision, on the path that the run took. No code runs again; a
// wrong branch is not seen.
#pragma once

#include "oracle/judgement.h"
#include "tape/replay.h"

namespace faultline::oracle {

// `keep`: what exact arithmetic keeps of the run, one a record. Where it keeps something, it has nothing to say if it
// would take another path.
Judgement judge_replayed(const frontend::Target& target, const tape::Tape& tape, const std::vector<size_t>& outputs,
                         double floor = 0, std::span<const tape::Keep> keep = {}, long first = first_precision);

} // namespace faultline::oracle
