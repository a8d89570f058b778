// What a run of a whole program showed, as text and as JSON (faultline run).
#pragma once

#include "model/json/json_place.h"
#include "model/run_report.h"
#include "report/text.h"

#include <string>

namespace faultline::report {


// At most a screen.
std::string run_text(const model::RunReport& report, const SourceLine& source, const Style& style);
model::Json run_json_of(const model::RunReport& report, const SourceLine& source); // before formatting
std::string run_json(const model::RunReport& report, const SourceLine& source);

} // namespace faultline::report
