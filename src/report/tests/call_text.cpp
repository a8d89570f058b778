#include "report/tests/call_text.h"

#include "base/text.h"
#include "program/descriptor.h"
#include "report/tests/literal.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::report {

using model::NamedNumber;
using model::Number;
using namespace model;
using namespace program;
using Form = ParameterType::Form;
using numeric::Format;

namespace {

// A call of a target without a plain prototype: a returned struct, a Fortran descriptor.
//
// The function is declared by its symbol. Pointers point into a block of bytes that is filled before the call, and the
// outputs are read from it afterwards. A struct is returned as on the machine: in memory behind a hidden first
// argument, or in registers as a struct of the same fields.
const Cell* returned(const Target& target) {
  const auto found = std::find_if(target.outputs.begin(), target.outputs.end(), is_result);
  return found == target.outputs.end() ? nullptr : &*found;
}

// Returns the fields of a struct that is returned in registers.
std::vector<Cell> fields(const Target& target) {
  std::vector<Cell> cells;
  if (!target.returned_by_pointer)
    for (const Cell& cell : target.outputs)
      if (cell.name.starts_with("return["))
        cells.push_back(cell);
  return cells;
}

uint64_t stored_bytes(const Type& type) {
  return type.floating ? uint64_t(numeric::info(type.format).bytes) : type.bytes();
}

// An extended float occupies 16 bytes in a struct, of which 10 are used.
uint64_t end_of(const Cell& cell) { return cell.offset + stored_bytes(cell.type); }

std::string descriptor_name(const Parameter& parameter) { return "descriptor_of_" + identifier(parameter.name); }

std::string descriptor_text(const Parameter& parameter) {
  const std::vector<uint64_t> words = program::descriptor_words(parameter);
  return fmt::format("  // {}: the descriptor that flang passes for an array of assumed shape, of {}\n",
                     base::printable(parameter.name), fmt::join(parameter.extents, " x ")) +
         fmt::format("  uint64_t {}[{}] = {{(uintptr_t)(block.bytes + {}), 0x{:x}}};\n", descriptor_name(parameter),
                     words.size(), parameter.offset, fmt::join(words.begin() + 1, words.end(), ", 0x"));
}

// Returns why no call of this function can be written; empty if one can.
std::string no_block_call_reason(const Target& target) {
  if (!target.setups.empty())
    return fmt::format("{} needs {}, which a test does not call", target.function, target.setups.front().function);
  const std::vector<Cell> cells = fields(target);
  const bool complex =
      std::any_of(cells.begin(), cells.end(), [](const Cell& cell) { return cell.type.format == Format::extended80; });
  return complex ? fmt::format("{} returns a complex long double, and a test cannot declare that", target.function)
                 : "";
}

// Declares the target under the name `subject`, and the struct that it returns, if any. `cpp`: in C++.
std::string block_declaration(const Target& target, const std::string& subject, bool cpp) {
  std::string text;
  std::vector<std::string> parameters;
  if (target.returned_by_pointer)
    parameters.emplace_back("void *");
  for (const Parameter& parameter : target.parameters) {
    if (parameter.stored_at)
      continue;
    parameters.push_back(parameter.passing == Passing::value ? c_type(parameter.type) : "void *");
    if (parameter.passing == Passing::slice)
      parameters.emplace_back("unsigned long");
  }
  std::string type = returned(target) ? c_type(returned(target)->type) : "void";
  if (const std::vector<Cell> cells = fields(target); !cells.empty()) {
    type = fmt::format("struct {}_returned", subject);
    text = type + " {";
    for (size_t i = 0; i < cells.size(); ++i)
      text += fmt::format(" {} field_{};", c_type(cells[i].type), i);
    text += " };\n";
  }
  return text + fmt::format("{}{} {}({}) __asm__(\"{}\");", cpp ? "extern \"C\" " : "", type, subject,
                            parameters.empty() ? "void" : fmt::format("{}", fmt::join(parameters, ", ")),
                            target.symbol);
}

// Returns statements that fill the block, and the call.
CallCode block_call(const Target& target, const std::string& subject, const std::vector<model::NamedNumber>& input) {
  std::string text = fmt::format("  static union {{ unsigned char bytes[{}]; long double aligned; }} block;\n",
                                 std::max<uint64_t>(target.block_bytes, 1));
  std::vector<std::string> arguments;
  if (target.returned_by_pointer)
    arguments.push_back(fmt::format("block.bytes + {}", target.return_offset));
  for (const Parameter& parameter : target.parameters) {
    if (parameter.stored_at) {
      text +=
          fmt::format("  {{ void *value = block.bytes + {}; memcpy(block.bytes + {}, &value, sizeof value); }} // {}\n",
                      parameter.offset, *parameter.stored_at, base::printable(parameter.name));
      continue;
    }
    if (parameter.passing == Passing::pointer) {
      arguments.push_back(fmt::format("block.bytes + {}", parameter.offset));
      continue;
    }
    if (parameter.passing == Passing::slice) {
      arguments.push_back(fmt::format("block.bytes + {}, {}", parameter.offset, parameter.count));
      continue;
    }
    if (parameter.passing == Passing::descriptor) {
      text += descriptor_text(parameter);
      arguments.push_back(descriptor_name(parameter));
      continue;
    }
    if (parameter.passing == Passing::absent) {
      arguments.emplace_back("0");
      continue;
    }
    for (size_t i = 0; i < target.inputs.size(); ++i)
      if (target.inputs[i].offset == parameter.offset)
        arguments.push_back(c_literal(input[i].value, target.inputs[i].type));
  }
  for (size_t i = 0; i < target.inputs.size(); ++i) {
    const Cell& cell = target.inputs[i];
    const bool by_value =
        std::any_of(target.parameters.begin(), target.parameters.end(), [&](const Parameter& parameter) {
          return parameter.passing == Passing::value && parameter.offset == cell.offset;
        });
    if (!by_value)
      text += fmt::format("  {{ {} value = {}; memcpy(block.bytes + {}, &value, {}); }} // {}\n", c_type(cell.type),
                          c_literal(input[i].value, cell.type), cell.offset, stored_bytes(cell.type),
                          base::printable(cell.name));
  }
  const std::string call = fmt::format("{}({})", subject, fmt::join(arguments, ", "));
  if (const std::vector<Cell> cells = fields(target); !returned(target) && !cells.empty())
    return {text, fmt::format("struct {}_returned returned = {}", subject, call),
            fmt::format("  memcpy(block.bytes + {}, &returned, {});\n", target.return_offset,
                        end_of(cells.back()) - target.return_offset)};
  return {text, call, ""};
}

// Returns a statement that reads an output, other than the returned scalar, into a new variable `value`.
std::string block_read(const Cell& output) {
  return fmt::format("  {} value;\n  memcpy(&value, block.bytes + {}, {});\n", c_type(output.type), output.offset,
                     stored_bytes(output.type));
}

constexpr size_t widest = 110; // columns of a line of numbers

const Number* value_of(const std::vector<NamedNumber>& input, const std::string& cell) {
  const auto found = std::ranges::find(input, cell, &NamedNumber::name);
  return found == input.end() ? nullptr : &found->value;
}

std::string literal_of(const std::vector<NamedNumber>& input, const std::string& cell, const Type& type) {
  const Number* value = value_of(input, cell);
  return value ? c_literal(*value, type) : c_literal({"0", "0x0p+0"}, type);
}

// Formats {1.0, 2.0} with line breaks; rows are in braces of their own.
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

// The name of an element of an array. A harness has other names for it: A(0,1), z[1].imag.
std::string element_name(const Target& target, const Parameter& array, uint64_t index) {
  const auto cell = std::ranges::find(target.inputs, array.offset + index * array.type.bytes(), &Cell::offset);
  return cell == target.inputs.end() ? model::cell_name(array.name, index) : cell->name;
}

std::string array_statement(const Target& target, const Argument& argument, const std::vector<NamedNumber>& input,
                            bool cpp) {
  const Parameter& parameter = argument.parameter;
  std::vector<std::string> values;
  bool given = false;
  for (uint64_t i = 0; i < parameter.count; ++i) {
    const std::string cell = element_name(target, parameter, i);
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

// Returns the argument that owns the memory.
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

std::string CallText::refused() const {
  if (!is_plain_symbol(target_.symbol))
    return fmt::format("the symbol of {} is not a name that a test can declare", target_.function);
  return prototype_ ? "" : no_block_call_reason(target_);
}

std::vector<std::string> CallText::structs() const {
  return prototype_ ? struct_definitions(*prototype_, cpp_) : std::vector<std::string>();
}

std::string CallText::declaration() const {
  return prototype_ ? prototype_text(*prototype_, cpp_) : block_declaration(target_, own_name_, cpp_) + "\n";
}

CallCode CallText::call(const std::vector<NamedNumber>& input) const {
  return prototype_ ? plain(input) : block_call(target_, own_name_, input);
}

CallCode CallText::plain(const std::vector<NamedNumber>& input) const {
  CallCode made;
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
      made.before += array_statement(target_, argument, input, cpp_);
    else
      made.before += fmt::format("  {} {} = {};\n", argument.type.base, argument.name,
                                 literal_of(input, parameter.name, parameter.type));
  }
  made.expression = fmt::format("{}({})", prototype_->called(), fmt::join(words, ", "));
  return made;
}

CallText::OutputRead CallText::read(const Cell& output) const {
  if (!prototype_)
    return {block_read(output), "value"};
  for (const Argument& argument : prototype_->arguments) {
    const Parameter& parameter = argument.parameter;
    const std::string& name = parameter.name;
    const uint64_t element = (output.offset - parameter.offset) / parameter.type.bytes();
    const bool is_element =
        parameter.is_array && !argument.is_record && output.offset >= parameter.offset && element < parameter.count;
    if (!is_element && output.name != name && !output.name.starts_with(name + "[") &&
        !output.name.starts_with(name + "."))
      continue;
    const std::string rest = is_element ? fmt::format("[{}]", element) : output.name.substr(name.size());
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
