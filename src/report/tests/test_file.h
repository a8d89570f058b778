// Inputs as a test file that calls the function: for GoogleTest (.cpp), or plain C with a main (.c).
//
// A test passes as long as the function gives what it gave when the file was written, up to a few ulps. The file needs
// none of the project's headers (report/tests/call_text.h): link it with the code under test.
#pragma once

#include "finding/cover_report.h"

#include <string>

namespace faultline::report {

std::string test_file_cpp(const finding::CoverReport& report);
std::string test_file_c(const finding::CoverReport& report);

} // namespace faultline::report
