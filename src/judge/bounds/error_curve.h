// Errors and bounds along the one input of a function, for a plot.
#pragma once

#include "bound/climb.h"
#include "finding/bound/bound_report.h"

namespace faultline::judge {

// What is bounded: the code's paths over these ranges.
struct BoundedTarget {
  const std::vector<bound::InputDimension>& inputs;
  size_t outputs = 0;
  double floor = 0;
  const bound::PathOf& path_of;
};

// Of a function with one free input; else empty.
finding::ErrorCurve error_curve(const BoundedTarget& target, bound::Climb& climb,
                                const std::function<bool()>& keep_going);

} // namespace faultline::judge
