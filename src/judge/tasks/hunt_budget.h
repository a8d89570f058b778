// What a search may cost: of the budget of a function, less what workers that died have spent.
#pragma once

#include "exec/worker.h"
#include "finding/job.h"
#include "search/evaluator.h"

namespace faultline::judge {

// By earlier workers. Half of the time is left to this one all the same: it knows what to leave out.
double spent_before(const finding::Settings& settings, const exec::Channel& channel);

// The call before the one that killed a worker.
uint64_t break_off(const exec::Channel& channel);

search::Budget hunt_budget(const finding::Settings& settings, const finding::HuntTask& task,
                           const exec::Channel& channel);

} // namespace faultline::judge
