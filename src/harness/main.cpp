// faultline-harness: reads the declarations of a C or C++ file, and prints harnesses for its functions, or the body of
// one of them, as JSON.
//
// It is a separate program that faultline starts within the limits of a compiler: parsing an untrusted file may crash,
// and libclang would take memory in every worker.
#include "harness/body.h"
#include "harness/form.h"
#include "harness/type_reader.h"
#include "harness/writer.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace faultline::harness {

// What the program reads (program/harnessed_source.cpp).
NLOHMANN_JSON_SERIALIZE_ENUM(Named::Use,
                             {{Named::Use::read, "read"}, {Named::Use::written, "written"}, {Named::Use::both, "both"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Named, parameter, before, between, after, extents, leaves, use, of)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FreeSize, parameter, constants)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Harness, function, symbol, file, line, name, text, parameters, sizes, families,
                                   obstacle, own_symbol)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ConstantExtents, symbol, parameter, extents)

using Json = nlohmann::json;

namespace {

// A request to read the functions that a C or C++ file declares.
struct Request {
  std::string file;
  std::vector<std::string> flags; // of the compiler
  // The arguments of -f: patterns, and names with or without namespaces and template arguments. Static functions and
  // those of other files are included only if they are named. Empty for all functions of the file.
  std::vector<std::string> functions;
};

// The template arguments of an instance: double and float, or those in the user's name (stats::ratio<long double>).
struct TemplateArguments {
  Bindings bindings;
  std::vector<std::string> written; // in the order of the parameters
  std::string shown;                // in the name: the user's text, or the one type of all
  size_t explicitly = 0;            // the number of arguments that a call must have: the others are deduced
  bool deduced = false;             // a type is that of a function, which is deduced
  std::string obstacle;             // why there is no instance; empty if there is one

  std::string instance(const std::string& name) const; // stats::ratio<double>
  std::string type(const std::string& name) const;     // of a class, with all arguments: Matrix<double, 3>
  std::string call(const std::string& name) const;
};

bool is_float_name(const std::string& type) { return type == "float" || type == "double" || type == "long double"; }

// True for names of types that are called rather than computed with.
bool is_callable_name(std::string name) {
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return name == "f" || name.starts_with("fun") || name == "fn" || name.starts_with("callable") || name.ends_with("op");
}

struct Parameter {
  std::string name;
  bool is_type, has_default, is_pack;
};

std::vector<Parameter> parameters_of(CXCursor declaration) {
  std::vector<Parameter> parameters;
  for (const CXCursor child : children_of(declaration)) {
    const CXCursorKind kind = clang_getCursorKind(child);
    if (kind != CXCursor_TemplateTypeParameter && kind != CXCursor_NonTypeTemplateParameter &&
        kind != CXCursor_TemplateTemplateParameter)
      continue;
    const std::vector<CXCursor> inside = children_of(child);
    parameters.push_back({text_of(clang_getCursorSpelling(child)), kind == CXCursor_TemplateTypeParameter,
                          kind == CXCursor_TemplateTypeParameter && !inside.empty(), false});
  }
  return parameters;
}

void bind(TemplateArguments& made, const Parameter& parameter, const std::string& text) {
  made.written.push_back(text);
  if (!parameter.is_type)
    made.bindings.values[parameter.name] = std::strtol(text.c_str(), nullptr, 10);
  else
    made.bindings.types[parameter.name] = scalar_form(text, is_float_name(text));
}

// Sets all types that are computed with to `type`, including those after the user's arguments.
TemplateArguments with(const std::vector<Parameter>& parameters, const std::vector<std::string>& written,
                       const std::string& type) {
  TemplateArguments made;
  made.shown = written.empty() ? type : fmt::format("{}", fmt::join(written, ", "));
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& parameter = parameters[i];
    if (i < written.size()) {
      bind(made, parameter, written[i]);
      made.explicitly = i + 1;
    } else if (parameter.has_default) {
      break;
    } else if (parameter.is_type && is_callable_name(parameter.name)) {
      made.bindings.types[parameter.name] = function_form();
      made.deduced = true;
    } else if (parameter.name.find("Policy") != std::string::npos) {
      made.obstacle = fmt::format("'{}' is not a numeric type", parameter.name);
    } else if (parameter.is_type) {
      bind(made, parameter, type);
    } else {
      made.obstacle =
          fmt::format("'{}' is a template parameter that is no type: name an instance, -f 'NAME<...>'", parameter.name);
    }
  }
  return made;
}

