// What a run of a whole program showed, as text and as JSON (faultline run).
#pragma once

#include "model/run_report.h"
#include "report/text.h"

#include <string>

namespace faultline::report {


// At most a screen.
std::string run_text(const model::RunReport& report, const SourceLine& source, const Style& style);
std::string run_json(const model::RunReport& report, const SourceLine& source);

} // namespace faultline::report
