#include "report/tests/test_frame.h"

#include "numeric/decimal.h"
#include "report/tests/call_text.h"
#include "report/tests/literal.h"
#include "report/tests/prototype.h"
#include "report/text.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <regex>

namespace faultline::report {

using model::Cell;
using model::CoverReport;
using model::CoverTest;
using model::Target;
using numeric::Format;

namespace {

// Returns the statements of one test.
std::string body_of(const Target& target, const CallText& call, const CoverTest& test) {
  const char* check = "EXPECT_CLOSE";
  const CallCode called = call.call(test.input);
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
    const CallText::OutputRead reading = call.read(cell);
    text += reading.statements.empty() ? fmt::format("  {}({}, {});\n", check, reading.value, expected)
                                       : fmt::format("  {{\n{}  {}({}, {}); // {}\n  }}\n", reading.statements, check,
                                                     reading.value, expected, printable(cell.name));
  }
  return text;
}

// Returns the purpose of the input.
std::string purpose(const CoverReport& report, size_t test) {
  std::string text;
  for (const model::CoveredBranch& branch : report.branches)
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
                     printable(report.tests[test].ending));
}

constexpr size_t widest_comment = 110; // columns of a comment
constexpr int returned_status = 7;

// A word used by tests, and the header that declares it in C and in C++.
struct WordHeader {
  const char* word;
  const char *c, *cpp;
};
constexpr WordHeader word_headers[] = {
    {R"(\b(FLT|DBL)_EPSILON\b)", "float.h", "cfloat"},
    {R"(\b(fabsl?|INFINITY|NAN)\b)", "math.h", "cmath"},
    {R"(\b(size_t|NULL)\b)", "stddef.h", "cstddef"},
    {R"(\bu?int(8|16|32|64|ptr)_t\b)", "stdint.h", "cstdint"},
    {R"(\bprintf\b)", "stdio.h", "cstdio"},
    {R"(\b(_Exit|atexit)\b)", "stdlib.h", "cstdlib"},
    {R"(\b(memcpy|strcmp)\b)", "string.h", "cstring"},
};

std::string own_includes(const std::vector<std::string>& headers) {
  std::string text;
  for (const std::string& header : headers)
    text += header.starts_with('<') ? fmt::format("#include {}\n", header) : fmt::format("#include \"{}\"\n", header);
  return text.empty() ? "" : text + "\n";
}

// Returns the functions that tests in C call.
std::string checks(const std::string& tests) {
  std::string text;
  if (tests.find("expect_near(") != std::string::npos) {
    const bool extended = tests.find("const long double exact") != std::string::npos;
    text += fmt::format(R"(
static int failures;

// A NaN is near nothing.
static void expect_near(const char *test, {0} computed, {0} exact, {0} tolerance,
                        const char *problem) {{
  if ({1}(computed - exact) <= tolerance)
    return;
  printf("FAILED %s: %.{2}g instead of %.{2}g, %.2{3}g allowed: %s\n", test, computed, exact, tolerance, problem);
  failures++;
}}
)",
                        extended ? "long double" : "double", extended ? "fabsl" : "fabs", extended ? "21L" : "17",
                        extended ? "L" : "");
  }
  if (tests.find("returned = 0") != std::string::npos)
    text += R"(
// A call that must return may end the program instead.
static int returned = 1;
static void fail_unless_returned(void) {
  if (!returned)
    _Exit(1);
}
)";
  return text;
}

std::string main_text(const std::vector<std::string>& names, const std::string& tests) {
  if (names.empty())
    return "\nint main(void) { return 0; }\n";
  std::string text = "\nint main(int count, char **words) {\n"
                     "  static const struct {\n    const char *name;\n    void (*run)(void);\n  } tests[] = {\n";
  for (const std::string& name : names)
    text += fmt::format("      {{\"{0}\", {0}}},\n", name);
  text += "  };\n";
  if (tests.find("returned = 0") != std::string::npos)
    text += "  atexit(fail_unless_returned);\n";
  text += fmt::format("  for (int i = 0; i < {}; i++)\n    if (count < 2 || strcmp(words[1], tests[i].name) == 0)\n"
                      "      tests[i].run();\n",
                      names.size());
  const bool counted = tests.find("expect_near(") != std::string::npos;
  return text + (counted ? "  return failures < 100 ? failures : 100;\n}\n" : "  return 0;\n}\n");
}

