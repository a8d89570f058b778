// The largest error of one target over a range, from both sides (faultline bound).
#pragma once

#include "campaign/options.h"
#include "finding/bound/bound_report.h"
#include "finding/job.h"
#include "finding/message.h"

#include <atomic>
#include <functional>

namespace faultline::campaign {

// Throws frontend::UserError.
finding::BoundReport bound(const Options& options, const finding::BoundTask& how,
                           const std::function<void(const finding::SearchProgress&)>& on_progress,
                           const std::atomic<bool>& stop);

} // namespace faultline::campaign
