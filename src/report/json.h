// A report as a JSON document (docs/json.md): two spaces of indentation, a newline at the end.
#pragma once

#include "finding/json/report_file.h"
#include "finding/report.h"

#include <string>

namespace faultline::report {

std::string json_text(const finding::RankedReport& report);

} // namespace faultline::report
