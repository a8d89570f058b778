#include "report/tests/test_file.h"

#include "numeric/decimal.h"
#include "report/tests/call_text.h"
#include "report/tests/harness_hint.h"
#include "report/tests/literal.h"
#include "report/tests/test_frame.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace faultline::report {

using finding::CoverReport;
using finding::CoverTest;
using frontend::Cell;
using frontend::Target;
using numeric::Format;

namespace {

// The statements of one test.
std::string body_of(const Target& target, const CallText& call, const CoverTest& test) {
  const char* check = "EXPECT_CLOSE";
  const Called called = call.call(test.input);
  const bool has_result = std::ranges::any_of(target.outputs, is_result);
  const auto result = std::ranges::find_if(target.outputs, is_result);
  std::string text = called.before + "  " +
                     (has_result ? fmt::format("const {} result = ", c_type(result->type)) : "") + called.expression +
                     ";\n" + called.after;
  for (size_t i = 0; i < test.outputs.size(); ++i) {
    const Cell& cell = target.outputs[i];
    const std::string expected = c_literal(test.outputs[i].value, cell.type);
    if (is_result(cell)) {
      text += fmt::format("  {}(result, {});\n", check, expected);
      continue;
    }
    const CallText::Reading reading = call.read(cell);
    text += reading.statements.empty() ? fmt::format("  {}({}, {});\n", check, reading.value, expected)
                                       : fmt::format("  {{\n{}  {}({}, {}); // {}\n  }}\n", reading.statements, check,
                                                     reading.value, expected, cell.name);
  }
  return text;
}

// What the input is there for.
std::string purpose(const CoverReport& report, size_t test) {
  std::string text;
  for (const finding::CoveredBranch& branch : report.branches)
    if (branch.shown == test)
      text += comment_text(fmt::format("{}:{}: {} is {}", std::filesystem::path(branch.file).filename().string(),
                                       branch.line, branch.condition, branch.outcome));
  return text;
}

constexpr const char* closeness = R"(
// Equal, both NaN, or a few ulps apart.
static int close_to(long double actual, long double expected, long double epsilon) {
  if (actual != actual || expected != expected)
    return actual != actual && expected != expected;
  return actual == expected || fabsl(actual - expected) <= 4 * epsilon * fabsl(expected);
}
)";

std::string declared(const CallText& call) {
  std::string text;
  for (const std::string& definition : call.structs())
    text += definition + "\n";
  return text + call.declaration();
}

std::string epsilon_of(const Target& target) {
  Format narrowest = Format::binary64;
  for (const Cell& cell : target.outputs)
    if (cell.type.floating)
      narrowest = std::min(narrowest, cell.type.format);
  return narrowest == Format::binary64   ? "DBL_EPSILON"
         : narrowest == Format::binary32 ? "FLT_EPSILON"
                                         : numeric::hex_float(numeric::epsilon(narrowest));
}

std::string head(const CoverReport& report, bool cpp) {
  const std::string hint = harness_hint({&report.target}), module_hint = module_symbols_hint({&report.target});
  return comment_text(fmt::format("Written by faultline {}: one input for each branch outcome of {} ({}).",
                                  report.version, report.target.function,
                                  std::filesystem::path(report.target.file).filename().string())) +
         comment_text(fmt::format("Link with {}{}{}.", cpp ? "GoogleTest and " : "",
                                  hint.empty() ? "the code under test" : hint,
                                  cpp ? "" : "; the exit status is the number of failures")) +
         (module_hint.empty() ? "" : comment_text(module_hint));
}

std::string left_out(const CoverReport& report, size_t test) {
  return fmt::format("\n{}// input_{} is left out: the call {}.\n", purpose(report, test), test + 1,
                     report.tests[test].ending);
}

} // namespace

std::string test_file_cpp(const CoverReport& report) {
  const CallText call(report.target, true, false, snake_case(report.target.function));
  std::string text = declared(call) + closeness;
  text += fmt::format("#define EXPECT_CLOSE(actual, expected) EXPECT_TRUE(close_to(actual, expected, {})) << actual\n",
                      epsilon_of(report.target));
  for (size_t i = 0; i < report.tests.size(); ++i) {
    const CoverTest& test = report.tests[i];
    if (test.missing) {
      text += left_out(report, i);
      continue;
    }
    const std::string body = body_of(report.target, call, test);
    text += "\n" + purpose(report, i);
    text += fmt::format("TEST({}, input_{}) {{\n", pascal_case(report.target.function), i + 1);
    text += test.returned ? body : "  EXPECT_DEATH({\n" + body + "  }, \"\"); // " + test.ending + "\n";
    text += "}\n";
  }
  return head(report, true) + "\n" + standard_includes(text, TestForm::google_test) + "\n" + text;
}

std::string test_file_c(const CoverReport& report) {
  const CallText call(report.target, false, false, snake_case(report.target.function));
  std::string text = declared(call) + closeness;
  text += fmt::format("static int failures;\n"
                      "#define EXPECT_CLOSE(actual, expected) \\\n"
                      "  do {{ if (!close_to(actual, expected, {})) {{ ++failures; \\\n"
                      "    printf(\"%s: %.17Lg instead of %.17Lg\\n\", __func__, (long double)(actual), (long "
                      "double)(expected)); }} }} while (0)\n",
                      epsilon_of(report.target));
  std::string calls;
  for (size_t i = 0; i < report.tests.size(); ++i) {
    const CoverTest& test = report.tests[i];
    if (!test.returned) {
      text += left_out(report, i);
      continue;
    }
    text += fmt::format("\n{}static void input_{}(void) {{\n{}}}\n", purpose(report, i), i + 1,
                        body_of(report.target, call, test));
    calls += fmt::format("  input_{}();\n", i + 1);
  }
  text += "\nint main(void) {\n" + calls + "  return failures > 100 ? 100 : failures;\n}\n";
  return head(report, false) + "\n" + standard_includes(text, TestForm::c) + "\n" + text;
}

} // namespace faultline::report
