#include "harness/body.h"

#include "harness/type_reader.h"

#include <cstdio>
#include <string>
#include <vector>

namespace faultline::harness {

using Json = nlohmann::json;

namespace {

struct FilePlace {
  CXFile file = nullptr;
  unsigned offset = 0, line = 0;
  bool of_macro = false; // the text is that of a macro's definition
};

FilePlace place_of(CXSourceLocation location) {
  FilePlace place;
  clang_getFileLocation(location, &place.file, &place.line, nullptr, &place.offset);
  CXFile written = nullptr;
  unsigned offset = 0;
  clang_getSpellingLocation(location, &written, nullptr, nullptr, &offset);
  place.of_macro = offset != place.offset || !clang_File_isEqual(written, place.file);
  return place;
}

// Adds the place of a cursor: begin, end, and whether a macro wrote it.
void add_place(Json& json, CXCursor cursor) {
  const CXSourceRange range = clang_getCursorExtent(cursor);
  const FilePlace begin = place_of(clang_getRangeStart(range)), end = place_of(clang_getRangeEnd(range));
  json["b"] = begin.offset;
  json["e"] = end.offset;
  if (begin.of_macro)
    json["m"] = true;
}

std::string type_of(CXCursor cursor) {
  return text_of(clang_getTypeSpelling(clang_getCanonicalType(clang_getCursorType(cursor))));
}

Json node(const char* kind, CXCursor cursor) {
  Json json{{"k", kind}};
  add_place(json, cursor);
  return json;
}

// The value of a constant, as a hexadecimal float; empty if it has none.
std::string constant_value(CXCursor cursor) {
  CXEvalResult result = clang_Cursor_Evaluate(cursor);
  if (!result)
    return "";
  char text[64] = "";
  const CXEvalResultKind kind = clang_EvalResult_getKind(result);
  if (kind == CXEval_Float)
    std::snprintf(text, sizeof text, "%a", clang_EvalResult_getAsDouble(result));
  else if (kind == CXEval_Int)
    std::snprintf(text, sizeof text, "%lld", clang_EvalResult_getAsLongLong(result));
  clang_EvalResult_dispose(result);
  return text;
}

unsigned declared_at(CXCursor declaration) { return place_of(clang_getCursorLocation(declaration)).offset; }

Json expression(CXCursor cursor);

Json expressions(const std::vector<CXCursor>& cursors) {
  Json all = Json::array();
  for (const CXCursor cursor : cursors)
    if (clang_isExpression(clang_getCursorKind(cursor)))
      all.push_back(expression(cursor));
  return all;
}

Json name(CXCursor cursor) {
  Json json = node("name", cursor);
  json["s"] = text_of(clang_getCursorSpelling(cursor));
  const CXCursor declaration = clang_getCursorReferenced(cursor);
  json["d"] = declared_at(declaration);
  const CXCursorKind kind = clang_getCursorKind(declaration);
  const CXCursor parent = clang_getCursorSemanticParent(declaration);
  const CXCursorKind of = clang_getCursorKind(parent);
  const bool is_local = kind == CXCursor_ParmDecl ||
                        (kind == CXCursor_VarDecl && (of == CXCursor_FunctionDecl || of == CXCursor_CXXMethod));
  json["of"] = kind == CXCursor_ParmDecl ? "parameter" : is_local ? "local" : "global";
  if (clang_isConstQualifiedType(clang_getCursorType(declaration)) || kind == CXCursor_EnumConstantDecl)
    if (const std::string value = constant_value(cursor); !value.empty())
      json["v"] = value;
  return json;
}

Json call(CXCursor cursor) {
  Json json = node("call", cursor);
  json["s"] = text_of(clang_getCursorSpelling(cursor));
  const CXCursor callee = clang_getCursorReferenced(cursor);
  const bool is_declared = !clang_Cursor_isNull(callee);
  json["lib"] = is_declared && (clang_Location_isInSystemHeader(clang_getCursorLocation(callee)) != 0 ||
                                !place_of(clang_getCursorLocation(callee)).file);
  json["member"] = is_declared && clang_getCursorKind(callee) == CXCursor_CXXMethod;
  Json arguments = Json::array();
  const int count = clang_Cursor_getNumArguments(cursor);
  for (int i = 0; i < count; ++i)
    arguments.push_back(expression(clang_Cursor_getArgument(cursor, unsigned(i))));
  json["x"] = std::move(arguments);
  return json;
}

bool is_literal(CXCursorKind kind) {
  return kind == CXCursor_IntegerLiteral || kind == CXCursor_FloatingLiteral || kind == CXCursor_CharacterLiteral ||
         kind == CXCursor_CXXBoolLiteralExpr;
}

Json operation(const char* kind, CXCursor cursor, std::string symbol) {
  Json json = node(kind, cursor);
  json["s"] = std::move(symbol);
  json["x"] = expressions(children_of(cursor));
  return json;
}

Json expression(CXCursor cursor) {
  const CXCursorKind kind = clang_getCursorKind(cursor);
  const std::vector<CXCursor> parts = children_of(cursor);
  Json json;
  if (is_literal(kind)) {
    json = node("number", cursor);
    json["v"] = constant_value(cursor);
  } else if (kind == CXCursor_DeclRefExpr) {
    json = name(cursor);
  } else if (kind == CXCursor_ParenExpr && parts.size() == 1) {
    return expression(parts.front());
  } else if (kind == CXCursor_UnexposedExpr && parts.size() == 1 && type_of(cursor) == type_of(parts.front())) {
    return expression(parts.front());
  } else if ((kind == CXCursor_UnexposedExpr || kind == CXCursor_CStyleCastExpr || kind == CXCursor_CXXStaticCastExpr ||
              kind == CXCursor_CXXFunctionalCastExpr) &&
             !parts.empty() && clang_isExpression(clang_getCursorKind(parts.back()))) {
    json = node("cast", cursor);
    json["written"] = kind != CXCursor_UnexposedExpr;
    json["x"] = Json::array({expression(parts.back())});
  } else if (kind == CXCursor_BinaryOperator || kind == CXCursor_CompoundAssignOperator) {
    json = operation("op", cursor,
                     text_of(clang_getBinaryOperatorKindSpelling(clang_getCursorBinaryOperatorKind(cursor))));
  } else if (kind == CXCursor_UnaryOperator) {
    const CXUnaryOperatorKind which = clang_getCursorUnaryOperatorKind(cursor);
    json = operation("unary", cursor, text_of(clang_getUnaryOperatorKindSpelling(which)));
    json["post"] = which == CXUnaryOperator_PostInc || which == CXUnaryOperator_PostDec;
  } else if (kind == CXCursor_ConditionalOperator) {
    json = operation("cond", cursor, "?:");
  } else if (kind == CXCursor_ArraySubscriptExpr) {
    json = operation("index", cursor, "[]");
  } else if (kind == CXCursor_MemberRefExpr) {
    json = operation("member", cursor, text_of(clang_getCursorSpelling(cursor)));
  } else if (kind == CXCursor_CallExpr) {
    json = call(cursor);
  } else {
    json = node("other", cursor);
    json["x"] = expressions(parts);
  }
  json["t"] = type_of(cursor);
  return json;
}

Json statement(CXCursor cursor);

Json block(CXCursor cursor) {
  Json all = Json::array();
  if (clang_getCursorKind(cursor) != CXCursor_CompoundStmt) {
    all.push_back(statement(cursor));
    return all;
  }
  for (const CXCursor part : children_of(cursor))
    all.push_back(statement(part));
  return all;
}

Json declaration(CXCursor variable) {
  Json json = node("declare", variable);
  json["s"] = text_of(clang_getCursorSpelling(variable));
  json["d"] = declared_at(variable);
  json["t"] = type_of(variable);
  const std::vector<CXCursor> parts = children_of(variable);
  if (!parts.empty() && clang_isExpression(clang_getCursorKind(parts.back())) &&
      !clang_Cursor_isNull(clang_Cursor_getVarDeclInitializer(variable)))
    json["init"] = expression(clang_Cursor_getVarDeclInitializer(variable));
  return json;
}

// The parts of a loop in the order of the source. Which of them are missing is not known: all are conditions or steps.
Json loop(CXCursor cursor, const std::vector<CXCursor>& parts) {
  Json json = node("loop", cursor);
  Json head = Json::array();
  const bool body_first = clang_getCursorKind(cursor) == CXCursor_DoStmt;
  for (size_t i = 0; i < parts.size(); ++i)
    if (body_first ? i == 0 : i + 1 == parts.size())
      json["body"] = block(parts[i]);
    else
      head.push_back(statement(parts[i]));
  json["head"] = std::move(head);
  return json;
}

Json statement(CXCursor cursor) {
  const CXCursorKind kind = clang_getCursorKind(cursor);
  const std::vector<CXCursor> parts = children_of(cursor);
  if (kind == CXCursor_DeclStmt) {
    Json json = node("block", cursor);
    json["body"] = Json::array();
    for (const CXCursor part : parts)
      if (clang_getCursorKind(part) == CXCursor_VarDecl)
        json["body"].push_back(declaration(part));
    json["declares"] = true;
    return json;
  }
  if (kind == CXCursor_CompoundStmt) {
    Json json = node("block", cursor);
    json["body"] = block(cursor);
    return json;
  }
  if (kind == CXCursor_ReturnStmt) {
    Json json = node("return", cursor);
    if (!parts.empty())
      json["value"] = expression(parts.front());
    return json;
  }
  if (kind == CXCursor_IfStmt && parts.size() >= 2 && clang_isExpression(clang_getCursorKind(parts.front()))) {
    Json json = node("if", cursor);
    json["condition"] = expression(parts[0]);
    json["then"] = block(parts[1]);
    json["braced"] = clang_getCursorKind(parts[1]) == CXCursor_CompoundStmt;
    if (parts.size() > 2)
      json["else"] = block(parts[2]);
    return json;
  }
  if (kind == CXCursor_ForStmt || kind == CXCursor_WhileStmt || kind == CXCursor_DoStmt ||
      kind == CXCursor_CXXForRangeStmt)
    return loop(cursor, parts);
  if (clang_isExpression(kind)) {
    Json json = node("expression", cursor);
    json["value"] = expression(cursor);
    return json;
  }
  Json json = node("other", cursor); // switch, labels, try: all that is in them
  json["body"] = Json::array();
  for (const CXCursor part : parts)
    json["body"].push_back(statement(part));
  return json;
}

} // namespace

Json body_of(CXCursor function) {
  Json json = node("function", function);
  json["s"] = text_of(clang_getCursorSpelling(function));
  CXFile file = place_of(clang_getCursorLocation(function)).file;
  json["file"] = text_of(clang_getFileName(file));
  json["template"] = clang_getCursorKind(function) == CXCursor_FunctionTemplate;
  json["result"] = text_of(clang_getTypeSpelling(clang_getCanonicalType(clang_getCursorResultType(function))));
  json["parameters"] = Json::array();
  json["body"] = Json::array();
  for (const CXCursor part : children_of(function)) {
    if (clang_getCursorKind(part) == CXCursor_ParmDecl)
      json["parameters"].push_back(declaration(part));
    if (clang_getCursorKind(part) == CXCursor_CompoundStmt) {
      json["body"] = block(part);
      Json inside;
      add_place(inside, part);
      json["open"] = inside["b"];
    }
  }
  return json;
}

} // namespace faultline::harness
