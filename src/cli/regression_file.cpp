#include "cli/regression_file.h"

#include "exec/native_program.h"
#include "frontend/error.h"
#include "hunt/regression.h"

#include <filesystem>
#include <fmt/format.h>

namespace faultline::cli {

using finding::RegressionCase;
using finding::RegressionTarget;

namespace {

constexpr double seconds_of_a_test = 10;

void leave_out_what_cannot_be_called(std::vector<RegressionTarget>& targets, report::TestForm form) {
  for (RegressionTarget& target : targets)
    if (const std::string reason = report::no_call_reason(target.target, form); !reason.empty())
      for (RegressionCase& made : target.cases)
        if (made.left_out.empty())
          made.left_out = reason;
}

// Where the compiler finds the headers while the tests are tried out: in the folder of the hunt, beside a source, or in
// a folder of -I. One that is in none of them is left as it is.
std::vector<std::string> found_headers(const std::vector<std::string>& headers, const frontend::Sources& sources) {
  namespace fs = std::filesystem;
  std::vector<fs::path> folders = {fs::current_path()};
  for (const std::string& file : sources.files)
    folders.push_back(fs::absolute(file).parent_path());
  for (size_t i = 0; i < sources.flags.size(); ++i)
    if (const std::string& flag = sources.flags[i]; flag == "-I" && i + 1 < sources.flags.size())
      folders.push_back(fs::absolute(sources.flags[i + 1]));
    else if (flag.starts_with("-I"))
      folders.push_back(fs::absolute(flag.substr(2)));
  std::vector<std::string> found = headers;
  for (std::string& header : found)
    for (const fs::path& folder : folders)
      if (std::error_code error; !header.starts_with('<') && fs::is_regular_file(folder / header, error)) {
        header = (folder / header).string();
        break;
      }
  return found;
}

// As the finding says, not in some other way.
bool fails(const RegressionCase& made, const base::ProgramEnd& end) {
  if (!made.expected)
    return end.started && !end.succeeded();
  return end.started && !end.succeeded() && end.output.find(report::failure_words(made)) != std::string::npos;
}

base::ProgramEnd run(const exec::NativeProgram& program, report::TestForm form, const report::TestName& name,
                     const exec::Confinement& confinement) {
  const std::string argument =
      form == report::TestForm::c ? name.in_c : fmt::format("--gtest_filter={}.{}", name.suite, name.name);
  return program.run({argument}, seconds_of_a_test, confinement);
}

// A call that may end its process: GoogleTest makes it in a process of its own, which the sandbox does not allow.
report::TestForm form_in_sandbox(const RegressionCase& made, report::TestForm form) {
  return made.expected ? form : report::TestForm::c;
}

// Runs every test by itself: one that crashes does not take the others with it. Why they could not be run, or nothing.
std::string try_out(std::vector<RegressionTarget>& targets, const campaign::Options& options, report::TestFile file) {
  const std::vector<report::TestName> names = report::test_names(targets);
  const report::TestForm wanted = file.form;
  const std::string bitcode = campaign::bitcode_for(targets, options);
  file.headers = found_headers(file.headers, options.sources);
  for (const report::TestForm form : {report::TestForm::c, report::TestForm::google_test}) {
    std::vector<std::pair<const report::TestName*, RegressionCase*>> own;
    for (const report::TestName& name : names)
      if (RegressionCase& made = targets[name.target].cases[name.in_target]; form_in_sandbox(made, wanted) == form)
        own.emplace_back(&name, &made);
    if (own.empty())
      continue;
    file.form = form;
    const exec::NativeProgram program(bitcode, report::regression_text(targets, file),
                                      form == report::TestForm::c ? exec::MainProgram::c
                                                                  : exec::MainProgram::google_test);
    if (!program.problem().empty())
      return program.problem();
    for (const auto& [name, made] : own)
      if (!fails(*made, run(program, form, *name, options.worker.confinement)))
        made->left_out = "compiled natively, the code passes this test";
  }
  return "";
}

// What is known of the tests.
std::string standing_of(size_t tests, const std::string& problem) {
  const std::string count = fmt::format("{} test{}", tests, tests == 1 ? "" : "s");
  if (!problem.empty())
    return fmt::format("{}, not compiled here: {}", count, problem);
  return fmt::format("{}; {} failed on the code that {} made from.", count,
                     tests == 1 ? "it" : fmt::format("all {}", tests), tests == 1 ? "it was" : "they were");
}

} // namespace

RegressionFile regression_file(const finding::RankedReport& ranked, const campaign::Options& options,
                               report::TestForm form) {
  std::vector<RegressionTarget> targets = campaign::regression_targets(ranked, options);
  leave_out_what_cannot_be_called(targets, form);
  report::TestFile file{form, ranked.report.version, options.headers, ""};
  std::string problem;
  if (!report::test_names(targets).empty()) {
    try {
      problem = try_out(targets, options, file);
    } catch (const frontend::UserError& error) {
      if (error.status == frontend::status_usage) // no fault of the tests: no folder to compile them in
        throw;
      problem = error.what();
    }
  }
  const size_t tests = report::test_names(targets).size();
  file.standing = tests > 0 ? standing_of(tests, problem) : "No problem can be written as a test.";
  return {report::regression_text(targets, file),
          problem.empty() ? ""
                          : fmt::format("the tests were not compiled and run before they were written: {}", problem)};
}

} // namespace faultline::cli
