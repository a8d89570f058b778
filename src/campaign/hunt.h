// A hunt: many targets, each in a worker of its own, and what they found.
#pragma once

#include "campaign/listener.h"
#include "campaign/options.h"
#include "finding/job.h"
#include "finding/report.h"

#include <atomic>
#include <vector>

namespace faultline::campaign {

// Throws frontend::UserError. The report has the targets in the order of the source, whatever `jobs` is. `stop` ends
// the hunt early and keeps what was found.
finding::Report hunt(const Options& options, const Listener& listener, const std::atomic<bool>& stop);

// The jobs that this hunt would run, one a target, with the program in the folder: as a file of its own, unless it is
// one already. Throws frontend::UserError.
std::vector<finding::Job> jobs_of_hunt(const Options& options, const std::string& folder);

} // namespace faultline::campaign
