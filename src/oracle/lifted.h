// The default oracle: lifted execution. The precision is doubled from 128 bits until two precisions agree on every
// output; if they do not before the cap, the answer is "unknown".
//
// Where the code ends in high precision (it calls exit or abort, or throws), there is no reference. If two precisions
// in a row end it in the same way (four, if it decides more before it ends), and the decision that leads there is
// certain, that is the judgement (Judgement::ends).
//
// It measures rounding error: the code's own formulas, constants and iteration limits, carried out exactly. A truncated
// series or a wrong constant is invisible to it.
#pragma once

#include "oracle/judgement.h"

namespace faultline::oracle {

// `tape` is that of the run of the same input; lifted runs leave it alone.
Judgement judge_lifted(exec::Session& session, const exec::Input& input, const tape::Tape& tape,
                       const std::vector<size_t>& outputs, double floor = 0, long first = first_precision);

// Why the references of a lifted run are not exact, whatever the precision: an output depends on code that is not
// instrumented and that was given rounded values (runtime/lift.h). Empty if none does.
std::string rounded_elsewhere(const frontend::Target& target, const std::vector<size_t>& outputs,
                              const exec::LiftedRun& run);

} // namespace faultline::oracle
