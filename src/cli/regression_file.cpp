#include "cli/regression_file.h"

#include "campaign/regression.h"
#include "exec/native_program.h"
#include "frontend/error.h"
#include "report/call_text.h"

#include <fmt/format.h>

namespace faultline::cli {

using finding::RegressionCase;
using finding::RegressionTarget;

namespace {

constexpr double seconds_of_a_test = 10;

void leave_out_what_cannot_be_called(std::vector<RegressionTarget>& targets) {
  for (RegressionTarget& target : targets)
    if (const std::string reason = report::no_call_reason(target.target); !reason.empty())
      for (RegressionCase& made : target.cases)
        if (made.left_out.empty())
          made.left_out = reason;
}

// As the finding says, not in some other way.
bool fails(const RegressionCase& made, const exec::ChildEnd& end) {
  if (!made.expected)
    return end.started && !end.succeeded();
  return end.started && !end.succeeded() && end.output.find(report::wrong_output_words) != std::string::npos;
}

exec::ChildEnd run(const exec::NativeProgram& program, report::TestForm form, const report::TestName& name,
                   size_t number) {
  const std::string argument =
      form == report::TestForm::c ? std::to_string(number) : fmt::format("--gtest_filter={}.{}", name.suite, name.name);
  return program.run({argument}, seconds_of_a_test);
}

// Runs every test by itself: one that crashes does not take the others with it. Why they could not be run, or nothing.
std::string try_out(std::vector<RegressionTarget>& targets, const campaign::Options& options, report::TestForm form,
                    const std::string& version) {
  const std::vector<report::TestName> names = report::test_names(targets);
  const exec::NativeProgram program(
      campaign::bitcode_for(targets, options), report::regression_text(targets, form, version, ""),
      form == report::TestForm::c ? exec::MainProgram::c : exec::MainProgram::google_test);
  if (!program.problem().empty())
    return program.problem();
  for (size_t i = 0; i < names.size(); ++i) {
    RegressionCase& made = targets[names[i].target].cases[names[i].in_target];
    if (!fails(made, run(program, form, names[i], i + 1)))
      made.left_out = "compiled natively, the code passes this test";
  }
  return "";
}

} // namespace

RegressionFile regression_file(const finding::Report& report, const campaign::Options& options, report::TestForm form) {
  std::vector<RegressionTarget> targets = campaign::regression_targets(report, options);
  leave_out_what_cannot_be_called(targets);
  if (report::test_names(targets).empty())
    return {report::regression_text(targets, form, report.version, "No finding can be written as a test."), ""};
  std::string problem;
  try {
    problem = try_out(targets, options, form, report.version);
  } catch (const frontend::UserError& error) {
    problem = error.what();
  }
  const size_t tests = report::test_names(targets).size();
  const std::string count = fmt::format("{} test{}", tests, tests == 1 ? "" : "s");
  if (problem.empty())
    return {report::regression_text(targets, form, report.version,
                                    fmt::format("{}; {} failed on the code that {} made from.", count,
                                                tests == 1 ? "it" : fmt::format("all {}", tests),
                                                tests == 1 ? "it was" : "they were")),
            ""};
  return {
      report::regression_text(targets, form, report.version, fmt::format("{}, not compiled here: {}", count, problem)),
      fmt::format("the tests were not compiled and run before they were written: {}", problem)};
}

} // namespace faultline::cli
