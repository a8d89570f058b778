// The hunt in one target, as a worker carries it out: search, then judge what was found.
#pragma once

#include "campaign/finding.h"
#include "campaign/options.h"
#include "exec/reference.h"
#include "exec/worker.h"

namespace faultline::campaign {

// What a worker sends: one JSON object a message, told apart by its first key.
//   { "progress": evaluations }
//   { "finding": {...} }
//   { "done": { "sites", "evaluations", "seconds", "unknown", "folded", "note", "out_of_time", "stopped" } }
//   { "error": { "status", "what", "hint" } }

// Takes the program (the worker's own copy of it).
void hunt_target(frontend::Program program, const frontend::Target& target, const Options& options,
                 exec::Reference* reference, exec::Line& line);

} // namespace faultline::campaign
