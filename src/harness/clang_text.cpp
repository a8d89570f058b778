#include "harness/clang_text.h"

#include <algorithm>

namespace faultline::harness {
namespace {

std::string trimmed(const std::string& text) {
  const size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
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
  static const std::string unnamed = "(anonymous namespace)::"; // inside of its file, code leaves it out
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

} // namespace faultline::harness
