// Coverage on the terminal: a line per branch outcome, then the inputs, then the count.
#pragma once

#include "finding/report.h"
#include "report/text.h"

#include <string>

namespace faultline::report {

std::string cover_text(const finding::CoverReport& report, const Style& style);

// The same as JSON: schema 1 of `faultline cover`.
std::string cover_json(const finding::CoverReport& report);

} // namespace faultline::report
