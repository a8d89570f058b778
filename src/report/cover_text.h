// Coverage on the terminal: a line per branch outcome, then the inputs, then the count.
#pragma once

#include "model/report.h"
#include "report/text.h"

#include <string>

namespace faultline::report {

std::string cover_text(const model::CoverReport& report, const Style& style);

// The same as JSON: schema 1 of `faultline cover`.
std::string cover_json(const model::CoverReport& report);

} // namespace faultline::report
