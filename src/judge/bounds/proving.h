// The worker's part of a hunt's proof: with a fixed number of boxes, that no error over the ranges counts, and that
// nothing overflows or is undefined there; or, where errors were found, the map of where they are and are not.
//
// What it takes is counted, not timed, so that the same command has the same outcome.
#pragma once

#include "exec/session.h"
#include "finding/job.h"
#include "judge/tasks/tell.h"

namespace faultline::judge {

// Is a proof of this hunt to be tried? All floats have a range that somebody gave, integers are held or have few
// values, and errors are those of the code's own formulas.
bool can_be_proved(const frontend::Target& target, const finding::Settings& settings);

void prove(exec::Session& session, const finding::Settings& settings, const finding::ProveTask& task, const Tell& tell);

} // namespace faultline::judge
