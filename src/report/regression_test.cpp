#include "report/regression_test.h"

#include "numeric/format.h"
#include "report/call_text.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace faultline::report {

using finding::Expectation;
using finding::RegressionCase;
using finding::RegressionTarget;
using frontend::Cell;

namespace {

constexpr size_t most_shown = 6; // inputs in a comment

constexpr const char* check = R"(
// Writes what is wrong about an output, if it is further from the exact result than `bound` ulps.
static int wrong(char *text, size_t size, const char *output, long double actual, long double expected, int precision,
                 int lowest, double bound, const char *cause) {
  int exponent;
  double ulps = HUGE_VAL; // of an infinity or NaN
  int digits = precision == 24 ? 9 : precision == 53 ? 17 : 21;
  frexpl(expected, &exponent);
  exponent = exponent - precision < lowest ? lowest : exponent - precision;
  if (actual - actual == 0)
    ulps = (double)ldexpl(fabsl(actual - expected), -exponent);
  if (ulps <= bound)
    return 0;
  snprintf(text, size, "%s: computed %.*Lg (%La), expected %.*Lg (%La): %.3g ulps off, at most %.3g allowed; cause: %s",
           output, digits, actual, actual, digits, expected, expected, ulps, bound, cause);
  return 1;
}
)";

constexpr const char* return_check = R"(
// A call that must return may end the program instead.
static int finished = 1;
static void ended_early(void) {
  if (!finished)
    _exit(1);
}
)";

bool is_test(const RegressionCase& made) { return made.left_out.empty(); }

bool any_test(const std::vector<RegressionTarget>& targets, bool that_must_return) {
  return std::ranges::any_of(targets, [&](const RegressionTarget& target) {
    return std::ranges::any_of(target.cases, [&](const RegressionCase& made) {
      return is_test(made) && made.expected.has_value() != that_must_return;
    });
  });
}

// A bound with two digits, and no smaller than it was.
double two_digits(double bound) {
  const double unit = std::pow(10, std::floor(std::log10(bound)) - 1);
  return std::ceil(bound / unit) * unit;
}

std::string quoted(const std::string& text) {
  std::string quoted;
  for (const char c : text)
    quoted += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return quoted;
}

// Text that stays in its comment, whatever names and messages have in them.
std::string comment(const std::string& text) {
  std::string line = "// ";
  for (const char c : text)
    line += c == '\n' || c == '\r' ? ' ' : c;
  return (line.ends_with('\\') ? line + "." : line) + "\n";
}

std::string input_words(const RegressionCase& made) {
  std::vector<std::string> words;
  for (const finding::NamedNumber& number : made.input)
    words.push_back(fmt::format("{} = {}", number.name, number.value.decimal));
  const bool cut = words.size() > most_shown;
  if (cut)
    words.resize(most_shown);
  return fmt::format("{}{}", fmt::join(words, ", "), cut ? fmt::format(", ... {} values", made.input.size()) : "");
}

std::string bound_words(const RegressionCase& made) {
  const Expectation& expected = *made.expected;
  if (made.kind == finding::Kind::branch_flip)
    return fmt::format("The bound, {:.3g} ulps, is a quarter of the error: enough to tell which branch was taken.",
                       two_digits(expected.bound));
  if (expected.unavoidable < 0.05)
    return fmt::format("The bound is {:.3g} ulps; rounding the inputs alone would cost less than one.",
                       two_digits(expected.bound));
  return fmt::format("The bound, {:.3g} ulps, is 8 and 8 times the {:.2g} that rounding the inputs alone would cost.",
                     two_digits(expected.bound), expected.unavoidable);
}

std::string heading(const RegressionCase& made) {
  std::string text =
      comment(fmt::format("{}{}{}", finding::text(made.kind), made.cause.empty() ? "" : fmt::format(", {}", made.cause),
                          made.variant == "simple" ? ": a simpler input" : "") +
              ": " + input_words(made));
  if (!made.expected)
    return text + comment("The call must return.");
  const Expectation& expected = *made.expected;
  text +=
      comment(fmt::format("The code computed {}; exact is {}.", expected.computed.decimal, expected.reference.decimal));
  return text + comment(bound_words(made));
}

std::string left_out_text(const RegressionTarget& target, const RegressionCase& made) {
  return "\n" + comment(fmt::format("left out: {} {}, {}{}: {}", finding::text(made.kind), made.id, target.function,
                                    made.variant == "simple" ? " (a simpler input)" : "", made.left_out));
}

