#include "campaign/schedule/richness.h"

#include <cmath>

namespace faultline::campaign {

Unseen unseen_of(const Incidence& incidence) {
  const double once = double(incidence.once), twice = double(incidence.twice);
  if (incidence.once == 0)
    return {};
  Unseen unseen;
  double variance = 0;
  if (incidence.twice > 0) {
    const double ratio = once / twice;
    unseen.estimate = once * once / (2 * twice);
    variance = twice * (ratio * ratio / 2 + ratio * ratio * ratio + ratio * ratio * ratio * ratio / 4);
  } else { // the form without bias, which needs none that were seen twice
    unseen.estimate = once * (once - 1) / 2;
    const double all = double(incidence.seen) + unseen.estimate;
    variance = once * (once - 1) / 2 + once * (2 * once - 1) * (2 * once - 1) / 4 - std::pow(once, 4) / (4 * all);
  }
  if (unseen.estimate <= 0)
    return {0, 0, std::sqrt(std::fmax(variance, 0)) * 1.96};
  const double spread = std::exp(1.96 * std::sqrt(std::log1p(variance / (unseen.estimate * unseen.estimate))));
  unseen.low = unseen.estimate / spread;
  unseen.high = unseen.estimate * spread;
  return unseen;
}

} // namespace faultline::campaign