std::string TemplateArguments::instance(const std::string& name) const {
  return written.empty() ? name : fmt::format("{}<{}>", name, shown);
}

std::string TemplateArguments::type(const std::string& name) const {
  return fmt::format("{}<{}>", name, fmt::join(written, ", "));
}

std::string TemplateArguments::call(const std::string& name) const {
  const std::vector<std::string> first(written.begin(), written.begin() + long(std::min(explicitly, written.size())));
  return first.empty() ? name : fmt::format("{}<{}>", name, fmt::join(first, ", "));
}

// `named` has the lists of arguments in the user's names; may be empty.
std::vector<TemplateArguments> arguments_for(CXCursor declaration, const std::vector<std::string>& named) {
  const std::vector<Parameter> parameters = parameters_of(declaration);
  const bool of_class = clang_getCursorKind(declaration) == CXCursor_ClassTemplate;
  std::vector<TemplateArguments> all;
  for (const std::string& text : named) {
    const std::vector<std::string> written = split_arguments(text);
    all.push_back(with(parameters, written, written.empty() ? "double" : written.back()));
  }
  if (all.empty())
    for (const char* type : {"double", "float"})
      all.push_back(with(parameters, {}, type));
  for (TemplateArguments& one : all)
    if (of_class || (named.empty() && !one.deduced))
      one.explicitly = one.written.size();
  std::vector<TemplateArguments> different; // float and double are the same if only functions are free
  for (TemplateArguments& one : all)
    if (std::ranges::find(different, one.written, &TemplateArguments::written) == different.end())
      different.push_back(std::move(one));
  return different;
}

std::string without_arguments(const std::string& name) {
  std::string plain;
  int depth = 0;
  for (const char letter : name) {
    depth += letter == '<';
    if (depth == 0)
      plain += letter;
    depth -= letter == '>';
  }
  return plain;
}

// The names given with -f.
class RequestedNames {
public:
  explicit RequestedNames(const std::vector<std::string>& names) {
    for (std::string name : names) {
      name = name.substr(0, name.find('('));
      const size_t open = name.find('<');
      const bool has_arguments = open != std::string::npos && name.ends_with(">");
      if (has_arguments)
        names_.push_back({name.substr(0, open), name.substr(open + 1, name.size() - open - 2)});
      else
        names_.push_back({name, ""});
    }
  }

  // True for its full name, its last parts, or a pattern that matches.
  bool names(const std::string& name) const {
    const std::string qualified = without_arguments(name);
    return std::ranges::any_of(names_, [&](const Name& name) { return fits(name, qualified); });
  }

  // True if there are no names, or as names().
  bool any_or(const std::string& qualified) const { return names_.empty() || names(qualified); }

  // True if a name has a namespace or a class.
  bool names_others() const {
    return std::ranges::any_of(names_, [](const Name& name) { return name.plain.find("::") != std::string::npos; });
  }

  // "long double" of f<long double>.
  std::vector<std::string> arguments_of(const std::string& qualified) const {
    std::vector<std::string> all;
    for (const Name& name : names_)
      if (fits(name, qualified) && !name.arguments.empty())
        all.push_back(name.arguments);
    return all;
  }

private:
  struct Name {
    std::string plain, arguments;
  };

  static bool fits(const Name& name, const std::string& qualified) {
    return name.plain == qualified || qualified.ends_with("::" + name.plain) ||
           fnmatch(name.plain.c_str(), qualified.c_str(), 0) == 0;
  }

  std::vector<Name> names_;
};

struct TranslationUnitDeleter {
  void operator()(CXTranslationUnitImpl* unit) const { clang_disposeTranslationUnit(unit); }
};

