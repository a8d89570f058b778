#include "finding/bound/bound_report.h"

#include <algorithm>
#include <limits>

namespace faultline::finding {

double BoundReport::found(ErrorMeasure which) const {
  double most = 0;
  for (const BoundedOutput& output : bounds.outputs)
    most = std::max(most, output.of(which).found);
  return most;
}

double BoundReport::proven(ErrorMeasure which) const {
  double most = bounds.complete() && !bounds.outputs.empty() ? 0 : std::numeric_limits<double>::infinity();
  for (const BoundedOutput& output : bounds.outputs)
    most = std::max(most, output.of(which).proven);
  return most;
}

} // namespace faultline::finding
