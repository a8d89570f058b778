// The report of a target before anything has been found in it.
#pragma once

#include "campaign/finding.h"
#include "campaign/options.h"
#include "search/space.h"

namespace faultline::campaign {

TargetReport blank_report(const frontend::Target& target, const Options& options);

// An end of the range of an input, as people write it.
std::string range_end(long double value, const search::Dimension& dimension);

} // namespace faultline::campaign
