// The worker's part of test vectors: what inputs give, and what would be right.
#pragma once

#include "exec/session.h"
#include "judge/judge.h"
#include "judge/tasks/tell.h"

namespace faultline::judge {

// One message (finding::Measured) for each input.
void measure_inputs(exec::Session& session, Judge& judge, const finding::MeasureTask& task, const Tell& tell);

// One message (finding::RunMessage) for each input: no oracle, no tape.
void run_inputs(exec::Session& session, const finding::RunTask& task, const Tell& tell);

} // namespace faultline::judge
