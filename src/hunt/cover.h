// Coverage of one target: an input for each branch outcome, or why there is none (faultline cover).
//
// A worker explores the paths; then a fresh worker runs every input again and sees that it does what is claimed of it.
#pragma once

#include "finding/cover_report.h"
#include "finding/job.h"
#include "hunt/options.h"

#include <atomic>
#include <functional>

namespace faultline::campaign {

// Throws frontend::UserError.
finding::CoverReport cover(const Options& options, const finding::ExploreTask& how,
                           const std::function<void(uint64_t runs)>& on_progress, const std::atomic<bool>& stop);

} // namespace faultline::campaign
