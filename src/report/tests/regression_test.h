// Problems as a test file: for GoogleTest (.cpp), or plain C with a main (.c). A pure function of the cases
// (hunt/reruns.h).
//
// A test fails until its problem is fixed: it compares with the exact result, within a tolerance that a good
// implementation keeps. The file is meant to be read, reviewed and kept: one test per problem, named by function, line
// and class, with plain arguments (report/tests/call_text.h) and nothing unused. Problems without a test are listed at
// its end in a comment, with the reason.
#pragma once

#include "model/report.h"

#include <string>
#include <vector>

namespace faultline::report {

enum class TestForm { c, google_test };

struct TestFile {
  TestForm form = TestForm::google_test;
  std::string version;
  std::vector<std::string>
      headers;       // headers that declare the functions: point.h, <gsl/gsl_sf.h>; empty: the file declares them
  std::string state; // a line at the top with the state of the tests
};

// The cases that have tests, in the order of the file.
struct TestName {
  size_t target = 0, in_target = 0; // position of the case
  std::string suite, name;          // QuadraticRoot, line16_cancellation
  std::string in_c;                 // test_quadratic_root_line16_cancellation
};
std::vector<TestName> test_names(const std::vector<model::RegressionTarget>& targets);

std::string regression_text(const std::vector<model::RegressionTarget>& targets, const TestFile& file);

// Returns why no call of the function can be written; empty if one can.
std::string no_call_reason(const model::Target& target, TestForm form);

// Returns the message of a test whose output is wrong, which distinguishes it from a test that ended otherwise:
// "cancellation in -b_ + root, quadratic.cpp:16".
std::string failure_words(const model::RegressionCase& made);

} // namespace faultline::report
