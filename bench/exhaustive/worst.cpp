#include "worst.h"

#include <cmath>
#include <fmt/format.h>
#include <stdexcept>

namespace faultline::bench {

Worst worst_reported(const std::string& function, const std::vector<ReportedInput>& reported,
                     const std::function<double(float)>& ulps_of) {
  Worst worst;
  for (const auto& [input, raw] : reported) {
    const double ulps = ulps_of(input);
    if (raw && !(std::fabs(ulps - *raw) <= 1e-6 * ulps))
      throw std::runtime_error(
          fmt::format("{} at {:a}: the report says {} ulps, and it is {}", function, input, *raw, ulps));
    if (ulps > worst.ulps)
      worst = {input, ulps};
  }
  return worst;
}

} // namespace faultline::bench
