// Findings as a test file: for GoogleTest (.cpp), or plain C with a main (.c). A pure function of the cases
// (campaign/regression.h).
//
// A test fails as long as its finding is there, and passes when it is fixed: it compares with the exact result, within
// a bound that a good implementation keeps. What was left out stands there as a comment, with the reason. Link the file
// with the code under test; it needs none of the project's headers (report/call_text.h).
#pragma once

#include "finding/regression_case.h"

#include <string>
#include <vector>

namespace faultline::report {

enum class TestForm { c, google_test };

// The cases that are tests: their numbers, in the order of the file, and their names.
struct TestName {
  size_t target = 0, in_target = 0; // which of the cases it is
  std::string suite, name;          // of GoogleTest; together the name of the C function
};
std::vector<TestName> test_names(const std::vector<finding::RegressionTarget>& targets);

// `standing`: a line for the top that says what is known of the tests.
std::string regression_text(const std::vector<finding::RegressionTarget>& targets, TestForm form,
                            const std::string& version, const std::string& standing);

// What a test that found its output wrong says, so that it can be told from one that ended otherwise.
inline constexpr const char* wrong_output_words = "ulps off";

} // namespace faultline::report
