#include "harness/reader.h"

#include "harness/clang_text.h"
#include "harness/template_arguments.h"
#include "harness/type_reader.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <stdexcept>

namespace faultline::harness {
namespace {

struct Closed {
  void operator()(CXTranslationUnitImpl* unit) const { clang_disposeTranslationUnit(unit); }
};
using Unit = std::unique_ptr<CXTranslationUnitImpl, Closed>;

// The class that a member belongs to, as its instance has it.
struct Owner {
  CXCursor definition;
  std::string type; // Circle, Poly<double>
  Bindings bindings;
};

class Reader {
public:
  explicit Reader(const Request& request) : asked_(request.functions) {}

  void read(CXCursor scope) {
    for (const CXCursor child : children_of(scope))
      visit(child);
  }

  // The templates of a source are for its own functions, and reached through them; those of a header are all there is.
  Declarations take() {
    const auto is_open = [this](const Declaration& one) { return !one.instance || asked_.names(one.name); };
    const auto is_in_header = [](const Declaration& one) { return is_header(one.file); };
    if (std::ranges::any_of(found_.functions, is_open))
      std::erase_if(found_.functions, [&](const Declaration& one) { return !is_open(one) && !is_in_header(one); });
    return std::move(found_);
  }

private:
  void visit(CXCursor cursor) {
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_Namespace:
    case CXCursor_LinkageSpec:
    case CXCursor_UnexposedDecl:
      if (may_hold_wanted(cursor))
        read(cursor);
      break;
    case CXCursor_FunctionDecl:
      if (clang_isCursorDefinition(cursor) || is_declared_only(cursor))
        function(cursor, nullptr);
      break;
    case CXCursor_FunctionTemplate:
      if (clang_isCursorDefinition(cursor))
        templates(cursor, nullptr);
      break;
    case CXCursor_ClassDecl:
    case CXCursor_StructDecl:
      if (clang_isCursorDefinition(cursor))
        members(cursor, {cursor, type_text(clang_getCursorType(cursor)), {}});
      break;
    case CXCursor_ClassTemplate:
      if (clang_isCursorDefinition(cursor) && is_looked_at(cursor))
        for (const TemplateArguments& arguments : arguments_for(cursor, asked_.arguments_of(qualified_name(cursor))))
          members(cursor, {cursor, arguments.type(qualified_name(cursor)), arguments.bindings});
      break;
    default:
      break;
    }
  }

  // What other files declare is looked at only for a name with their namespace in it.
  bool may_hold_wanted(CXCursor scope) const { return is_in_file(scope) || asked_.names_others(); }
  bool is_looked_at(CXCursor cursor) const {
    return is_in_file(cursor) ? asked_.any_or(qualified_name(cursor)) : asked_.names(qualified_name(cursor));
  }
  static bool is_in_file(CXCursor cursor) { return clang_Location_isFromMainFile(clang_getCursorLocation(cursor)); }

  // A header that only declares it: it is told why there is nothing to hunt in.
  static bool is_declared_only(CXCursor cursor) {
    return is_in_file(cursor) && clang_Cursor_isNull(clang_getCursorDefinition(cursor)) && is_header(file_of(cursor));
  }

  void members(CXCursor definition, const Owner& owner) {
    for (const CXCursor child : children_of(definition)) {
      if (clang_getCXXAccessSpecifier(child) > CX_CXXPublic)
        continue;
      const CXCursorKind kind = clang_getCursorKind(child);
      if (kind == CXCursor_CXXMethod && clang_getCursorAvailability(child) == CXAvailability_Available)
        function(child, &owner);
      else if ((kind == CXCursor_ClassDecl || kind == CXCursor_StructDecl) && owner.bindings.types.empty())
        visit(child);
    }
  }

  void templates(CXCursor cursor, const Owner* owner) {
    if (!is_looked_at(cursor))
      return;
    const std::string name = qualified_name(cursor);
    for (const TemplateArguments& arguments : arguments_for(cursor, asked_.arguments_of(name))) {
      Declaration made = declaration_of(cursor, owner, arguments.bindings);
      made.name = arguments.instance(name);
      made.call = arguments.call(name);
      made.symbol.clear();
      made.instance = true;
      made.own_symbol = false;
      if (made.obstacle.empty())
        made.obstacle = arguments.obstacle;
      found_.functions.push_back(std::move(made));
    }
  }

  void function(CXCursor cursor, const Owner* owner) {
    const std::string name = qualified_name(cursor);
    const bool named = asked_.names(name);
    const bool of_class = owner && asked_.names(qualified_name(owner->definition));
    if (!(is_in_file(cursor) ? asked_.any_or(name) || of_class : named || of_class) || name == "main")
      return;
    Declaration made = declaration_of(cursor, owner, owner ? owner->bindings : Bindings{});
    if (clang_getCursorLinkage(cursor) != CXLinkage_External && !named && !is_header(made.file))
      return; // static: a helper of its file, unless somebody names it
    if (!made.member)
      note_extents(cursor, made.symbol);
    found_.functions.push_back(std::move(made));
  }

