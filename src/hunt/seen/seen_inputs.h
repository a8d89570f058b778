// Whole calls of real runs (--seen) as inputs that a hunt tries first.
#pragma once

#include "finding/job.h"
#include "finding/settings/seen.h"
#include "frontend/target.h"

#include <vector>

namespace faultline::campaign {

// Those that lie in the ranges and formats of the settings, added to the others.
void add_seen(std::vector<finding::Retry>& retries, const finding::SeenRuns& runs, const frontend::Target& target,
              const finding::Settings& settings);

} // namespace faultline::campaign
