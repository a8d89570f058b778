// The cheap oracle: the operations of the tape at high precision, on the path that the run took. No code runs again; a
// wrong branch is not seen.
#pragma once

#include "oracle/judgement.h"

namespace faultline::oracle {

Judgement judge_replayed(const frontend::Target& target, const tape::Tape& tape, const std::vector<size_t>& outputs,
                         double floor = 0);

} // namespace faultline::oracle
