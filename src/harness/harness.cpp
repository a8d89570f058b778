#include "harness/harness.h"

#include "harness/writer.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <set>

namespace faultline::harness {
namespace {

bool has_floats(const Form& form) {
  if (form.is(FormKind::scalar))
    return form.floating;
  return !form.is(FormKind::function) && std::ranges::any_of(form.parts, has_floats);
}

bool changes_floats(const Declaration& function) {
  return std::ranges::any_of(function.arguments, [](const Argument& argument) {
    const bool pointer = argument.plain && argument.declared.find('*') != std::string::npos &&
                         argument.declared.find("const ") == std::string::npos;
    return (argument.how == How::changed || pointer) && has_floats(argument.form);
  });
}

// Is what debug information says of it enough?
bool is_plain(const Declaration& function) {
  // Where no float goes in, no decision is turned by rounding.
  const bool predicate =
      std::ranges::any_of(function.arguments, [](const Argument& argument) { return has_floats(argument.form); });
  const bool result = function.returns_nothing || changes_floats(function) ||
                      (function.result.is(FormKind::scalar) && (function.result.floating || !predicate));
  return function.own_symbol && !function.member && result && function.obstacle.empty() &&
         std::ranges::all_of(function.arguments, &Argument::plain);
}

std::string identifier_of(const std::string& name) {
  std::string text;
  for (const unsigned char c : name)
    if (std::isalnum(c))
      text += char(c);
    else if (!text.empty() && text.back() != '_')
      text += '_';
  while (text.ends_with("_"))
    text.pop_back();
  return "harness_" + text;
}

std::string obstacle_of(const Declaration& function) {
  if (!function.obstacle.empty())
    return function.obstacle;
  for (const Argument& argument : function.arguments)
    if (const std::string obstacle = obstacle_of(argument.form); !obstacle.empty())
      return argument.form.is(FormKind::other)
                 ? fmt::format("'{}': {}", argument.name, obstacle)
                 : fmt::format("'{}' ({}): {}", argument.name, argument.form.type, obstacle);
  const bool deduced = !function.own_symbol && function.symbol.empty(); // by the template
  if (!function.returns_nothing && !deduced && !changes_floats(function))
    return obstacle_of(function.result);
  return {};
}

// For a function that nobody can call for its user: where to write what is missing.
std::string skeleton(const Declaration& function, Language language, const std::string& name) {
  std::string parameters, setup, passed, object;
  for (const Argument& argument : function.arguments) {
    const bool number = argument.form.is(FormKind::scalar) && argument.how != How::changed;
    if (number)
      parameters += fmt::format("{}{} {}", parameters.empty() ? "" : ", ", argument.form.type, argument.name);
    else if (argument.name == "this")
      setup += fmt::format("  {} object; // fill in\n", argument.form.type);
    else
      setup += fmt::format("  {} {}; // fill in\n", argument.form.type, argument.name);
    if (argument.name == "this")
      object = "object.";
    else
      passed += (passed.empty() ? "" : ", ") + argument.name;
  }
  const bool value = !function.returns_nothing;
  return fmt::format("{}double {}({}) {{\n{}  {}{}{}({});{}\n}}\n", language == Language::cxx ? "extern \"C\" " : "",
                     name, parameters.empty() ? "double x" : parameters, setup, value ? "return " : "", object,
                     function.call, passed, value ? " // if it is a number" : "\n  return 0; // fill in");
}

} // namespace

std::vector<Harness> harnesses_for(const std::vector<Declaration>& functions, Language language) {
  std::vector<Harness> all;
  std::set<std::string> names;
  for (const Declaration& function : functions) {
    if (is_plain(function))
      continue;
    Harness made{.function = function.name,
                 .symbol = function.symbol,
                 .file = function.file,
                 .line = function.line,
                 .name = identifier_of(function.name),
                 .own_symbol = function.own_symbol};
    for (int i = 2; !names.insert(made.name).second; ++i)
      made.name = fmt::format("{}_{}", identifier_of(function.name), i);
    made.obstacle = obstacle_of(function);
    if (made.obstacle.empty())
      write_harness(function, language, changes_floats(function), made);
    if (!made.obstacle.empty() && function.obstacle.empty())
      made.obstacle += ": write a harness, of which faultline harness prints the beginning";
    if (!made.obstacle.empty())
      made.text = skeleton(function, language, made.name);
    all.push_back(std::move(made));
  }
  return all;
}

} // namespace faultline::harness
