#include "harness/values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::harness {
namespace {

bool is_c_complex(const Form& form) { return form.type.starts_with("_Complex"); }
bool is_c_array(const Form& form) { return !form.type.starts_with("std::array"); }

} // namespace

std::string Values::braces(const std::vector<std::string>& values, const Form& form) const {
  return language_ == Language::c ? fmt::format("({}){{{}}}", form.type, fmt::join(values, ", "))
                                  : fmt::format("{}{{{}}}", form.type, fmt::join(values, ", "));
}

std::string Values::array(const Form& form, const Number& number, size_t& next, const std::string& table,
                          size_t level) const {
  std::vector<std::string> elements;
  for (long i = 0; i < form.extents[level]; ++i)
    elements.push_back(level + 1 < form.extents.size() ? array(form, number, next, table, level + 1)
                                                       : made(form.parts.front(), number, next, table));
  const std::string list = fmt::format("{{{}}}", fmt::join(elements, ", "));
  return is_c_array(form) ? list : fmt::format("{}{{{}}}", form.type, list);
}

std::string Values::made(const Form& form, const Number& number, size_t& next, const std::string& table) const {
  std::vector<std::string> parts;
  switch (form.kind) {
  case FormKind::scalar:
    return number(next++);
  case FormKind::function:
    return fmt::format("{}[{}]", table, number(next++));
  case FormKind::complex: {
    const std::string real = number(next), imaginary = number(next + 1);
    next += 2;
    return is_c_complex(form) ? fmt::format("__builtin_complex({}, {})", real, imaginary)
                              : fmt::format("{}({}, {})", form.type, real, imaginary);
  }
  case FormKind::array:
    return array(form, number, next, table, 0);
  case FormKind::optional:
    return fmt::format("{}({})", form.type, made(form.parts.front(), number, next, table));
  case FormKind::record:
  case FormKind::tuple:
  case FormKind::object:
    for (const Form& part : form.parts)
      parts.push_back(made(part, number, next, table));
    return form.is(FormKind::object) ? fmt::format("{}({})", form.type, fmt::join(parts, ", ")) : braces(parts, form);
  case FormKind::sequence:
  case FormKind::matrix:
  case FormKind::other:
    break;
  }
  return {};
}

std::string Values::taken_array(const Form& form, const std::string& expression, const Number& place, size_t& next,
                                size_t level) const {
  std::string text;
  for (long i = 0; i < form.extents[level]; ++i) {
    const std::string element = fmt::format("{}[{}]", expression, i);
    text += level + 1 < form.extents.size() ? taken_array(form, element, place, next, level + 1)
                                            : taken(form.parts.front(), element, place, next);
  }
  return text;
}

std::string Values::taken(const Form& form, const std::string& expression, const Number& place, size_t& next) const {
  const auto store = [&](const std::string& value) { return fmt::format("  {} = {};\n", place(next++), value); };
  std::string text;
  switch (form.kind) {
  case FormKind::scalar:
    return store(expression);
  case FormKind::complex:
    text = store(is_c_complex(form) ? "__real__ " + expression : expression + ".real()");
    return text + store(is_c_complex(form) ? "__imag__ " + expression : expression + ".imag()");
  case FormKind::array:
    return taken_array(form, expression, place, next, 0);
  case FormKind::record:
    for (size_t i = 0; i < form.parts.size(); ++i)
      text += taken(form.parts[i], fmt::format("{}.{}", expression, form.names[i]), place, next);
    return text;
  case FormKind::tuple:
    for (size_t i = 0; i < form.parts.size(); ++i)
      text += taken(form.parts[i], fmt::format("std::get<{}>({})", i, expression), place, next);
    return text;
  case FormKind::optional: // a default one is all zeros
    return taken(form.parts.front(), fmt::format("{}.value_or({}())", expression, form.parts.front().type), place,
                 next);
  case FormKind::object:
  case FormKind::sequence:
  case FormKind::matrix:
  case FormKind::function:
  case FormKind::other:
    break;
  }
  return {};
}

} // namespace faultline::harness
