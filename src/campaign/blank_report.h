// The report of a target before anything is found: its names, its place, and the inputs with their ranges.
#pragma once

#include "campaign/finding.h"
#include "campaign/options.h"
#include "search/space.h"

namespace faultline::campaign {

// A report without targets.
Report blank_report(const Options& options);

TargetReport blank_report(const frontend::Target& target, const Options& options);

// An end of a dimension's range, in decimal.
std::string range_end(long double value, const search::Dimension& dimension);

} // namespace faultline::campaign
