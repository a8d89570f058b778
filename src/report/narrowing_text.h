// Which declarations of a program can be float, as text and as JSON (faultline run --narrow).
#pragma once

#include "model/run_narrowing.h"
#include "report/text.h"

#include <string>

namespace faultline::report {

// At most a screen.
std::string narrowing_text(const model::RunNarrowing& narrowing, const Style& style);
std::string narrowing_json(const model::RunNarrowing& narrowing);

} // namespace faultline::report
