// The trial of a changed function (faultline fix) against the original, whose exact value is the reference.
//
// Both run natively on the same inputs. Where their results differ by more than a change may cost, the original is run
// in exact arithmetic, and the two errors are compared. A change is worse at an input if
//
//   its error is above 2 times the original's and above the original's plus 4 ulps, and the conditioning of the problem
//   does not explain it; or it ends differently, changes an integer output, or raises an exception or sets errno where
//   the original is right and does not.
#pragma once

#include "exec/reference.h"
#include "judge/tasks/tell.h"
#include "model/job.h"

namespace faultline::judge {

// Sends one model::TrialDone. `original` is made of code. Throws UserError if the two functions differ in their inputs
// or outputs.
void try_change(exec::Session& changed, exec::Reference& original, const model::Settings& settings,
                const model::TrialTask& task, const Tell& tell);

} // namespace faultline::judge
