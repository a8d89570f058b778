// Numbers and boxes of bounds, in words.
#pragma once

#include "finding/bound/bound_report.h"

#include <string>
#include <vector>

namespace faultline::report {

// Three digits, rounded away from the truth that they bound: a printed bound is a bound.
std::string three_digits(double value, bool up);
std::string plain_number(double value);
// x in [0, 1], n = 4
std::string box_words(const std::vector<std::string>& names, const finding::BoxEnds& box);

} // namespace faultline::report
