// Samples the outputs and their errors around findings, for reports that draw them.
//
// The code is loaded and run again, each target in a worker of its own, as a replay does it: a hunt would have to keep
// every judgement it made, and they lie where the search looked, not where a reader wants to see. What is read first
// is made first: the representatives of errors and warnings, then those of notes, then all other findings. Each
// finding has an allowance of time and of points; a plot whose time is up has fewer points, evenly spread, and a note.
#pragma once

#include "finding/problem.h"
#include "hunt/extents.h"

#include <atomic>
#include <functional>

namespace faultline::campaign {

struct PlotLimits {
  double seconds = 10;        // all findings
  double finding_seconds = 2; // one of them
  size_t points = 60'000;     // all of them: a thousand findings make a file that a browser still opens at once
  size_t fewest = 80;         // of a finding; where there would be less, later findings have none
  size_t most_inputs = 4;     // of a finding: those that its output depends on most
};

// Told once before the first.
using OnPlot = std::function<void(size_t done, size_t all)>;

// `problems`: those of the report. Fills Finding::plots of the findings that have an error, or an exception. The
// options are those of the hunt. Throws frontend::UserError if the code cannot be loaded; what goes wrong in one
// function becomes a note of its findings.
void add_plots(finding::Report& report, const std::vector<finding::Problem>& problems, const Options& options,
               const std::atomic<bool>& stop, const PlotLimits& limits = {}, const OnPlot& on_plot = {});

} // namespace faultline::campaign
