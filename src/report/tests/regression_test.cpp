#include "report/tests/regression_test.h"

#include "numeric/format.h"
#include "report/tests/call_text.h"
#include "report/tests/literal.h"
#include "report/tests/prototype.h"
#include "report/tests/test_frame.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>

namespace faultline::report {

using namespace model;
using model::Cell;
using numeric::Value;

namespace {

bool is_test(const RegressionCase& made) { return made.left_out.empty(); }

std::string place_of(const RegressionCase& made) {
  return made.line > 0 ? fmt::format("{}:{}", file_name(made.file), made.line) : file_name(made.file);
}

// Returns an ulp of the exact result.
Value ulp_of(const Expectation& expected, const Cell& output) {
  const numeric::FormatInfo& info = numeric::info(output.type.format);
  int exponent = 0;
  std::frexp(std::strtold(expected.reference.hex.c_str(), nullptr), &exponent);
  return std::ldexp(1.0L, std::max(exponent - info.precision, info.min_exponent - info.precision + 1));
}

std::string tolerance_of(const Expectation& expected, const Cell& output) {
  const Value largest = numeric::is_widest(output.type.format) ? std::numeric_limits<Value>::max()
                                                               : static_cast<Value>(std::numeric_limits<double>::max());
  return rounded_up_literal(std::min(expected.bound * ulp_of(expected, output), largest / 2), output.type);
}

std::string tolerance_words(const RegressionCase& made) {
  const Expectation& expected = *made.expected;
  if (made.kind == Kind::branch_flip)
    return "a quarter of the error: enough to tell which branch was taken";
  if (expected.unavoidable < 0.05)
    return "8 ulps of the exact result; rounding the inputs alone costs less than one";
  return fmt::format("8 ulps of the exact result, and 8 times the {:.2g} that rounding the inputs alone costs",
                     expected.unavoidable);
}

// Describes the failure when the test was written.
std::string heading(const RegressionCase& made, const Cell* output) {
  const std::string what = comment_text(failure_words(made) + ".");
  if (!output)
    return what + comment_text(fmt::format("The call must return{}.",
                                           made.detail.empty() ? "" : fmt::format("; the code {}", made.detail)));
  const std::string subject = is_result(*output) ? "the code returned" : fmt::format("the code's {} was", output->name);
  return what + comment_text(fmt::format("When this was written {} {}.", subject, made.expected->computed.decimal));
}

// Returns the compared value: the call itself, or an output after it.
std::string compared(const CallText& call, const RegressionCase& made, const Cell& output, std::string& text) {
  const CallCode called = call.call(made.input);
  text += called.before;
  if (is_result(output))
    return called.expression;
  text += fmt::format("  {};\n{}", called.expression, called.after);
  const CallText::OutputRead reading = call.read(output);
  text += reading.statements;
  return reading.value;
}

std::string body(const CallText& call, const RegressionTarget& target, const RegressionCase& made, TestForm form) {
  if (!made.expected) {
    const CallCode called = call.call(made.input);
    return called.before + must_return_text(called.expression, form);
  }
  const Cell& output = target.target.outputs[made.expected->output];
  const bool extended = numeric::is_widest(output.type.format);
  const std::string type = extended ? "long double" : "double";
  std::string text;
  const std::string value = compared(call, made, output, text);
  text += fmt::format("  const {} exact = {};\n", type, exact_literal(made.expected->reference, output.type));
  text += fmt::format("  // {}\n  const {} tolerance = {};\n", tolerance_words(made), type,
                      tolerance_of(*made.expected, output));
  return text + near_text(value, failure_words(made), extended, form);
}

std::string left_out_text(const std::vector<RegressionTarget>& targets) {
  std::string text;
  for (const RegressionTarget& target : targets)
    for (const RegressionCase& made : target.cases)
      if (!is_test(made))
        text += comment_text(fmt::format("- {} ({}): {}", failure_words(made),
                                         model::before_parameters(target.function), made.left_out));
  return text.empty() ? "" : "\n// Without a test:\n" + text;
}

// Returns the test's names for functions that it declares by symbol. Overloads get different names.
std::vector<std::string> own_names(const std::vector<RegressionTarget>& targets, bool headers) {
  std::vector<std::string> names;
  std::map<std::string, size_t> seen;
  for (const RegressionTarget& target : targets) {
    const std::string name = (headers ? "call_" : "") + snake_case(target.function);
    const size_t count = ++seen[name];
    names.push_back(count == 1 ? name : fmt::format("{}_{}", name, count));
  }
  return names;
}

// Functions of one namespace are declared together in it.
void add_declaration(std::string& declarations, const std::string& next) {
  const size_t end = next.find("{\n");
  const std::string opening = next.starts_with("namespace ") ? next.substr(0, end + 2) : "";
  const size_t last = declarations.rfind("namespace ");
  const bool same = !opening.empty() && last != std::string::npos && declarations.ends_with("\n}\n") &&
                    declarations.compare(last, opening.size(), opening) == 0;
  if (same)
    declarations.resize(declarations.size() - 2); // the brace
  declarations += same ? next.substr(opening.size()) : next;
}

} // namespace

std::string failure_words(const RegressionCase& made) {
  const std::string where = place_of(made);
  return fmt::format("{}{}{}{}", made.fault, made.source.empty() ? "" : fmt::format(" in {}", made.source),
                     where.empty() ? "" : ", ", where);
}

std::string no_call_reason(const model::Target& target, TestForm form) {
  return CallText(target, form != TestForm::c, false, "subject").refused();
}

std::vector<TestName> test_names(const std::vector<RegressionTarget>& targets) {
  std::vector<TestName> names;
  std::map<std::string, size_t> seen;
  for (size_t t = 0; t < targets.size(); ++t)
    for (size_t c = 0; c < targets[t].cases.size(); ++c) {
      const RegressionCase& made = targets[t].cases[c];
      if (!is_test(made))
        continue;
      const std::string& function = targets[t].function;
      std::string name = identifier(made.line > 0 ? fmt::format("line{}_{}", made.line, made.fault) : made.fault);
      const size_t count = ++seen[snake_case(function) + " " + name];
      if (count > 1)
        name += fmt::format("_{}", count);
      names.push_back({t, c, pascal_case(function), name, fmt::format("test_{}_{}", snake_case(function), name)});
    }
  return names;
}

std::string regression_text(const std::vector<RegressionTarget>& targets, const TestFile& file) {
  const std::vector<TestName> names = test_names(targets);
  const bool cpp = file.form != TestForm::c;
  const std::vector<std::string> own = own_names(targets, !file.headers.empty());
  std::string structs, declarations, tests;
  std::set<std::string> known;
  auto next = names.begin();
  for (size_t t = 0; t < targets.size(); ++t) {
    const RegressionTarget& target = targets[t];
    if (std::ranges::none_of(target.cases, is_test))
      continue;
    const CallText call(target.target, cpp, !file.headers.empty(), own[t]);
    for (const std::string& definition : call.structs())
      structs += known.insert(definition).second ? definition + "\n" : "";
    add_declaration(declarations, call.declaration());
    for (const RegressionCase& made : target.cases)
      if (is_test(made)) {
        const TestName& name = *next++;
        tests += "\n" + heading(made, made.expected ? &target.target.outputs[made.expected->output] : nullptr);
        tests += cpp ? fmt::format("TEST({}, {}) {{\n", name.suite, name.name)
                     : fmt::format("static void {}(void) {{\n", name.in_c);
        tests += body(call, target, made, file.form) + "}\n";
      }
  }
  std::set<std::string> files;
  std::vector<const model::Target*> called;
  for (const RegressionTarget& target : targets) {
    files.insert(file_name(target.file));
    called.push_back(&target.target);
  }
  const std::string sources = fmt::format("{}", fmt::join(files, ", ")), hint = harness_hint(called);
  std::vector<std::string> in_c;
  for (const TestName& name : names)
    in_c.push_back(name.in_c);
  return framed({file, sources, hint.empty() ? sources : hint, module_symbols_hint(called),
                 harness_sizes(called) + structs + declarations, tests, in_c, left_out_text(targets)});
}

} // namespace faultline::report
