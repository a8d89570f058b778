#include "report/tests/literal.h"

#include "base/text.h"
#include "numeric/decimal.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <string_view>

namespace faultline::report {

using namespace model;
using numeric::as_typed;

namespace {

uint64_t rounded_up(uint64_t offset, uint64_t alignment) { return (offset + alignment - 1) / alignment * alignment; }

// Returns the offset of the next object after the struct, or the end of the block.
uint64_t next_place(const Target& target, const Parameter& parameter, const std::vector<Cell>& fields) {
  uint64_t next = target.block_bytes;
  const auto consider = [&](uint64_t offset) {
    if (offset > fields.back().offset)
      next = std::min(next, offset);
  };
  for (const Parameter& other : target.parameters)
    consider(other.offset);
  for (const std::vector<Cell>* cells : {&target.inputs, &target.outputs})
    for (const Cell& cell : *cells)
      consider(cell.offset);
  consider(target.return_offset);
  return next;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)); }

// Returns the name of a C++ function without its parameters, and for an instance of a template also without its
// arguments and result.
std::string bare(const std::string& function) {
  std::string name;
  int depth = 0;
  for (const char c : model::before_parameters(function)) {
    depth += c == '<';
    if (depth == 0)
      name += c;
    depth -= c == '>' && depth > 0;
  }
  return name.substr(name.rfind(' ') + 1);
}

std::string integer_literal(const std::string& decimal, const Type& type) {
  if (decimal == "-9223372036854775808")
    return "(-9223372036854775807ll - 1)";
  const bool small = std::fabs(std::strtod(decimal.c_str(), nullptr)) <= std::numeric_limits<int32_t>::max();
  return decimal + (small ? "" : type.is_signed ? "ll" : "ull");
}

std::string with_backslashes(const std::string& text, bool trigraphs) {
  std::string quoted;
  for (const char c : base::printable(text))
    quoted += c == '"' || c == '\\' || (trigraphs && c == '?' && quoted.ends_with('?')) ? std::string("\\") + c
                                                                                        : std::string(1, c);
  return quoted;
}

} // namespace

std::vector<Cell> fields_of(const Target& target, const Parameter& parameter) {
  std::vector<Cell> fields;
  for (const std::vector<Cell>* cells : {&target.inputs, &target.outputs})
    for (const Cell& cell : *cells)
      if ((cell.name.starts_with(parameter.name + ".") || cell.name.starts_with(parameter.name + "[0].")) &&
          std::ranges::find(fields, cell.offset, &Cell::offset) == fields.end())
        fields.push_back(cell);
  std::ranges::sort(fields, {}, &Cell::offset);
  return fields;
}

std::string field_name(const Cell& field, const Parameter& parameter) {
  return field.name.substr(parameter.name.size() + 1);
}

bool is_certain(const Target& target, const Parameter& parameter, const std::vector<Cell>& fields) {
  uint64_t end = parameter.offset, alignment = 1;
  for (const Cell& field : fields) {
    if (!is_identifier(field_name(field, parameter)))
      return false;
    const uint64_t bytes = field.type.bytes();
    if (field.offset != rounded_up(end, bytes))
      return false;
    end = field.offset + bytes;
    alignment = std::max(alignment, bytes);
  }
  return rounded_up(end, alignment) == next_place(target, parameter, fields);
}

std::string c_type(const Type& type) {
  if (!type.floating)
    return fmt::format("{}int{}_t", type.is_signed ? "" : "u", type.bits);
  return numeric::info(type.format).c_type;
}

std::string c_literal(const model::Number& number, const Type& type) {
  if (!type.floating)
    return integer_literal(number.decimal, type);
  if (number.hex == "inf" || number.hex == "-inf")
    return number.hex == "inf" ? "INFINITY" : "-INFINITY";
  if (number.hex.find("nan") != std::string::npos)
    return "NAN";
  const std::string decimal = as_typed(number.decimal);
  const bool whole = decimal.find_first_of(".eE") == std::string::npos;
  const numeric::FormatInfo& format = numeric::info(type.format);
  return fmt::format("{}{}{}{}", format.literal_needs_cast ? fmt::format("({})", format.c_type) : "", decimal,
                     whole ? ".0" : "", format.literal_suffix);
}

std::string rounded_up_literal(numeric::Value number, const Type& type) {
  const auto read = [&](const std::string& text) {
    return numeric::is_widest(type.format) ? std::strtold(text.c_str(), nullptr)
                                           : static_cast<numeric::Value>(std::strtod(text.c_str(), nullptr));
  };
  std::string text = fmt::format("{:.1e}", number);
  if (read(text) < number)
    text = fmt::format("{:.1e}", number * 1.05L);
  const numeric::Value value = read(text);
  const bool everyday = value >= 1e-3L && value < 1e4L;
  const std::string plain = fmt::format("{}", double(value));
  const bool whole = plain.find_first_of(".e") == std::string::npos;
  return (everyday ? plain + (whole ? ".0" : "") : as_typed(text)) + (numeric::is_widest(type.format) ? "L" : "");
}

std::string identifier(const std::string& name) {
  std::string text = name;
  for (char& c : text)
    if (!is_word(c))
      c = '_';
  return text;
}

std::string pascal_case(const std::string& function) {
  std::string name;
  bool begins = true;
  for (const char c : bare(function)) {
    if (is_word(c))
      name += begins ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    begins = !is_word(c);
  }
  return is_identifier(name) ? name : "_" + name;
}

std::string snake_case(const std::string& function) {
  std::string name;
  for (const char c : bare(function))
    if (is_word(c))
      name += c;
    else if (!name.empty() && name.back() != '_')
      name += '_';
  while (name.ends_with('_'))
    name.pop_back();
  return is_identifier(name) ? name : "_" + name;
}

bool is_identifier(const std::string& name) {
  constexpr std::string_view keywords[] = {
      "alignas", "alignof",  "and",     "asm",      "auto",      "bool",    "break",     "case",     "catch",
      "char",    "class",    "const",   "continue", "default",   "delete",  "do",        "double",   "else",
      "enum",    "explicit", "export",  "extern",   "false",     "float",   "for",       "friend",   "goto",
      "if",      "inline",   "int",     "long",     "main",      "mutable", "namespace", "new",      "not",
      "nullptr", "operator", "or",      "private",  "protected", "public",  "register",  "restrict", "return",
      "short",   "signed",   "sizeof",  "static",   "struct",    "switch",  "template",  "this",     "throw",
      "true",    "try",      "typedef", "typeid",   "typename",  "union",   "unsigned",  "using",    "virtual",
      "void",    "volatile", "while",   "xor"};
  return !name.empty() && !std::isdigit(static_cast<unsigned char>(name.front())) &&
         std::ranges::all_of(name, [](char c) { return is_word(c) || c == '_'; }) &&
         std::ranges::find(keywords, name) == std::end(keywords);
}

bool is_plain_symbol(const std::string& symbol) {
  return std::ranges::all_of(
      symbol, [](char c) { return is_word(c) || std::string_view("_.$@").find(c) != std::string_view::npos; });
}

std::string quoted(const std::string& text) { return with_backslashes(text, true); }
std::string quoted_in_python(const std::string& text) { return with_backslashes(text, false); }

} // namespace faultline::report
