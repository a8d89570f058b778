// The largest error over a range, as text and as JSON (faultline bound).
#pragma once

#include "finding/bound/bound_report.h"
#include "finding/json/json.h"
#include "report/style.h"

#include <string>

namespace faultline::report {

std::string bound_text(const finding::BoundReport& report, const Style& style);
std::string bound_json(const finding::BoundReport& report);
finding::Json bound_json_of(const finding::BoundReport& report); // before it is text

// By output and measure: what was found, what is proved, and their ratio, as the text has them.
finding::Json sides_words(const finding::BoundReport& report);
std::string closing_words(const finding::BoundReport& report); // what it took

} // namespace faultline::report
