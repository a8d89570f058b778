// Saved findings, run again: are they still there?
#pragma once

#include "judge/judge.h"
#include "judge/tasks/tell.h"

namespace faultline::judge {

// One result for each, in their order. Those of one input should follow each other: it is run once for all of its
// exceptions.
void replay(exec::Session& session, Judge& judge, const finding::Settings& settings, const finding::ReplayTask& task,
            const Tell& tell);

} // namespace faultline::judge