// A trailing backslash, or its trigraph, would join the next line.
std::string ended(const std::string& line) {
  return line.ends_with('\\') || line.ends_with("?\?/") ? line + "." : line;
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
    text += test.returned ? body : "  EXPECT_DEATH({\n" + body + "  }, \"\"); // " + printable(test.ending) + "\n";
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

std::string standard_includes(const std::string& code, TestForm form) {
  std::string text;
  for (const WordHeader& entry : word_headers)
    if (std::regex_search(code, std::regex(entry.word)))
      text += fmt::format("#include <{}>\n", form == TestForm::c ? entry.c : entry.cpp);
  return text + (form == TestForm::c ? "" : "#include <gtest/gtest.h>\n");
}

std::string comment_text(const std::string& text) {
  std::string lines, line = "//";
  const std::regex words(R"([^\s]+)");
  for (std::sregex_iterator next(text.begin(), text.end(), words), end; next != end; ++next) {
    const std::string word = printable(next->str());
    if (line.size() + 1 + word.size() > widest_comment) {
      lines += ended(line) + "\n";
      line = "//";
    }
    line += " " + word;
  }
  return lines + ended(line) + "\n";
}

std::string near_text(const std::string& value, const std::string& words, bool extended, TestForm form) {
  const bool c = form == TestForm::c;
  const std::string check =
      c          ? fmt::format("  expect_near(__func__, {}, exact, tolerance,", value)
      : extended ? fmt::format("  EXPECT_LE(std::fabs({} - exact), tolerance)", value) // too large for a double
                 : fmt::format("  EXPECT_NEAR({}, exact, tolerance)", value);
  const std::string message = fmt::format("{}\"{}\"{};\n", c ? "" : "<< ", quoted(words), c ? ")" : "");
  const bool fits = check.size() + 1 + message.size() <= widest_comment + 10;
  return fmt::format("{}{}{}", check, fits ? " " : "\n      ", message);
}

std::string must_return_text(const std::string& call, TestForm form) {
  if (form == TestForm::c)
    return fmt::format("  returned = 0;\n  {};\n  returned = 1;\n", call);
  return fmt::format("  // In a separate process, whose status shows that the call returned.\n"
                     "  EXPECT_EXIT({{ {0}; std::_Exit({1}); }}, testing::ExitedWithCode({1}), \"\");\n",
                     call, returned_status);
}

std::string exact_literal(const model::Number& reference, const model::Type& type) {
  const bool extended = numeric::is_widest(type.format);
  const std::string decimal = extended ? numeric::shortest_decimal(std::strtold(reference.hex.c_str(), nullptr))
                                       : numeric::shortest_decimal(std::strtod(reference.hex.c_str(), nullptr));
  model::Type as_double = type;
  if (!extended)
    as_double.format = numeric::Format::binary64; // a float is compared as a double
  return c_literal({decimal, reference.hex}, as_double);
}

std::string framed(const TestParts& parts) {
  const bool c = parts.file.form == TestForm::c;
  std::string text =
      comment_text(fmt::format("Regression tests for {}, written by faultline {}.", parts.sources, parts.file.version));
  if (!parts.file.state.empty())
    text += comment_text(parts.file.state);
  text += comment_text(
      c ? fmt::format("Link with {}. Without an argument, runs all tests; with a name, only that one.", parts.linked)
        : fmt::format("Link with GoogleTest's gtest_main and {}.", parts.linked));
  if (!parts.symbols.empty())
    text += comment_text(parts.symbols);
  const std::string code = parts.declarations + (c ? checks(parts.tests) : "") + parts.tests +
                           (c ? main_text(parts.names, parts.tests) : "");
  text += "\n" + own_includes(parts.file.headers) + standard_includes(code, parts.file.form);
  text += parts.declarations.empty() ? "" : "\n";
  return text + code + parts.end;
}

} // namespace faultline::report
