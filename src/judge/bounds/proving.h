// The worker's part of a hunt's proof: proves with a fixed number of boxes that no error over the ranges counts, and
// that nothing overflows or is undefined there. If errors were found, it makes the map of where they are and are not.
//
// Effort is counted, not timed, so that the same command has the same outcome.
#pragma once

#include "exec/session.h"
#include "finding/job.h"
#include "judge/tasks/tell.h"

namespace faultline::judge {

// True if a proof is attempted: all floats have a given range, integers are held or have few values, and errors are
// those of the code's own formulas.
bool can_be_proved(const frontend::Target& target, const finding::Settings& settings);

void prove(exec::Session& session, const finding::Settings& settings, const finding::ProveTask& task, const Tell& tell);

} // namespace faultline::judge
