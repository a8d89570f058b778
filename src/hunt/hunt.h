// A hunt: many targets, each in a worker of its own, and what they found.
#pragma once

#include "finding/report.h"
#include "hunt/listener.h"
#include "hunt/options.h"

#include <atomic>

namespace faultline::campaign {

// Throws frontend::UserError. The report has the targets in the order of the source, whatever `jobs` is. `stop` ends
// the hunt early and keeps what was found.
finding::Report hunt(const Options& options, const Listener& listener, const std::atomic<bool>& stop);

} // namespace faultline::campaign
