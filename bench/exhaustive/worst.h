// The input on which a function is wrong by most.
#pragma once

#include "hunt.h"

#include <functional>
#include <string>
#include <vector>

namespace faultline::bench {

struct Worst {
  float input = 0;
  double ulps = 0;
};

// Of the inputs that a hunt reported, measured by ulps_of; throws std::runtime_error where the report has a figure of
// its own and it is another.
Worst worst_reported(const std::string& function, const std::vector<ReportedInput>& reported,
                     const std::function<double(float)>& ulps_of);

} // namespace faultline::bench
