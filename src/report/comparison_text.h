// Where two runs of a program part, as text and as JSON (faultline run --against).
#pragma once

#include "model/run_comparison.h"
#include "report/text.h"

#include <string>

namespace faultline::report {

// At most a screen.
std::string comparison_text(const model::RunComparison& comparison, const SourceLine& source, const Style& style);
std::string comparison_json(const model::RunComparison& comparison, const SourceLine& source);

} // namespace faultline::report
