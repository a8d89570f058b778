#include "bound/history.h"

#include <algorithm>
#include <cmath>

namespace faultline::bound {

void History::note(double seconds, double bound) {
  if (std::isfinite(bound) && (better_.empty() || bound < better_.back().second))
    better_.emplace_back(seconds, bound);
}

double History::seconds_to_within(double share) const {
  if (better_.empty())
    return 0;
  const double enough = better_.back().second * (1 + share);
  return std::ranges::find_if(better_, [&](const auto& at) { return at.second <= enough; })->first;
}

} // namespace faultline::bound
