#include "report/test_file.h"

#include "report/call_text.h"

#include <filesystem>
#include <fmt/format.h>

namespace faultline::report {

using finding::CoverReport;
using finding::CoverTest;
using frontend::Cell;
using frontend::Target;
using numeric::Format;

namespace {

// The statements of one test; `check` is what compares a value with an expected one.
std::string body(const Target& target, const CoverTest& test, const char* check) {
  std::string text = call_text(target, "subject", test.input);
  for (size_t i = 0; i < test.outputs.size(); ++i) {
    const Cell& cell = target.outputs[i];
    const std::string expected = c_literal(test.outputs[i].value, cell.type);
    if (is_result(cell))
      text += fmt::format("  {}(result, {}); // {}\n", check, expected, test.outputs[i].value.decimal);
    else
      text += fmt::format("  {{ {} {}(value, {}); }} // {}\n", read_text(cell), check, expected, cell.name);
  }
  return text;
}

// What the input is there for.
std::string purpose(const CoverReport& report, size_t test) {
  std::string text;
  for (const finding::CoveredBranch& branch : report.branches)
    if (branch.shown == test)
      text += fmt::format("// {}:{}: {} is {}\n", std::filesystem::path(branch.file).filename().string(), branch.line,
                          branch.condition, branch.outcome);
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

std::string epsilon_of(const Target& target) {
  for (const Cell& cell : target.outputs)
    if (cell.type.floating && cell.type.format == Format::binary32)
      return "FLT_EPSILON";
  return "DBL_EPSILON";
}

std::string head(const CoverReport& report, bool cpp) {
  return fmt::format("// Written by faultline {}: one input for each branch outcome of {} ({}).\n"
                     "// Link with the code under test{}.\n",
                     report.version, report.target.function,
                     std::filesystem::path(report.target.file).filename().string(),
                     cpp ? " and GoogleTest" : "; the exit status is the number of failures");
}

} // namespace

std::string test_file_cpp(const CoverReport& report) {
  std::string text = head(report, true);
  text += "#include <cfloat>\n#include <cmath>\n#include <cstdint>\n#include <cstring>\n#include <gtest/gtest.h>\n\n";
  text += declaration_text(report.target, "subject", true) + "\n" + closeness;
  text += fmt::format("#define EXPECT_CLOSE(actual, expected) EXPECT_TRUE(close_to(actual, expected, {})) << actual\n",
                      epsilon_of(report.target));
  for (size_t i = 0; i < report.tests.size(); ++i) {
    const CoverTest& test = report.tests[i];
    text += "\n" + purpose(report, i);
    text += fmt::format("TEST({}, input_{}) {{\n", identifier(report.target.function), i + 1);
    if (test.returned)
      text += body(report.target, test, "EXPECT_CLOSE");
    else
      text += "  EXPECT_DEATH({\n" + body(report.target, test, "EXPECT_CLOSE") + "  }, \"\"); // " + test.ending + "\n";
    text += "}\n";
  }
  return text;
}

std::string test_file_c(const CoverReport& report) {
  std::string text = head(report, false);
  text += "#include <float.h>\n#include <math.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <string.h>\n\n";
  text += declaration_text(report.target, "subject", false) + "\n" + closeness;
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
      text += fmt::format("\n{}// input_{} is left out: the call {}.\n", purpose(report, i), i + 1, test.ending);
      continue;
    }
    text += fmt::format("\n{}static void input_{}(void) {{\n{}}}\n", purpose(report, i), i + 1,
                        body(report.target, test, "EXPECT_CLOSE"));
    calls += fmt::format("  input_{}();\n", i + 1);
  }
  return text + "\nint main(void) {\n" + calls + "  return failures > 100 ? 100 : failures;\n}\n";
}

} // namespace faultline::report
