// The hunt in one target, as a worker carries it out: search, then judge what was found.
#pragma once

#include "exec/reference.h"
#include "exec/worker.h"
#include "finding/job.h"
#include "judge/tasks/tell.h"

namespace faultline::judge {

// Retries are judged beside what the search finds.
void hunt_target(exec::Session& session, const finding::Settings& settings, const finding::HuntTask& task,
                 exec::Reference* reference, const exec::Channel& channel, const Tell& tell);

} // namespace faultline::judge
