// The largest error over a range, as text and as JSON (faultline bound).
#pragma once

#include "finding/bound/bound_report.h"
#include "report/style.h"

#include <string>

namespace faultline::report {

std::string bound_text(const finding::BoundReport& report, const Style& style);
std::string bound_json(const finding::BoundReport& report);

} // namespace faultline::report
