#include "harness/form.h"

#include <algorithm>
#include <fmt/format.h>

namespace faultline::harness {

namespace {

std::string trimmed(const std::string& text) {
  const size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

constexpr size_t most_leaves = 256; // of one value: a guess, more than usual structs have

bool is_stacked(const Form& form) {
  return form.is(FormKind::sequence) || form.is(FormKind::matrix) || form.is(FormKind::array);
}

bool leaves_of_array(const Form& form, const std::string& name, std::vector<Leaf>& leaves) {
  std::vector<std::string> places{name};
  for (const long extent : form.extents) {
    if (extent <= 0 || size_t(extent) * places.size() > most_leaves)
      return false;
    std::vector<std::string> next;
    for (const std::string& place : places)
      for (long i = 0; i < extent; ++i)
        next.push_back(fmt::format("{}[{}]", place, i));
    places = std::move(next);
  }
  for (const std::string& place : places)
    if (!leaves_of(form.parts.front(), place, leaves))
      return false;
  return true;
}

} // namespace

std::string text_of(CXString string) {
  const char* characters = clang_getCString(string);
  std::string text = characters ? characters : "";
  clang_disposeString(string);
  return text;
}

std::string type_text(CXType type) {
  const CXType bare = clang_getUnqualifiedType(clang_getNonReferenceType(clang_getCanonicalType(type)));
  std::string text = text_of(clang_getTypeSpelling(bare));
  static const std::string unnamed = "(anonymous namespace)::"; // omitted in code of the same file
  for (size_t at = text.find(unnamed); at != std::string::npos; at = text.find(unnamed))
    text.erase(at, unnamed.size());
  return text;
}

std::string qualified_name(CXCursor cursor) {
  std::string name = text_of(clang_getCursorSpelling(cursor));
  if (const size_t arguments = name.find('<'); arguments != std::string::npos && !name.starts_with("operator"))
    name.erase(arguments);
  for (CXCursor parent = clang_getCursorSemanticParent(cursor);
       !clang_Cursor_isNull(parent) && !clang_isTranslationUnit(clang_getCursorKind(parent));
       parent = clang_getCursorSemanticParent(parent)) {
    if (clang_getCursorKind(parent) == CXCursor_Namespace &&
        (clang_Cursor_isInlineNamespace(parent) || clang_Cursor_isAnonymous(parent)))
      continue;
    const std::string outer = text_of(clang_getCursorSpelling(parent));
    if (!outer.empty() && clang_getCursorKind(parent) != CXCursor_LinkageSpec)
      name = outer + "::" + name;
  }
  return name;
}

bool is_same(CXCursor a, CXCursor b) { return clang_equalCursors(a, b) != 0; }

std::vector<CXCursor> children_of(CXCursor cursor) {
  std::vector<CXCursor> children;
  clang_visitChildren(
      cursor,
      [](CXCursor child, CXCursor, CXClientData data) {
        static_cast<std::vector<CXCursor>*>(data)->push_back(child);
        return CXChildVisit_Continue;
      },
      &children);
  return children;
}

std::vector<std::string> split_arguments(const std::string& text) {
  std::vector<std::string> parts;
  std::string part;
  int depth = 0;
  for (const char c : text) {
    depth += c == '<' || c == '(' || c == '[' || c == '{';
    depth -= c == '>' || c == ')' || c == ']' || c == '}';
    if (c == ',' && depth == 0) {
      parts.push_back(trimmed(part));
      part.clear();
    } else {
      part += c;
    }
  }
  if (!trimmed(part).empty())
    parts.push_back(trimmed(part));
  return parts;
}

bool leaves_of(const Form& form, const std::string& name, std::vector<Leaf>& leaves) {
  switch (form.kind) {
  case FormKind::scalar:
    leaves.push_back({form.type, form.floating, name});
    return leaves.size() <= most_leaves;
  case FormKind::complex:
    leaves.push_back({form.parts.front().type, true, name + ".real"});
    leaves.push_back({form.parts.front().type, true, name + ".imag"});
    return leaves.size() <= most_leaves;
  case FormKind::array:
    return leaves_of_array(form, name, leaves);
  case FormKind::record:
  case FormKind::object:
    for (size_t i = 0; i < form.parts.size(); ++i)
      if (!leaves_of(form.parts[i], fmt::format("{}.{}", name, form.names[i]), leaves))
        return false;
    return true;
  case FormKind::tuple:
    for (size_t i = 0; i < form.parts.size(); ++i)
      if (!leaves_of(form.parts[i],
                     form.names.empty() ? fmt::format("{}[{}]", name, i) : fmt::format("{}.{}", name, form.names[i]),
                     leaves))
        return false;
    return true;
  case FormKind::optional:
    return leaves_of(form.parts.front(), name, leaves);
  case FormKind::function:
    leaves.push_back({form.type, false, name});
    return true;
  case FormKind::sequence:
  case FormKind::matrix:
  case FormKind::other:
    return false;
  }
  return false;
}

Levels levels_of(const Form& form) {
  Levels levels{{}, &form};
  while (is_stacked(*levels.element)) {
    levels.stack.push_back(levels.element);
    levels.element = &levels.element->parts.front();
  }
  return levels;
}

std::string obstacle_of(const Form& form) {
  if (form.is(FormKind::other))
    return form.reason;
  const Levels levels = levels_of(form);
  if (!levels.stack.empty())
    return obstacle_of(*levels.element);
  for (const Form& part : form.parts) {
    if (std::string obstacle = obstacle_of(part); !obstacle.empty())
      return obstacle;
    if (form.is(FormKind::function))
      continue;
    std::vector<Leaf> leaves;
    if (!leaves_of(part, "", leaves))
      return fmt::format("a value of type {} has a length that is not fixed, or too many numbers, inside", form.type);
  }
  return {};
}

} // namespace faultline::harness