  static std::string file_of(CXCursor cursor) {
    CXFile file = nullptr;
    clang_getFileLocation(clang_getCursorLocation(cursor), &file, nullptr, nullptr, nullptr);
    return text_of(clang_getFileName(file));
  }

  static bool is_header(const std::string& name) {
    const std::string ending = name.substr(std::min(name.size(), name.rfind('.')));
    return ending.starts_with(".h") || ending == ".H" || ending == ".ipp" || ending == ".tpp" || ending == ".inl";
  }

  Declaration declaration_of(CXCursor cursor, const Owner* owner, const Bindings& bindings) {
    Declaration made;
    const bool of_class = clang_getCursorKind(cursor) == CXCursor_CXXMethod;
    made.member = of_class && !clang_CXXMethod_isStatic(cursor);
    const std::string own = text_of(clang_getCursorSpelling(cursor));
    made.name = owner ? owner->type + "::" + own : qualified_name(cursor);
    made.call = made.member ? own : made.name;
    made.symbol = text_of(clang_Cursor_getMangling(cursor));
    clang_getFileLocation(clang_getCursorLocation(cursor), nullptr, &made.line, nullptr, nullptr);
    made.file = file_of(cursor);
    made.own_symbol = clang_getCursorLinkage(cursor) == CXLinkage_External && !clang_Cursor_isFunctionInlined(cursor) &&
                      !(of_class && clang_isCursorDefinition(cursor) &&
                        is_same(clang_getCursorLexicalParent(cursor), clang_getCursorSemanticParent(cursor))) &&
                      (!owner || owner->bindings.types.empty());
    made.instance = owner && !owner->bindings.types.empty();
    if (clang_Cursor_isVariadic(cursor))
      made.obstacle = "it takes a variable number of arguments";
    const bool is_template = clang_getCursorKind(cursor) == CXCursor_FunctionTemplate;
    if (!is_template && !of_class && clang_Cursor_isNull(clang_getCursorDefinition(cursor)))
      made.obstacle = "it is declared here and defined elsewhere: name the file that has its code, too";
    if (made.member)
      made.arguments.push_back(
          {"this", class_form(owner->definition, owner->type, owner->bindings), How::value, false, {}});
    add_arguments(cursor, bindings, made);
    const CXType result = clang_getCanonicalType(clang_getCursorResultType(cursor));
    made.returns_nothing = result.kind == CXType_Void;
    made.result = form_of(result, bindings);
    return made;
  }

  static void add_arguments(CXCursor cursor, const Bindings& bindings, Declaration& made) {
    size_t index = 0;
    for (const CXCursor child : children_of(cursor))
      if (clang_getCursorKind(child) == CXCursor_ParmDecl)
        made.arguments.push_back(argument_of(child, index++, bindings));
  }

  void note_extents(CXCursor cursor, const std::string& symbol) {
    for (int i = 0; i < clang_Cursor_getNumArguments(cursor); ++i) {
      const CXCursor parameter = clang_Cursor_getArgument(cursor, unsigned(i));
      CXType type = clang_getCursorType(parameter);
      ConstantExtents declared{symbol, text_of(clang_getCursorSpelling(parameter)), {}};
      for (; type.kind == CXType_ConstantArray || type.kind == CXType_VariableArray ||
             type.kind == CXType_IncompleteArray;
           type = clang_getCanonicalType(clang_getArrayElementType(type)))
        declared.extents.push_back(type.kind == CXType_ConstantArray ? long(clang_getArraySize(type)) : 0);
      if (!declared.extents.empty())
        found_.extents.push_back(std::move(declared));
    }
  }

  Asked asked_;
  Declarations found_;
};

Unit parsed(CXIndex index, const Request& request) {
  std::vector<const char*> flags;
  for (const std::string& flag : request.flags)
    flags.push_back(flag.c_str());
  CXTranslationUnit unit = nullptr;
  const CXErrorCode failed = clang_parseTranslationUnit2(index, request.file.c_str(), flags.data(), int(flags.size()),
                                                         nullptr, 0, CXTranslationUnit_KeepGoing, &unit);
  if (failed != CXError_Success)
    throw std::runtime_error(fmt::format("{}: cannot be parsed", request.file));
  return Unit(unit);
}

} // namespace

Declarations read_declarations(const Request& request) {
  const std::unique_ptr<void, void (*)(void*)> index(clang_createIndex(0, 0), clang_disposeIndex);
  const Unit unit = parsed(index.get(), request);
  Reader reader(request);
  reader.read(clang_getTranslationUnitCursor(unit.get()));
  return reader.take();
}

} // namespace faultline::harness
