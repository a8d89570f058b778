// The largest error of one target over a range, from both sides (faultline bound).
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
  std::optional<finding::Certificate> certificate; // if the task asks for it, and the worker came to it
};

// Throws frontend::UserError.
Bounded bound(const Options& options, const finding::BoundTask& how,
              const std::function<void(const finding::SearchProgress&)>& on_progress, const std::atomic<bool>& stop);

// Is a certificate about this program? Its paths are run again, each at one of its inputs, and what the program
// computes there is compared with the code in the certificate. The decisions on a path determine its code
// (bound/box_bound.h), so one input stands for all that take it.

// Empty: it is. Otherwise what is different. `options` names the sources; the function, and how it is called, is the
// certificate's. Throws frontend::UserError.
std::string difference_from(const finding::Certificate& certificate, Options options);

} // namespace faultline::campaign