// The call and the check.
std::string body(const RegressionTarget& target, const RegressionCase& made, const std::string& subject,
                 TestForm form) {
  const std::string call = call_text(target.target, subject, made.input);
  if (!made.expected)
    return "  finished = 0;\n  atexit(ended_early);\n" + call + "  finished = 1;\n" +
           (form == TestForm::c ? "  return 0;\n" : "");
  const Cell& cell = target.target.outputs[made.expected->output];
  const numeric::FormatInfo& info = numeric::info(cell.type.format);
  const std::string test =
      fmt::format("wrong(text, sizeof text, \"{}\", {}, {}, {}, {}, {:.3g}, \"{}\")", quoted(cell.name),
                  is_result(cell) ? "result" : "value", c_literal(made.expected->reference, cell.type), info.precision,
                  info.min_exponent - info.precision + 1, two_digits(made.expected->bound),
                  quoted(made.cause.empty() ? "not known" : made.cause));
  std::string text = "  char text[512];\n" + call;
  if (!is_result(cell))
    text += "  " + read_text(cell) + "\n";
  return text + (form == TestForm::c
                     ? fmt::format("  if (!{})\n    return 0;\n  return failed(__func__, text);\n", test)
                     : fmt::format("  EXPECT_FALSE({}) << text;\n", test));
}

std::string head(const std::vector<RegressionTarget>& targets, TestForm form, const std::string& version,
                 const std::string& standing) {
  std::set<std::string> files;
  for (const RegressionTarget& target : targets)
    files.insert(std::filesystem::path(target.file).filename().string());
  const bool c = form == TestForm::c;
  std::string text =
      comment(fmt::format("Regression tests for {}, written by faultline {}.", fmt::join(files, ", "), version));
  text += comment("A test fails as long as its finding is there, and passes when it is fixed.");
  text += comment(standing);
  text += c ? "// Link with the code under test. Without an argument all tests run, with a number only that one.\n"
            : "// Link with the code under test and GoogleTest's gtest_main.\n";
  text += c ? "#include <math.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
              "#include <unistd.h>\n"
            : "#include <cmath>\n#include <cstdint>\n#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n"
              "#include <gtest/gtest.h>\n#include <unistd.h>\n";
  if (any_test(targets, false))
    text += check;
  if (any_test(targets, true))
    text += return_check;
  if (c && any_test(targets, false))
    text += "\nstatic int failed(const char *test, const char *text) {\n"
            "  printf(\"FAILED %s: %s\\n\", test, text);\n  return 1;\n}\n";
  return text;
}

std::string main_text(const std::vector<TestName>& names) {
  std::string text = "\nint main(int count, char **words) {\n";
  if (names.empty())
    return text + "  (void)count;\n  (void)words;\n  return 0;\n}\n";
  text += "  static int (*const tests[])(void) = {\n";
  for (const TestName& name : names)
    text += fmt::format("    {}_{},\n", name.suite, name.name);
  text += fmt::format("  }};\n  const int last = {};\n", names.size());
  return text + R"(  int only = count > 1 ? atoi(words[1]) : 0, failures = 0;
  if (count > 1 && (only < 1 || only > last)) {
    fprintf(stderr, "there are tests 1 to %d\n", last);
    return 2;
  }
  for (int i = 1; i <= last; i++)
    if (only == 0 || only == i)
      failures += tests[i - 1]();
  return failures > 100 ? 100 : failures;
}
)";
}

} // namespace

std::vector<TestName> test_names(const std::vector<RegressionTarget>& targets) {
  std::vector<TestName> names;
  for (size_t t = 0; t < targets.size(); ++t)
    for (size_t c = 0; c < targets[t].cases.size(); ++c)
      if (const RegressionCase& made = targets[t].cases[c]; is_test(made))
        names.push_back({t, c, identifier(targets[t].function),
                         identifier(fmt::format("{}_{}{}{}", finding::text(made.kind), made.id,
                                                made.variant.empty() ? "" : "_", made.variant))});
  return names;
}

std::string regression_text(const std::vector<RegressionTarget>& targets, TestForm form, const std::string& version,
                            const std::string& standing) {
  const std::vector<TestName> names = test_names(targets);
  std::string text = head(targets, form, version, standing);
  auto next = names.begin();
  for (size_t t = 0; t < targets.size(); ++t) {
    const RegressionTarget& target = targets[t];
    const std::string subject = fmt::format("subject_{}", t + 1);
    if (std::ranges::any_of(target.cases, is_test))
      text += "\n" + comment(target.function) + declaration_text(target.target, subject, form != TestForm::c) + "\n";
    for (const RegressionCase& made : target.cases) {
      if (!is_test(made)) {
        text += left_out_text(target, made);
        continue;
      }
      const TestName& name = *next++;
      text += "\n" + heading(made);
      text += form == TestForm::c ? fmt::format("static int {}_{}(void) {{\n", name.suite, name.name)
                                  : fmt::format("TEST({}, {}) {{\n", name.suite, name.name);
      text += body(target, made, subject, form) + "}\n";
    }
  }
  return form == TestForm::c ? text + main_text(names) : text;
}

} // namespace faultline::report
