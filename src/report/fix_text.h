// Repairs as text: for the terminal, as JSON, and as a summary in Markdown for a pull request.
#pragma once

#include "model/fix_report.h"
#include "report/text.h"

#include <string>

namespace faultline::report {

std::string fix_text(const model::FixReport& report, const Style& style); // without the diff
std::string fix_json(const model::FixReport& report);
std::string fix_markdown(const model::FixReport& report);

} // namespace faultline::report
