// Coverage of one target: an input for each branch outcome, or why there is none (faultline cover).
//
// A worker explores the paths; then a fresh worker runs every input again and sees that it does what is claimed of it.
#pragma once

#include "finding/job.h"
#include "finding/report.h"
#include "hunt/extents.h"

#include <atomic>
#include <functional>
#include <string>

namespace faultline::campaign {

// Throws frontend::UserError.
finding::CoverReport cover(const Options& options, const finding::ExploreTask& how,
                           const std::function<void(uint64_t runs)>& on_progress, const std::atomic<bool>& stop);

// A function as FPCore (faultline export).
struct Exported {
  frontend::Target target;
  finding::Settings settings; // of the function
  std::string text;           // FPCore
};

// The one function that the options name. Throws frontend::UserError: there is none, or it cannot be written.
Exported export_fpcore(const Options& options);

} // namespace faultline::campaign
