// How far an exploration of branches is, told to the supervisor: cover and test vectors have this in common.
#pragma once

#include "judge/tasks/tell.h"
#include "search/evaluator.h"

namespace faultline::judge {

// Counts the runs that it sees, and tells of them now and then.
search::Evaluator::Watch telling_runs(const Tell& tell);

} // namespace faultline::judge