using Unit = std::unique_ptr<CXTranslationUnitImpl, TranslationUnitDeleter>;

// The class of a member, as instantiated.
struct Owner {
  CXCursor definition;
  std::string type; // Circle, Poly<double>
  Bindings bindings;
};

class Reader {
public:
  explicit Reader(const Request& request) : requested_(request.functions) {}

  void read(CXCursor scope) {
    for (const CXCursor child : children_of(scope))
      visit(child);
  }

  // Returns the functions. Templates of a source are reached through its own functions; a header has nothing else.
  Declarations take() {
    const auto is_open = [this](const Declaration& one) { return !one.instance || requested_.names(one.name); };
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
        for (const TemplateArguments& arguments :
             arguments_for(cursor, requested_.arguments_of(qualified_name(cursor))))
          members(cursor, {cursor, arguments.type(qualified_name(cursor)), arguments.bindings});
      break;
    default:
      break;
    }
  }

  // Searches declarations of other files only for names that include their namespace.
  bool may_hold_wanted(CXCursor scope) const { return is_in_file(scope) || requested_.names_others(); }
  bool is_looked_at(CXCursor cursor) const {
    return is_in_file(cursor) ? requested_.any_or(qualified_name(cursor)) : requested_.names(qualified_name(cursor));
  }
  static bool is_in_file(CXCursor cursor) { return clang_Location_isFromMainFile(clang_getCursorLocation(cursor)); }

  // True for a header that only declares the function: it is reported as having nothing to test.
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
    for (const TemplateArguments& arguments : arguments_for(cursor, requested_.arguments_of(name))) {
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
    const bool named = requested_.names(name);
    const bool of_class = owner && requested_.names(qualified_name(owner->definition));
    if (!(is_in_file(cursor) ? requested_.any_or(name) || of_class : named || of_class) || name == "main")
      return;
    Declaration made = declaration_of(cursor, owner, owner ? owner->bindings : Bindings{});
    if (clang_getCursorLinkage(cursor) != CXLinkage_External && !named && !is_header(made.file))
      return; // static: an internal helper, used only if it is named
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
    if (made.member) {
      made.arguments.push_back(
          {"this", class_form(owner->definition, owner->type, owner->bindings), PassedBy::value, false, {}});
      if (made.arguments.front().form.is(FormKind::object))
        add_calls(*owner, made);
    }
    add_arguments(cursor, bindings, made);
    const CXType result = clang_getCanonicalType(clang_getCursorResultType(cursor));
    made.returns_nothing = result.kind == CXType_Void;
    made.result = form_of(result, bindings);
    return made;
  }

  static void add_calls(const Owner& owner, Declaration& made) {
    for (const CXCursor child : children_of(owner.definition)) {
      if (clang_getCursorKind(child) != CXCursor_CXXMethod || clang_getCXXAccessSpecifier(child) > CX_CXXPublic ||
          clang_CXXMethod_isStatic(child) || clang_getCursorAvailability(child) != CXAvailability_Available)
        continue;
      MemberCall call{.name = text_of(clang_getCursorSpelling(child))};
      const int count = clang_Cursor_getNumArguments(child);
      for (int i = 0; i < count; ++i)
        call.arguments.push_back(argument_of(clang_Cursor_getArgument(child, unsigned(i)), size_t(i), owner.bindings));
      const bool numbers = std::ranges::all_of(call.arguments, [](const Argument& argument) {
        return argument.form.is(FormKind::scalar) && argument.passed_by != PassedBy::changed &&
               argument.declared.find('*') == std::string::npos;
      });
      call.result = form_of(clang_getCanonicalType(clang_getCursorResultType(child)), owner.bindings);
      const bool constant = clang_CXXMethod_isConst(child), is_operator = call.name.starts_with("operator");
      if (numbers && !constant && !is_operator && count > 0)
        made.changers.push_back(std::move(call));
      else if (constant && !is_operator && count == 0 && call.result.is(FormKind::scalar) && call.result.floating)
        made.observers.push_back(std::move(call));
    }
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

  RequestedNames requested_;
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

bool has_errors(CXTranslationUnit unit) {
  for (unsigned i = 0; i < clang_getNumDiagnostics(unit); ++i) {
    CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);
    const bool is_error = clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error;
    clang_disposeDiagnostic(diagnostic);
    if (is_error)
      return true;
  }
  return false;
}

