// What a test file has around its tests: the lines at the top, the headers that its text needs, the checks, and in C a
// main program. Nothing that the tests do not use.
#pragma once

#include "finding/report.h"
#include "frontend/target.h"
#include "report/tests/regression_test.h"

#include <string>
#include <vector>

namespace faultline::report {

struct TestParts {
  const TestFile& file;
  std::string sources;      // names of the files under test
  std::string linked;       // what has what is called
  std::string symbols;      // a sentence on those that are called, if there is need of one
  std::string declarations; // of what is called
  std::string tests;
  std::vector<std::string> names; // of the tests, in C
  std::string end;                // comments
};
std::string framed(const TestParts& parts);

// The headers of the standard, and of GoogleTest, that the code of a test file needs.
std::string standard_includes(const std::string& code, TestForm form);

// Text that stays in its comment, whatever names and messages have in them; over several lines if it is long.
std::string comment_text(const std::string& text);

// A statement that compares a value with `exact` within `tolerance`.
std::string near_text(const std::string& value, const std::string& words, bool extended, TestForm form);
// Statements that demand of a call that it returns.
std::string must_return_text(const std::string& call, TestForm form);

// The exact value, rounded to the type, as a constant of type double or long double.
std::string exact_literal(const finding::Number& reference, const frontend::Type& type);

// Inputs as a test file that calls the function: for GoogleTest (.cpp), or plain C with a main (.c).
//
// A test passes as long as the function gives what it gave when the file was written, up to a few ulps. The file needs
// none of the project's headers (report/tests/call_text.h): link it with the code under test.
std::string test_file_cpp(const finding::CoverReport& report);
std::string test_file_c(const finding::CoverReport& report);

} // namespace faultline::report
