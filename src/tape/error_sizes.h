// The error of one result in the measures that people count in.
#pragma once

#include "numeric/format.h"
#include "numeric/ulp.h"
#include "tape/shadow.h"

#include <algorithm>
#include <cmath>

namespace faultline::tape {

struct ErrorSizes {
  double absolute = 0;
  double relative = 0; // to the exact result, or to the floor if that is larger
  double ulps = 0;     // of the exact result, in the output's format
};

// All 0 where one of the numbers is not finite.
inline ErrorSizes sizes_of(const Shadow& shadow, numeric::Format format, double floor) {
  if (!std::isfinite(shadow.exact) || !std::isfinite(shadow.error) || shadow.error == 0)
    return {};
  const long double error = std::fabs(shadow.error), size = std::max(std::fabs(shadow.exact), (long double)floor);
  return {double(error), double(error / size), double(error / numeric::ulp(shadow.exact, format))};
}

} // namespace faultline::tape
