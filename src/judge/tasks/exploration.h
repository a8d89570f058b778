// The worker's part of cover: explores the paths of the target, and runs inputs again to see which decisions they take.
#pragma once

#include "exec/session.h"
#include "judge/tasks/tell.h"

namespace faultline::judge {

void explore(exec::Session& session, const finding::Settings& settings, const finding::ExploreTask& task,
             const Tell& tell);
void tell_decisions(exec::Session& session, const finding::DecisionsTask& task, const Tell& tell);

} // namespace faultline::judge
