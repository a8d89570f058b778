// The worker's part of plots: for each finding, the inputs, the points, and at each point the output, its error, and
// the error with the remedy.
#pragma once

#include "judge/judge.h"
#include "judge/tasks/tell.h"
#include "numeric/format.h"
#include "search/space.h"

#include <vector>

namespace faultline::judge {

// Points of one plot. Over the range: two for each everyday decade of either sign, and one for every ten of all
// decades.
inline constexpr size_t most_around = 161, most_of_range = 261;

// Samples plots of the findings, in order, until the task's time is up.
void sample_plots(exec::Session& session, Judge& judge, const finding::PlotTask& task, const Tell& tell);

// The values of an input that a plot samples. Pure functions of the dimension and the finding's value.

// `value` and its neighbours in the range, sorted: a quarter of them adjacent, the rest at distances that grow by a
// constant factor up to a change of the exponent. At most about `count`.
std::vector<numeric::Value> points_around(const search::Dimension& dimension, numeric::Value value, size_t count);

// Equal steps of the order of floats from one end of the range to the other, sorted, and `value`. The others are
// rounded to few digits where that moves them by less than half a step, for readability.
std::vector<numeric::Value> points_of_range(const search::Dimension& dimension, numeric::Value value, size_t count);

// The whole range for a reader. Half of the points cover all of it (points_of_range). The others are where zooming in
// must show details: among the everyday numbers, or, if `value` is not one, within nine decades of it; and equally
// spaced as numbers if the range was given. At most about `count`.
std::vector<numeric::Value> points_to_read(const search::Dimension& dimension, numeric::Value value, size_t count);

// The order in which n points are sampled: from coarse to fine, so that they are evenly spread whenever it stops.
std::vector<size_t> coarse_to_fine(size_t n);

} // namespace faultline::judge
