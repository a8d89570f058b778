// The largest error of one target over a range, from both sides (faultline bound).
#pragma once

#include "finding/bound/bound_report.h"
#include "finding/certificate/certificate.h"
#include "finding/job.h"
#include "finding/message.h"
#include "hunt/options.h"

#include <atomic>
#include <functional>
#include <optional>

namespace faultline::campaign {

struct Bounded {
  finding::BoundReport report;
  std::optional<finding::Certificate> certificate; // if the task asks for it, and the worker came to it
};

// Throws frontend::UserError.
Bounded bound(const Options& options, const finding::BoundTask& how,
              const std::function<void(const finding::SearchProgress&)>& on_progress, const std::atomic<bool>& stop);

} // namespace faultline::campaign
