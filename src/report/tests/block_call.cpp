#include "report/tests/block_call.h"

#include "frontend/descriptor.h"
#include "report/tests/literal.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::report {

using frontend::Cell;
using frontend::Parameter;
using frontend::Passing;
using frontend::Target;
using numeric::Format;

namespace {

const Cell* returned(const Target& target) {
  const auto found = std::find_if(target.outputs.begin(), target.outputs.end(), is_result);
  return found == target.outputs.end() ? nullptr : &*found;
}

// The fields of a struct that comes back in registers.
std::vector<Cell> fields(const Target& target) {
  std::vector<Cell> cells;
  if (!target.returned_by_pointer)
    for (const Cell& cell : target.outputs)
      if (cell.name.starts_with("return["))
        cells.push_back(cell);
  return cells;
}

uint64_t stored_bytes(const frontend::Type& type) {
  return type.floating ? uint64_t(numeric::info(type.format).bytes) : type.bytes();
}

// An extended float has 16 bytes in a struct, of which 10 mean something.
uint64_t end_of(const Cell& cell) { return cell.offset + stored_bytes(cell.type); }

std::string descriptor_name(const Parameter& parameter) { return "descriptor_of_" + identifier(parameter.name); }

std::string descriptor_text(const Parameter& parameter) {
  const std::vector<uint64_t> words = frontend::descriptor_words(parameter);
  return fmt::format("  // {}: the descriptor that flang passes for an array of assumed shape, of {}\n", parameter.name,
                     fmt::join(parameter.extents, " x ")) +
         fmt::format("  uint64_t {}[{}] = {{(uintptr_t)(block.bytes + {}), 0x{:x}}};\n", descriptor_name(parameter),
                     words.size(), parameter.offset, fmt::join(words.begin() + 1, words.end(), ", 0x"));
}

} // namespace

std::string no_block_call_reason(const Target& target) {
  const std::vector<Cell> cells = fields(target);
  const bool complex =
      std::any_of(cells.begin(), cells.end(), [](const Cell& cell) { return cell.type.format == Format::extended80; });
  return complex ? fmt::format("{} returns a complex long double, and a test cannot declare that", target.function)
                 : "";
}

std::string block_declaration(const Target& target, const std::string& subject, bool cpp) {
  std::string text;
  std::vector<std::string> parameters;
  if (target.returned_by_pointer)
    parameters.emplace_back("void *");
  for (const Parameter& parameter : target.parameters) {
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

Called block_call(const Target& target, const std::string& subject, const std::vector<finding::NamedNumber>& input) {
  std::string text = fmt::format("  static union {{ unsigned char bytes[{}]; long double aligned; }} block;\n",
                                 std::max<uint64_t>(target.block_bytes, 1));
  std::vector<std::string> arguments;
  if (target.returned_by_pointer)
    arguments.push_back(fmt::format("block.bytes + {}", target.return_offset));
  for (const Parameter& parameter : target.parameters) {
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
                          c_literal(input[i].value, cell.type), cell.offset, stored_bytes(cell.type), cell.name);
  }
  const std::string call = fmt::format("{}({})", subject, fmt::join(arguments, ", "));
  if (const std::vector<Cell> cells = fields(target); !returned(target) && !cells.empty())
    return {text, fmt::format("struct {}_returned returned = {}", subject, call),
            fmt::format("  memcpy(block.bytes + {}, &returned, {});\n", target.return_offset,
                        end_of(cells.back()) - target.return_offset)};
  return {text, call, ""};
}

std::string block_read(const Cell& output) {
  return fmt::format("  {} value;\n  memcpy(&value, block.bytes + {}, {});\n", c_type(output.type), output.offset,
                     stored_bytes(output.type));
}

} // namespace faultline::report
