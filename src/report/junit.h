// Findings as JUnit XML, which CI servers show as test results: a suite for each source file, a case for each function,
// a failure for each finding that counts.
//
// A function with nothing but findings that are set aside is skipped: the reader sees that it was not clean. One that
// is inconclusive is an error, not a pass. XML 1.0 cannot hold most control characters, not even escaped: they are
// dropped, as are bytes that are not UTF-8.
#pragma once

#include "finding/report.h"

#include <string>
#include <string_view>

namespace faultline::report {

std::string junit_text(const finding::Report& report);

// As the content of an element or of an attribute in double quotes.
std::string xml_text(std::string_view text);

} // namespace faultline::report
