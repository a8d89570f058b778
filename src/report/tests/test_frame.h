// The parts of a test file around its tests: the first lines, the required headers, the checks, and in C a main
// program. Only what the tests use is written.
#pragma once

#include "model/report.h"
#include "model/target.h"
#include "report/tests/regression_test.h"

#include <string>
#include <vector>

namespace faultline::report {

struct TestParts {
  const TestFile& file;
  std::string sources;      // names of the files under test
  std::string linked;       // files that contain the called functions
  std::string symbols;      // a sentence on the symbols of the called functions, if necessary
  std::string declarations; // of the called functions
  std::string tests;
  std::vector<std::string> names; // of the tests, in C
  std::string end;                // comments
};
std::string framed(const TestParts& parts);

// Returns the standard and GoogleTest headers that the code of a test file needs.
std::string standard_includes(const std::string& code, TestForm form);

// Returns a comment that names and messages cannot end; over several lines if it is long.
std::string comment_text(const std::string& text);

// Returns a statement that compares a value with `exact` within `tolerance`.
std::string near_text(const std::string& value, const std::string& words, bool extended, TestForm form);
// Returns statements that require a call to return.
std::string must_return_text(const std::string& call, TestForm form);

// Returns the exact value, rounded to the type, as a constant of type double or long double.
std::string exact_literal(const model::Number& reference, const model::Type& type);

// Inputs as a test file that calls the function: for GoogleTest (.cpp), or plain C with a main (.c).
//
// A test passes while the function returns what it returned when the file was written, up to a few ulps. The file needs
// no headers of the project (report/tests/call_text.h): link it with the code under test.
std::string test_file_cpp(const model::CoverReport& report);
std::string test_file_c(const model::CoverReport& report);

} // namespace faultline::report
