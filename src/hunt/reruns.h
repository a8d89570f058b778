// Runs the findings of a report again: for its plots, and for regression tests.
#pragma once

#include "hunt/targets.h"
#include "model/problem.h"
#include "model/report.h"

#include <atomic>
#include <functional>
#include <string>
#include <vector>

namespace faultline::hunt {

// Samples the outputs and their errors around findings, for reports that draw them.
//
// The code is loaded and run again, each target in its own worker, as in a replay. The alternative, to keep every
// judgement of the hunt, gives points where the search looked and not where a reader wants to see them. Plots are made
// in reading order: the representatives of errors and warnings, then those of notes, then all other findings. Each
// finding has a limit of time and of points; a plot that times out has fewer points, evenly spread, and a note.
struct PlotLimits {
  double seconds = 10;        // all findings
  double finding_seconds = 2; // one of them
  size_t points = 60'000;     // all of them: a thousand findings make a file that a browser still opens at once
  size_t fewest = 80;         // of a finding; if there would be fewer, later findings get no plot
  size_t most_inputs = 4;     // of a finding: those that its output depends on most
};

// Called before the first plot, and after each.
using OnPlot = std::function<void(size_t done, size_t all)>;

// Fills Finding::plots of the findings that have an error or an exception. `problems`: those of the report. `options`:
// those of the hunt. Throws UserError if the code cannot be loaded; a failure in one function becomes a note
// of its findings.
void add_plots(model::Report& report, const std::vector<model::Problem>& problems, const Options& options,
               const std::atomic<bool>& stop, const PlotLimits& limits = {}, const OnPlot& on_plot = {});

// Problems as regression tests: runs their inputs again and determines what a test may demand of the fixed code
// (judge/tasks/work.h). A problem becomes one test, from the most ordinary of its inputs that is suitable.
// Notes become no tests: a test of an ill-conditioned or inherent error would demand the impossible.

// Returns the functions whose calls show the errors and warnings of the report, with a case for each of these problems.
// A case without a test has a reason; one reason is that the function no longer exists. Throws UserError if
// the sources no longer compile.
std::vector<model::RegressionTarget> regression_targets(const model::RankedReport& ranked, const Options& options);

// Returns the code that the targets call, as bitcode. Throws UserError.
std::string bitcode_for(const std::vector<model::RegressionTarget>& targets, const Options& options);

} // namespace faultline::hunt
