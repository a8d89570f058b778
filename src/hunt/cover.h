// Coverage of one target: an input for each branch outcome, or the reason why there is none (faultline cover).
//
// A worker explores the paths. Then a fresh worker runs every input again and checks the branches it claims to take.
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

// Returns the one function that the options name as FPCore (faultline export). Throws frontend::UserError if there is
// none, or if FPCore cannot express it.
std::string export_fpcore(const Options& options);

} // namespace faultline::campaign
