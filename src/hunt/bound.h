// Bounds the largest error of one target over a range from both sides (faultline bound).
#pragma once

#include "finding/bound/bound_report.h"
#include "finding/certificate.h"
#include "finding/job.h"
#include "finding/message.h"
#include "hunt/extents.h"

#include <atomic>
#include <functional>
#include <optional>
#include <string>

namespace faultline::campaign {

struct Bounded {
  finding::BoundReport report;
  std::optional<finding::Certificate> certificate; // if the task requests one and the worker finished it
};

// Throws frontend::UserError.
Bounded bound(const Options& options, const finding::BoundTask& how,
              const std::function<void(const finding::SearchProgress&)>& on_progress, const std::atomic<bool>& stop);

// Checks that a certificate is about this program. Runs each of its paths again at one input and compares what the
// program computes with the code in the certificate. One input per path suffices, because the decisions on a path
// determine its code (bound/box_bound.h).
// Returns an empty text if it is, otherwise the difference. `options` names the sources; the certificate names the
// function and how it is called. Throws frontend::UserError.
std::string difference_from(const finding::Certificate& certificate, Options options);

} // namespace faultline::campaign
