#include "frontend/fpcore/function_writer.h"

#include "frontend/fpcore/precondition.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::frontend::fpcore {

using numeric::Format;

FunctionText function_text(const Core& core, const Callables& earlier, bool is_called, Preconditions preconditions,
                           const std::string& file) {
  ExpressionWriter writer(earlier, file);
  std::vector<std::string> parameters, names;
  for (const Argument& argument : core.arguments) {
    writer.bind(argument.name, {argument.c_name, false, argument.format});
    parameters.push_back(fmt::format("{} {}", c_type(argument.format), argument.c_name));
    names.push_back(argument.c_name);
  }
  Written all;
  Statements checks(all), body(all);
  const Precondition precondition = precondition_of(core);
  for (const Form* condition : precondition.rest) {
    const Value value = writer.write_truth(*condition, core.format, checks);
    checks.at(condition->place);
    checks.add(
        fmt::format("if (!{}) {{\n{}();\nreturn 0;\n}}\n", value.text, precondition_handler)); // nothing else runs
  }
  const Value value = writer.write(core.body, core.format, body);
  const Value result{"", value.is_truth, wider(core.format, value.format)};
  const std::string list = parameters.empty() ? "void" : fmt::format("{}", fmt::join(parameters, ", "));
  const auto function = [&](const std::string& before, const std::string& name, const std::string& inside) {
    return fmt::format("\n#line {}\n{}{} {}({}) {{\n{}}}\n", core.place.line, before, c_type(result), name, list,
                       inside);
  };
  const std::string computed = body.text() + fmt::format("return {};\n", value.text);
  const std::string checked = preconditions == Preconditions::checked ? checks.text() : "";
  FunctionText written{"", result.format};
  if (is_called)
    written.text =
        function("static inline ", body_name(core), computed) +
        function("", core.name, checked + fmt::format("return {}({});\n", body_name(core), fmt::join(names, ", ")));
  else
    written.text = function("", core.name, checked + computed);
  return written;
}

} // namespace faultline::frontend::fpcore
