// The worker's part of plots: of each finding, which inputs, which points, and the error at each of them.
#pragma once

#include "judge/judge.h"
#include "judge/tasks/tell.h"

namespace faultline::judge {

inline constexpr size_t most_around = 253, most_of_range = 201; // points of one plot

// Plots of the findings, in their order, until the task's time is up.
void sample_plots(exec::Session& session, Judge& judge, const finding::PlotTask& task, const Tell& tell);

} // namespace faultline::judge
