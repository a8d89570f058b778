// The worker's part of the plots of one finding: which inputs, which points, and the error at each of them.
#pragma once

#include "campaign/judge.h"
#include "campaign/plot.h"

#include <chrono>

namespace faultline::campaign {

inline constexpr size_t most_around = 253, most_of_range = 201; // points of one plot

// What one finding may cost.
struct PlotShare {
  std::chrono::steady_clock::duration time;
  size_t points;
  size_t inputs;
};

// `report` says where the hunt looked; `input` is the finding's.
Plots sample_plots(exec::Session& session, Judge& judge, const TargetReport& report, const Finding& finding,
                   const exec::Input& input, const PlotShare& share);

} // namespace faultline::campaign
