// Problems as JUnit XML, which CI servers show as test results: a suite per source file, a case per function. A case
// has at most one failure, which names the first of the function's problems and lists all its errors and warnings.
// --fail-on decides what fails, as for the exit status. Notes are output of a test that passes.
//
// A function whose problems are all suppressed or known is skipped, which shows that it is not clean. An inconclusive
// one is an error, not a pass. XML 1.0 cannot contain most control characters, not even escaped. They are removed, as
// are bytes that are not UTF-8.
#pragma once

#include "model/json/report_file.h"
#include "model/problem.h"
#include "model/report.h"

#include <string>
#include <string_view>

namespace faultline::report {

std::string junit_text(const model::RankedReport& ranked);

// Escapes text for the content of an element or an attribute in double quotes.
std::string xml_text(std::string_view text);

// The report as a JSON document (docs/json.md), indented by two spaces, with a newline at the end.
std::string json_text(const model::RankedReport& report);

} // namespace faultline::report
