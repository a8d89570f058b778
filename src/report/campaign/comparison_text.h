// What has become of a library's problems between two states: a line each.
#pragma once

#include "finding/campaign/comparison.h"
#include "report/style.h"

#include <string>

namespace faultline::report {

std::string comparison_text(const finding::Comparison& comparison, const Style& style, bool quiet);

} // namespace faultline::report
