// The hunt in one target, as a worker carries it out: search, then judge what was found.
#pragma once

#include "campaign/corpus.h"
#include "campaign/finding.h"
#include "campaign/options.h"
#include "exec/reference.h"
#include "exec/worker.h"

namespace faultline::campaign {

// What a worker sends: one JSON object a message, told apart by its first key.
//   { "progress": evaluations }
//   { "finding": {...} }
//   { "sighting": {...} }, { "retried": {...} }: kept for the case that the worker dies; the first is told at once
//   { "done": { "sites", "evaluations", "seconds", "unknown", "folded", "note", "out_of_time", "stopped" } }
//   { "error": { "status", "what", "hint" } }

// Takes the program (the worker's own copy of it). Retries are judged beside what the search finds.
void hunt_target(frontend::Program program, const frontend::Target& target, const Options& options,
                 const std::vector<Retry>& retries, exec::Reference* reference, exec::Line& line);

} // namespace faultline::campaign