// Throws std::runtime_error with clang's message if the file cannot be parsed at all.
Declarations read_declarations(const Request& request) {
  const std::unique_ptr<void, void (*)(void*)> index(clang_createIndex(0, 0), clang_disposeIndex);
  const Unit unit = parsed(index.get(), request);
  Reader reader(request);
  reader.read(clang_getTranslationUnitCursor(unit.get()));
  Declarations found = reader.take();
  const auto note_file = [](CXFile file, CXSourceLocation*, unsigned, void* read) {
    static_cast<std::vector<std::string>*>(read)->push_back(text_of(clang_getFileName(file)));
  };
  if (!has_errors(unit.get())) // a header that is missing may be there next time
    clang_getInclusions(unit.get(), note_file, &found.read);
  return found;
}

// The functions whose body has this line, inner ones after those around them.
void bodies_at(CXCursor scope, unsigned line, Json& bodies) {
  for (const CXCursor child : children_of(scope)) {
    const CXCursorKind kind = clang_getCursorKind(child);
    const CXSourceRange range = clang_getCursorExtent(child);
    unsigned first = 0, last = 0;
    clang_getFileLocation(clang_getRangeStart(range), nullptr, &first, nullptr, nullptr);
    clang_getFileLocation(clang_getRangeEnd(range), nullptr, &last, nullptr, nullptr);
    if (!clang_Location_isFromMainFile(clang_getCursorLocation(child)) || line < first || line > last)
      continue;
    const bool is_function = kind == CXCursor_FunctionDecl || kind == CXCursor_CXXMethod ||
                             kind == CXCursor_FunctionTemplate || kind == CXCursor_Constructor;
    if (is_function && clang_isCursorDefinition(child))
      bodies.push_back(body_of(child));
    else if (!clang_isExpression(kind))
      bodies_at(child, line, bodies);
  }
}

// faultline-harness body LINE c|c++ FILE -- FLAG...: the function around a line, as data.
Json body_answer(const Request& request, unsigned line) {
  const std::unique_ptr<void, void (*)(void*)> index(clang_createIndex(0, 0), clang_disposeIndex);
  const Unit unit = parsed(index.get(), request);
  Json bodies = Json::array();
  bodies_at(clang_getTranslationUnitCursor(unit.get()), line, bodies);
  return {{"bodies", std::move(bodies)}};
}

// faultline-harness c|c++ FILE FUNCTION... -- FLAG...
Json answer(int argc, char** argv) {
  const bool wants_body = argc > 4 && std::strcmp(argv[1], "body") == 0;
  const unsigned line = wants_body ? unsigned(std::strtoul(argv[2], nullptr, 10)) : 0;
  argc -= wants_body ? 2 : 0;
  argv += wants_body ? 2 : 0;
  Request request{.file = argv[2], .flags = {}, .functions = {}};
  int i = 3;
  for (; i < argc && std::strcmp(argv[i], "--") != 0; ++i)
    request.functions.emplace_back(argv[i]);
  for (++i; i < argc; ++i)
    request.flags.emplace_back(argv[i]);
  if (wants_body)
    return body_answer(request, line);
  const Declarations declarations = read_declarations(request);
  const Language language = std::strcmp(argv[1], "c") == 0 ? Language::c : Language::cxx;
  return {{"harnesses", harnesses_for(declarations.functions, language)},
          {"extents", declarations.extents},
          {"read", declarations.read}};
}

} // namespace

} // namespace faultline::harness

int main(int argc, char** argv) {
  try {
    if (argc < 3) {
      std::fputs("usage: faultline-harness [body LINE] c|c++ FILE [FUNCTION...] -- [FLAG...]\n", stderr);
      return 2;
    }
    const std::string text = faultline::harness::answer(argc, argv).dump();
    std::fwrite(text.data(), 1, text.size(), stdout);
    return 0;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return 1;
  }
}
