#include "report/tests/test_frame.h"

#include "numeric/decimal.h"
#include "report/tests/literal.h"

#include <cstdlib>
#include <fmt/format.h>
#include <regex>

namespace faultline::report {
namespace {

constexpr size_t widest = 110; // columns of a comment
constexpr int returned_status = 7;

// A word of the tests, and the header that has it in C and in C++.
struct Needed {
  const char* word;
  const char *c, *cpp;
};
constexpr Needed needed[] = {
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

// The functions that tests in C call.
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

} // namespace

std::string standard_includes(const std::string& code, TestForm form) {
  std::string text;
  for (const Needed& entry : needed)
    if (std::regex_search(code, std::regex(entry.word)))
      text += fmt::format("#include <{}>\n", form == TestForm::c ? entry.c : entry.cpp);
  return text + (form == TestForm::c ? "" : "#include <gtest/gtest.h>\n");
}

namespace {

// A backslash at the end, or the trigraph that stands for one, would take the next line along.
std::string ended(const std::string& line) {
  return line.ends_with('\\') || line.ends_with("?\?/") ? line + "." : line;
}

} // namespace

std::string comment_text(const std::string& text) {
  std::string lines, line = "//";
  const std::regex words(R"([^\s]+)");
  for (std::sregex_iterator word(text.begin(), text.end(), words), end; word != end; ++word) {
    if (line.size() + 1 + size_t(word->length()) > widest) {
      lines += ended(line) + "\n";
      line = "//";
    }
    line += " " + word->str();
  }
  return lines + ended(line) + "\n";
}

std::string near_text(const std::string& value, const std::string& words, bool extended, TestForm form) {
  const bool c = form == TestForm::c;
  const std::string check = c ? fmt::format("  expect_near(__func__, {}, exact, tolerance,", value)
                            : extended
                                ? fmt::format("  EXPECT_LE(std::fabs({} - exact), tolerance)", value) // no double
                                : fmt::format("  EXPECT_NEAR({}, exact, tolerance)", value);
  const std::string message = fmt::format("{}\"{}\"{};\n", c ? "" : "<< ", quoted(words), c ? ")" : "");
  const bool fits = check.size() + 1 + message.size() <= widest + 10;
  return fmt::format("{}{}{}", check, fits ? " " : "\n      ", message);
}

std::string must_return_text(const std::string& call, TestForm form) {
  if (form == TestForm::c)
    return fmt::format("  returned = 0;\n  {};\n  returned = 1;\n", call);
  return fmt::format("  // In a process of its own, whose status tells that the call came back.\n"
                     "  EXPECT_EXIT({{ {0}; std::_Exit({1}); }}, testing::ExitedWithCode({1}), \"\");\n",
                     call, returned_status);
}

std::string exact_literal(const finding::Number& reference, const frontend::Type& type) {
  const bool extended = numeric::is_widest(type.format);
  const std::string decimal = extended ? numeric::shortest_decimal(std::strtold(reference.hex.c_str(), nullptr))
                                       : numeric::shortest_decimal(std::strtod(reference.hex.c_str(), nullptr));
  frontend::Type as_double = type;
  if (!extended)
    as_double.format = numeric::Format::binary64; // what a float is compared in
  return c_literal({decimal, reference.hex}, as_double);
}

std::string framed(const TestParts& parts) {
  const bool c = parts.file.form == TestForm::c;
  std::string text =
      comment_text(fmt::format("Regression tests for {}, written by faultline {}.", parts.sources, parts.file.version));
  if (!parts.file.standing.empty())
    text += comment_text(parts.file.standing);
  text += comment_text(
      c ? fmt::format("Link with {}. Without an argument all tests run, with a name that one.", parts.linked)
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
