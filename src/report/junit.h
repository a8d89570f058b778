// Problems as JUnit XML, which CI servers show as test results: a suite for each source file, a case for each function.
// A case has one failure at most: it names the first of the function's problems and tells of all its errors and
// warnings. What fails goes by --fail-on, as the exit status does; notes are output of a test that passes.
//
// A function with nothing but problems that are set aside is skipped: the reader sees that it was not clean. One that
// is inconclusive is an error, not a pass. XML 1.0 cannot hold most control characters, not even escaped: they are
// dropped, as are bytes that are not UTF-8.
#pragma once

#include "finding/json/report_file.h"
#include "finding/problem.h"
#include "finding/report.h"

#include <string>
#include <string_view>

namespace faultline::report {

std::string junit_text(const finding::RankedReport& ranked);

// As the content of an element or of an attribute in double quotes.
std::string xml_text(std::string_view text);

// A report as a JSON document (docs/json.md): two spaces of indentation, a newline at the end.
std::string json_text(const finding::RankedReport& report);

} // namespace faultline::report
