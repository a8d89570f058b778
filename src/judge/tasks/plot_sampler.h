// The worker's part of plots: of each finding, which inputs, which points, and at each of them the
// output, its error, and the error that the remedy would leave.
#pragma once

#include "judge/judge.h"
#include "judge/tasks/tell.h"

namespace faultline::judge {

// Points of one plot. Over the range: two an everyday decade of each sign, and one for every ten of all of them.
inline constexpr size_t most_around = 161, most_of_range = 261;

// Plots of the findings, in their order, until the task's time is up.
void sample_plots(exec::Session& session, Judge& judge, const finding::PlotTask& task, const Tell& tell);

} // namespace faultline::judge
