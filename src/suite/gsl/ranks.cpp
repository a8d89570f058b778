#include "suite/gsl/ranks.h"

#include <algorithm>

namespace faultline::suite {

std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<double> ranks;
  for (const double value : values) {
    const auto ahead = std::ranges::count_if(values, [&](double other) { return other > value; });
    const auto equal = std::ranges::count(values, value); // itself too
    ranks.push_back(double(ahead) + (double(equal) + 1) / 2);
  }
  return ranks;
}

} // namespace faultline::suite
