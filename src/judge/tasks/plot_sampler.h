// The worker's part of plots: of each finding, which inputs, which points, and at each of them the
// output, its error, and the error that the remedy would leave.
#pragma once

#include "judge/judge.h"
#include "judge/tasks/tell.h"
#include "numeric/format.h"
#include "search/space.h"

#include <vector>

namespace faultline::judge {

// Points of one plot. Over the range: two an everyday decade of each sign, and one for every ten of all of them.
inline constexpr size_t most_around = 161, most_of_range = 261;

// Plots of the findings, in their order, until the task's time is up.
void sample_plots(exec::Session& session, Judge& judge, const finding::PlotTask& task, const Tell& tell);

// Which values of an input a plot samples. Pure functions of the dimension and the finding's value.

// The neighbours of `value`, sorted, itself among them, in the range: a quarter of them next to each other, the rest at
// distances that grow by a constant factor up to a change of the exponent. At most about `count`.
std::vector<long double> points_around(const search::Dimension& dimension, long double value, size_t count);

// Equal steps of the order of floats from one end of the range to the other, sorted, and `value`. The others are
// numbers of few digits where that moves them by less than half a step: they are there to be read.
std::vector<long double> points_of_range(const search::Dimension& dimension, long double value, size_t count);

// The whole range for a reader: half of the points over all of it (points_of_range); the others lie where zooming in
// must show more than a line between two points: among the everyday numbers, or, if `value` is none, within nine
// decades of it; and, if the range was given, equally far apart as numbers. At most about `count`.
std::vector<long double> points_to_read(const search::Dimension& dimension, long double value, size_t count);

// The order in which n points are sampled: from coarse to fine, so that wherever it stops they are spread evenly.
std::vector<size_t> coarse_to_fine(size_t n);

} // namespace faultline::judge
