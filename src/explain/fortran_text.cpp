#include "explain/fortran_text.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <string_view>
#include <utility>
#include <vector>

namespace faultline::explain {

using numeric::Format;

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }

// Functions of C that Fortran 2018 does not have, and the number of their arguments.
constexpr std::pair<std::string_view, int> only_in_c[] = {{"expm1", 1}, {"log1p", 1}, {"cbrt", 1},
                                                          {"exp2", 1},  {"log2", 1},  {"fma", 3}};

constexpr std::pair<std::string_view, std::string_view> renamed[] = {
    {"fabs", "abs"}, {"fmax", "max"}, {"fmin", "min"}, {"copysign", "sign"}, {"fmod", "mod"}, {"tgamma", "gamma"}};

constexpr std::pair<std::string_view, std::string_view> formats[] = {
    {"compute in double", "compute in double precision"}, {"compute in long double", "compute in real(10)"}};

// The end of the argument that begins at `at`: its comma or its parenthesis.
size_t end_of_argument(const std::string& text, size_t at) {
  for (int depth = 0; at < text.size(); ++at) {
    if (depth == 0 && (text[at] == ',' || text[at] == ')'))
      break;
    depth += (text[at] == '(') - (text[at] == ')');
  }
  return at;
}

std::string operand(std::string text) {
  text.erase(0, text.find_first_not_of(' '));
  return std::ranges::all_of(text, is_word) ? text : "(" + text + ")";
}

// pow(x, y) is x**y.
std::string with_powers(std::string text) {
  for (size_t at; (at = text.find("pow(")) != std::string::npos && (at == 0 || !is_word(text[at - 1]));) {
    const size_t first = at + 4, comma = end_of_argument(text, first), second = comma + 1;
    if (comma >= text.size() || text[comma] != ',')
      break;
    const size_t end = end_of_argument(text, second);
    text.replace(at, end + 1 - at,
                 operand(text.substr(first, comma - first)) + "**" + operand(text.substr(second, end - second)));
  }
  return text;
}

// A constant of the format: 0.1d0. Whole numbers stay, as Fortran converts them.
std::string constant(std::string number, Format format) {
  const size_t exponent = number.find('e');
  if ((exponent == std::string::npos && number.find('.') == std::string::npos) || format == Format::binary32)
    return number;
  if (format != Format::binary64)
    return number + "_10";
  if (exponent == std::string::npos)
    return number + "d0";
  number[exponent] = 'd';
  return number;
}

// The end of the number that begins at `at`.
size_t end_of_number(const std::string& text, size_t at) {
  while (at < text.size() &&
         (is_digit(text[at]) || (text[at] == '.' && at + 1 < text.size() && is_digit(text[at + 1]))))
    ++at;
  const size_t exponent = at + 1 < text.size() && (text[at + 1] == '-' || text[at + 1] == '+') ? at + 2 : at + 1;
  if (at < text.size() && text[at] == 'e' && exponent < text.size() && is_digit(text[exponent]))
    for (at = exponent; at < text.size() && is_digit(text[at]);)
      ++at;
  return at;
}

// Interfaces of functions of the C library.
std::string declaration(std::string_view function, int arguments, Format format) {
  const char* kind = format == Format::binary32 ? "c_float" : format == Format::binary64 ? "c_double" : "c_long_double";
  const char* ending = format == Format::binary32 ? "f" : format == Format::binary64 ? "" : "l";
  const std::string names = arguments == 3 ? "x, y, z" : "x";
  return fmt::format(
      "interface; real({0}) function {1}({2}) bind(c, name='{1}{3}'); import {0}; real({0}), value :: {2}; "
      "end function; end interface",
      kind, function, names, ending);
}

} // namespace

std::string in_fortran(const std::string& advice, Format format) {
  std::string from = with_powers(advice), text, declarations;
  for (const auto& [in_c, in_fortran] : formats)
    if (from.starts_with(in_c))
      from.replace(0, in_c.size(), in_fortran);
  for (size_t at = 0; at < from.size();) {
    size_t end = at + 1;
    if (is_digit(from[at])) {
      end = end_of_number(from, at);
      text += constant(from.substr(at, end - at), format);
    } else if (is_word(from[at])) {
      while (end < from.size() && is_word(from[end]))
        ++end;
      std::string word = from.substr(at, end - at);
      const bool is_call = end < from.size() && from[end] == '(';
      for (const auto& [in_c, in_fortran] : renamed)
        if (is_call && word == in_c)
          word = in_fortran;
      for (const auto& [name, arguments] : only_in_c)
        if (is_call && word == name && declarations.find(fmt::format(" {}(", name)) == std::string::npos)
          declarations += "; " + declaration(name, arguments, format);
      text += word;
    } else {
      text += from[at];
    }
    at = end;
  }
  return declarations.empty() ? text : text + "; Fortran has to declare C's: use iso_c_binding" + declarations;
}

} // namespace faultline::explain
