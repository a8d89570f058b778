#include "report/tests/call_text.h"

#include "frontend/cell_name.h"
#include "report/tests/block_call.h"
#include "report/tests/literal.h"
#include "report/tests/record.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::report {

using finding::NamedNumber;
using finding::Number;
using frontend::Cell;
using frontend::Parameter;
using frontend::Passing;
using frontend::Target;
using Form = ParameterType::Form;

namespace {

constexpr size_t widest = 110; // columns of a line of numbers

const Number* value_of(const std::vector<NamedNumber>& input, const std::string& cell) {
  const auto found = std::ranges::find(input, cell, &NamedNumber::name);
  return found == input.end() ? nullptr : &found->value;
}

std::string literal_of(const std::vector<NamedNumber>& input, const std::string& cell, const frontend::Type& type) {
  const Number* value = value_of(input, cell);
  return value ? c_literal(*value, type) : c_literal({"0", "0x0p+0"}, type);
}

// {1.0, 2.0}, over as many lines as it takes; rows in braces of their own.
std::string list_text(const std::vector<std::string>& values, const std::vector<size_t>& rows) {
  if (rows.size() > 1) {
    const size_t length = values.size() / rows.front();
    std::vector<std::string> parts;
    for (size_t i = 0; i + length <= values.size(); i += length)
      parts.push_back(
          list_text({values.begin() + long(i), values.begin() + long(i + length)}, {rows.begin() + 1, rows.end()}));
    return fmt::format("{{{}}}", fmt::join(parts, ",\n    "));
  }
  std::string text = "{", line;
  for (size_t i = 0; i < values.size(); ++i) {
    const std::string word = values[i] + (i + 1 < values.size() ? ", " : "");
    if (line.size() + word.size() > widest) {
      text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n    ";
      line.clear();
    }
    line += word;
  }
  return text + line + "}";
}

std::string array_statement(const Argument& argument, const std::vector<NamedNumber>& input, bool cpp) {
  const Parameter& parameter = argument.parameter;
  std::vector<std::string> values;
  bool given = false;
  for (uint64_t i = 0; i < parameter.count; ++i) {
    const std::string cell = frontend::cell_name(parameter.name, i);
    given = given || value_of(input, cell);
    values.push_back(literal_of(input, cell, parameter.type));
  }
  std::string extents = fmt::format("[{}]", parameter.count);
  if (argument.type.form == Form::rows)
    extents = fmt::format("[{}]{}", argument.rows.front(), argument.type.extents);
  const std::string list =
      given ? list_text(values, argument.type.form == Form::rows ? argument.rows : std::vector<size_t>())
      : cpp ? "{}"
            : "{0}";
  return fmt::format("  {}{} {}{} = {};\n", argument.type.constant ? "const " : "", argument.type.base, argument.name,
                     extents, list);
}

std::string record_statement(const Argument& argument, const std::vector<NamedNumber>& input, bool by_header,
                             bool cpp) {
  std::vector<std::string> values;
  std::string assignments;
  for (const Cell& field : argument.fields) {
    values.push_back(literal_of(input, field.name, field.type));
    if (value_of(input, field.name))
      assignments +=
          fmt::format("  {}.{} = {};\n", argument.name, field_name(field, argument.parameter), values.back());
  }
  const std::string type = record_type(argument, cpp);
  return by_header ? fmt::format("  {} {} = {{}};\n{}", type, argument.name, assignments)
                   : fmt::format("  {} {} = {{{}}};\n", type, argument.name, fmt::join(values, ", "));
}

// The argument whose memory it is.
const Argument& owner_of(const Argument& argument, const std::vector<Argument>& all) {
  const auto owner =
      std::ranges::find(all, argument.parameter.alias_of, [](const Argument& other) { return other.parameter.name; });
  return argument.parameter.alias_of.empty() || owner == all.end() ? argument : *owner;
}

std::string address_of(const Argument& argument) {
  const bool is_address = argument.parameter.is_array && !argument.is_record;
  return fmt::format("{}{}", is_address || argument.type.form == Form::reference ? "" : "&", argument.name);
}

} // namespace

bool is_result(const Cell& output) { return output.name == "return"; }

CallText::CallText(const Target& target, bool cpp, bool headers, const std::string& own_name)
    : target_(target), cpp_(cpp), own_name_(own_name), prototype_(prototype_of(target, cpp, headers, own_name)) {}

std::string CallText::refused() const { return prototype_ ? "" : no_block_call_reason(target_); }

std::vector<std::string> CallText::structs() const {
  return prototype_ ? struct_definitions(*prototype_, cpp_) : std::vector<std::string>();
}

std::string CallText::declaration() const {
  return prototype_ ? prototype_text(*prototype_, cpp_) : block_declaration(target_, own_name_, cpp_) + "\n";
}

Called CallText::call(const std::vector<NamedNumber>& input) const {
  return prototype_ ? plain(input) : block_call(target_, own_name_, input);
}

Called CallText::plain(const std::vector<NamedNumber>& input) const {
  Called made;
  std::vector<std::string> words;
  for (const Argument& argument : prototype_->arguments) {
    const Parameter& parameter = argument.parameter;
    const bool scalar = !parameter.is_array && !argument.is_record;
    if (parameter.passing == Passing::absent) {
      words.emplace_back(cpp_ ? "nullptr" : "NULL");
      continue;
    }
    if (parameter.passing == Passing::value ||
        (scalar && argument.type.form == Form::reference && argument.type.constant && parameter.alias_of.empty())) {
      words.push_back(literal_of(input, parameter.name, parameter.type));
      continue;
    }
    words.push_back(address_of(owner_of(argument, prototype_->arguments)));
    if (!parameter.alias_of.empty())
      continue;
    if (argument.is_record)
      made.before += record_statement(argument, input, prototype_->declared_by_header, cpp_);
    else if (parameter.is_array)
      made.before += array_statement(argument, input, cpp_);
    else
      made.before += fmt::format("  {} {} = {};\n", argument.type.base, argument.name,
                                 literal_of(input, parameter.name, parameter.type));
  }
  made.expression = fmt::format("{}({})", prototype_->called(), fmt::join(words, ", "));
  return made;
}

CallText::Reading CallText::read(const Cell& output) const {
  if (!prototype_)
    return {block_read(output), "value"};
  for (const Argument& argument : prototype_->arguments) {
    const std::string& name = argument.parameter.name;
    const bool own = output.name == name || output.name.starts_with(name + "[") || output.name.starts_with(name + ".");
    if (!own)
      continue;
    const std::string rest = output.name.substr(name.size());
    const std::string& variable = owner_of(argument, prototype_->arguments).name;
    if (argument.type.form != Form::rows)
      return {"", variable + rest};
    return {"",
            fmt::format("(&{}{})[{}]", variable, fmt::join(std::vector<std::string>(argument.rows.size(), "[0]"), ""),
                        rest.substr(1, rest.size() - 2))};
  }
  return {"", identifier(output.name)};
}

} // namespace faultline::report
