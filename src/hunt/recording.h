// --seen: calls of real runs as inputs of a hunt.
#pragma once

#include "model/job.h"
#include "model/settings/seen.h"
#include "model/target.h"

#include <vector>

namespace faultline::hunt {

// Adds whole calls of real runs (--seen) that fit the ranges and formats of the settings to the inputs that a hunt
// tries first. With `near`, also inputs around each call (--near).
void add_seen(std::vector<model::Retry>& retries, const model::SeenRuns& runs, const model::Target& target,
              const model::Settings& settings, bool near);

} // namespace faultline::hunt
