// Ranks of competitors: the largest value has rank 1, and equal values share the mean of the ranks they take up.
#pragma once

#include <vector>

namespace faultline::suite {

std::vector<double> ranks(const std::vector<double>& values); // no NaN among them

} // namespace faultline::suite
