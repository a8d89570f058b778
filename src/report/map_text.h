// Maps and proofs on a terminal.
#pragma once

#include "finding/bound/bound_report.h"
#include "report/style.h"

#include <string>

namespace faultline::report {

// One line that says all: of one input where, of several how much of the range.
std::string map_summary(const finding::BoundReport& report);

// Where the error counts: in words, and the boxes. Empty without a threshold.
std::string map_text(const finding::BoundReport& report, const Style& style);
// The largest safe box around a point, if it was asked for.
std::string around_text(const finding::BoundReport& report);

// Of a hunt: "proved: no error above 0.001 for x in [1, 2]", with the bound; empty unless it is proved.
std::string proof_text(const finding::TargetReport& target);

} // namespace faultline::report
