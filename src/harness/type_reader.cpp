#include "harness/type_reader.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <optional>

namespace faultline::harness {

namespace {

// The classes of the standard library and of Eigen that contain numbers.
struct Instance {
  std::string name; // std::vector
  std::string type; // the full type
  CXType clang;
  const Bindings& bindings;

  Form part(unsigned index) const { return form_of(clang_Type_getTemplateArgumentAsType(clang, index), bindings); }
  unsigned parts() const { return unsigned(std::max(0, clang_Type_getNumTemplateArguments(clang))); }

  // An integer argument of the template; a name or a number if the template is not instantiated.
  long value(unsigned index) const {
    const CXCursor declaration = clang_getTypeDeclaration(clang);
    if (clang.kind == CXType_Record)
      return long(clang_Cursor_getTemplateArgumentValue(declaration, index));
    const size_t open = type.find('<');
    if (open == std::string::npos)
      return 0;
    const std::vector<std::string> words = split_arguments(type.substr(open + 1, type.rfind('>') - open - 1));
    if (index >= words.size())
      return 0;
    const auto bound = bindings.values.find(words[index]);
    return bound != bindings.values.end() ? bound->second : std::strtol(words[index].c_str(), nullptr, 10);
  }
};

// Returns "std::vector<double>": with the given arguments, and without the defaults that users omit.
std::string written(const Instance& instance, const std::vector<std::string>& arguments) {
  std::string text = instance.name + "<";
  for (size_t i = 0; i < arguments.size(); ++i)
    text += (i ? ", " : "") + arguments[i];
  return text + ">";
}

Form sequence(const Instance& instance) {
  const Form element = instance.part(0);
  Form form{.kind = FormKind::sequence,
            .type = written(instance, {element.type}),
            .parts = {element},

            .extents = {0}};
  if (instance.name == "std::span") {
    form.type = instance.clang.kind == CXType_Record ? instance.type : form.type;
    form.storage = fmt::format("std::vector<{}>", element.type);
    if (const long extent = instance.value(1); extent > 0)
      form.extents = {extent};
  }
  return form;
}

Form fixed_array(const Instance& instance) {
  const Form element = instance.part(0);
  const long extent = instance.value(1);
  return {.kind = extent > 0 ? FormKind::array : FormKind::other,
          .type = written(instance, {element.type, fmt::format("{}", extent)}),
          .parts = {element},

          .extents = {extent},
          .reason = "std::array of unknown length"};
}

Form complex_number(const Instance& instance) {
  const Form part = instance.part(0);
  return {.kind = FormKind::complex, .type = written(instance, {part.type}), .parts = {part}};
}

Form several(const Instance& instance) {
  Form form{.kind = FormKind::tuple, .type = {}};
  std::vector<std::string> types;
  for (unsigned i = 0; i < instance.parts(); ++i) {
    form.parts.push_back(instance.part(i));
    types.push_back(form.parts.back().type);
  }
  form.type = written(instance, types);
  if (instance.name == "std::pair")
    form.names = {"first", "second"};
  return form;
}

Form perhaps(const Instance& instance) {
  const Form inside = instance.part(0);
  return {.kind = FormKind::optional, .type = written(instance, {inside.type}), .parts = {inside}};
}

Form callable(const Instance& instance) {
  const CXType signature = clang_getCanonicalType(clang_Type_getTemplateArgumentAsType(instance.clang, 0));
  Form form{.kind = FormKind::function, .type = instance.type};
  form.parts.push_back(form_of(clang_getResultType(signature), {}));
  bool numbers = form.parts.front().floating;
  for (int i = 0; i < clang_getNumArgTypes(signature); ++i) {
    const CXType argument = clang_getArgType(signature, unsigned(i));
    form.parts.push_back(form_of(argument, {}));
    form.names.push_back(text_of(clang_getTypeSpelling(clang_getCanonicalType(argument))));
    numbers = numbers && form.parts.back().is(FormKind::scalar) && form.parts.back().floating;
  }
  if (numbers && form.parts.size() > 1)
    return form;
  return {.kind = FormKind::other,
          .type = instance.type,

          .reason = fmt::format("there is no function of type {} to pass: it takes or gives more than numbers",
                                instance.type)};
}

Form eigen_matrix(const Instance& instance) {
  Form form{.kind = FormKind::matrix, .type = instance.type, .parts = {instance.part(0)}};
  for (const unsigned index : {1u, 2u}) {
    const long extent = instance.value(index);
    form.extents.push_back(extent > 0 ? extent : 0); // Eigen::Dynamic is -1
  }
  return form;
}

// Eigen::Ref and Eigen::Map: views of a matrix.
Form eigen_view(const Instance& instance) {
  Form form = instance.part(0);
  if (!form.is(FormKind::matrix))
    return form;
  form.storage = form.type;
  form.type = instance.type;
  return form;
}

// Returns nothing if the type is not such a class.
std::optional<Form> standard_form(CXType type, const Bindings& bindings) {
  const CXCursor declaration = clang_getTypeDeclaration(type);
  const bool dependent = type.kind != CXType_Record; // the canonical text has no names of template parameters
  const Instance instance{qualified_name(declaration),
                          dependent ? text_of(clang_getTypeSpelling(type)) : type_text(type), type, bindings};
  struct Known {
    std::string_view name;
    Form (*form)(const Instance&);
  };
  static constexpr Known known[] = {
      {"std::vector", sequence},       {"std::span", sequence},          {"std::valarray", sequence},
      {"std::array", fixed_array},     {"std::complex", complex_number}, {"std::pair", several},
      {"std::tuple", several},         {"std::optional", perhaps},       {"std::function", callable},
      {"Eigen::Matrix", eigen_matrix}, {"Eigen::Array", eigen_matrix},   {"Eigen::Ref", eigen_view},
      {"Eigen::Map", eigen_view},
  };
  for (const Known& one : known)
    if (instance.name == one.name)
      return one.form(instance);
  if (instance.name.starts_with("std::"))
    return Form{.kind = FormKind::other,
                .type = instance.type,

                .reason = fmt::format("a value of type {} cannot be made from numbers", instance.name)};
  return std::nullopt;
}

constexpr int deepest = 8; // nested types: a guess, which also bounds classes that are made from themselves
thread_local int depth = 0;

struct DepthGuard {
  DepthGuard() { ++depth; }
  ~DepthGuard() { --depth; }
};

Form other(CXType type, const std::string& why) {
  return {.kind = FormKind::other, .type = type_text(type), .reason = why};
}

Form array_form(CXType type, const Bindings& bindings) {
  Form form{.kind = FormKind::array, .type = type_text(type)};
  while (type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray ||
         type.kind == CXType_VariableArray || type.kind == CXType_DependentSizedArray) {
    form.extents.push_back(type.kind == CXType_ConstantArray ? long(clang_getArraySize(type)) : 0);
    type = clang_getCanonicalType(clang_getArrayElementType(type));
  }
  form.parts = {form_of(type, bindings)};
  return form;
}

bool is_aggregate(CXCursor definition) {
  return std::ranges::none_of(children_of(definition), [](CXCursor child) {
    const CXCursorKind kind = clang_getCursorKind(child);
    return kind == CXCursor_Constructor || kind == CXCursor_CXXBaseSpecifier ||
           (kind == CXCursor_FieldDecl && clang_getCXXAccessSpecifier(child) > CX_CXXPublic) ||
           (kind == CXCursor_CXXMethod && clang_CXXMethod_isVirtual(child));
  });
}

bool is_usable_constructor(CXCursor constructor) {
  return clang_getCursorKind(constructor) == CXCursor_Constructor &&
         clang_getCXXAccessSpecifier(constructor) <= CX_CXXPublic &&
         !clang_CXXConstructor_isCopyConstructor(constructor) && !clang_CXXConstructor_isMoveConstructor(constructor) &&
         clang_getCursorAvailability(constructor) == CXAvailability_Available && !clang_Cursor_isVariadic(constructor);
}

// Uses the constructor with the most arguments among those that can be made.
Form constructed(CXCursor definition, const std::string& type, const Bindings& bindings) {
  Form best{.kind = FormKind::other, .type = type};
  best.reason =
      fmt::format("needs state ({0}): {0} has no public constructor whose arguments a harness can make", type);
  bool any = false;
  for (const CXCursor child : children_of(definition)) {
    any = any || clang_getCursorKind(child) == CXCursor_Constructor;
    if (!is_usable_constructor(child))
      continue;
    Form form{.kind = FormKind::object, .type = type};
    bool possible = true;
    for (int i = 0; i < clang_Cursor_getNumArguments(child); ++i) {
      const Argument argument = argument_of(clang_Cursor_getArgument(child, unsigned(i)), size_t(i), bindings);
      std::vector<Leaf> leaves;
      const bool is_pointer = argument.declared.ends_with('*');
      possible = possible && !is_pointer && argument.passed_by != PassedBy::changed &&
                 obstacle_of(argument.form).empty() && leaves_of(argument.form, "", leaves);
      form.parts.push_back(argument.form);
      form.names.push_back(argument.name);
    }
    if (possible && (best.is(FormKind::other) || form.parts.size() > best.parts.size()))
      best = std::move(form);
  }
  if (!any) // default-constructed; the members are private
    return {.kind = FormKind::object, .type = type};
  return best;
}

Form record_form(CXType type, const Bindings& bindings) {
  const CXCursor declaration = clang_getTypeDeclaration(type);
  const CXCursor pattern = clang_getSpecializedCursorTemplate(declaration); // an instance of a template has no children
  const CXCursor definition = clang_getCursorDefinition(clang_Cursor_isNull(pattern) ? declaration : pattern);
  if (clang_Cursor_isNull(definition))
    return other(type, fmt::format("{} is not defined in the included files", type_text(type)));
  if (clang_getCursorKind(declaration) == CXCursor_UnionDecl)
    return other(type, fmt::format("{} is a union", type_text(type)));
  if (!is_aggregate(definition))
    return constructed(definition, type_text(type), bindings);
  Form form{.kind = FormKind::record, .type = type_text(type)};
  struct Fields {
    Form& form;
    const Bindings& bindings;
  } fields{form, bindings};
  clang_Type_visitFields(
      type,
      [](CXCursor field, CXClientData data) {
        auto& into = *static_cast<Fields*>(data);
        into.form.parts.push_back(form_of(clang_getCursorType(field), into.bindings));
        into.form.names.push_back(text_of(clang_getCursorSpelling(field)));
        return CXVisit_Continue;
      },
      &fields);
  return form;
}

// Removes const, references and other prefixes of a name: canonical types have no names of template parameters.
CXType as_named(CXType type) {
  type = clang_getUnqualifiedType(clang_getNonReferenceType(type));
  return type.kind == CXType_Elaborated ? clang_getUnqualifiedType(clang_Type_getNamedType(type)) : type;
}

// Returns the form of a template parameter or of a type that depends on one.
Form bound_form(CXType type, const Bindings& bindings) {
  const std::string name = text_of(clang_getTypeSpelling(type));
  if (const auto bound = bindings.types.find(name); bound != bindings.types.end())
    return bound->second;
  if (const std::optional<Form> form = standard_form(type, bindings))
    return *form;
  return other(type, fmt::format("{} depends on a template parameter in an unsupported way", name));
}

Form function_of(CXType type) {
  Form form{.kind = FormKind::function, .type = type_text(type)};
  const CXType result = clang_getCanonicalType(clang_getResultType(type));
  form.parts.push_back(form_of(result, {}));
  for (int i = 0; i < clang_getNumArgTypes(type); ++i) {
    const CXType argument = clang_getCanonicalType(clang_getArgType(type, unsigned(i)));
    form.names.push_back(text_of(clang_getTypeSpelling(argument)));
    form.parts.push_back(argument.kind == CXType_Pointer ? scalar_form(form.names.back(), false)
                                                         : form_of(argument, {}));
  }
  const bool gives_number = form.parts.front().is(FormKind::scalar) && form.parts.front().floating;
  const bool takes_number = std::any_of(form.parts.begin() + 1, form.parts.end(),
                                        [](const Form& part) { return part.is(FormKind::scalar) && part.floating; });
  if (!gives_number || !takes_number)
    return other(type, fmt::format("there is no function of type {} to pass: it takes or gives more than numbers",
                                   type_text(type)));
  return form;
}

// Describes what a pointer points to: numbers, or one struct.
void behind_pointer(CXType to, const Bindings& bindings, Argument& argument) {
  if (to.kind == CXType_Void) { // its meaning depends on the functions that get it: null
    argument.form = {.kind = FormKind::object, .type = argument.declared};
    return;
  }
  argument.form = form_of(to, bindings);
  argument.plain = argument.form.is(FormKind::scalar) || argument.form.is(FormKind::array);
  if (argument.form.is(FormKind::complex) && argument.passed_by == PassedBy::value) { // as many as --size gives
    argument.passed_by = clang_isConstQualifiedType(to) ? PassedBy::constant : PassedBy::changed;
    argument.form = {
        .kind = FormKind::array, .type = argument.form.type + "[]", .parts = {argument.form}, .extents = {0}};
    return;
  }
  if (argument.form.is(FormKind::record) && argument.passed_by == PassedBy::value) {
    argument.passed_by = clang_isConstQualifiedType(to) ? PassedBy::constant : PassedBy::changed;
    argument.declared = "*";
  } else if (!argument.plain) {
    argument.form = {.kind = FormKind::other,
                     .type = argument.declared,

                     .reason = fmt::format("{} is a pointer that a harness cannot fill", argument.declared)};
  }
}

} // namespace

Form scalar_form(const std::string& type, bool floating) {
  return {.kind = FormKind::scalar, .type = type, .floating = floating};
}

Form function_form() {
  return {.kind = FormKind::function,
          .type = "double (*)(double)",
          .parts = {scalar_form("double", true), scalar_form("double", true)},
          .names = {"double"}};
}

Form class_form(CXCursor definition, const std::string& type, const Bindings& bindings) {
  if (is_aggregate(definition) && clang_getCursorKind(definition) != CXCursor_ClassTemplate)
    return record_form(clang_getCursorType(definition), bindings);
  if (!is_aggregate(definition))
    return constructed(definition, type, bindings);
  Form form{.kind = FormKind::record, .type = type};
  for (const CXCursor child : children_of(definition))
    if (clang_getCursorKind(child) == CXCursor_FieldDecl) {
      form.parts.push_back(form_of(clang_getCursorType(child), bindings));
      form.names.push_back(text_of(clang_getCursorSpelling(child)));
    }
  return form;
}

Form form_of(CXType written, const Bindings& bindings) {
  const DepthGuard inside;
  if (!bindings.types.empty())
    if (const CXType named = as_named(written); named.kind == CXType_Unexposed)
      return bound_form(named, bindings);
  const CXType type = clang_getUnqualifiedType(clang_getNonReferenceType(clang_getCanonicalType(written)));
  if (depth > deepest)
    return other(type, fmt::format("{} is nested too deep", type_text(type)));
  switch (type.kind) {
  case CXType_Float:
  case CXType_Double:
  case CXType_LongDouble:
    return scalar_form(type_text(type), true);
  case CXType_Half:
  case CXType_Float16:
  case CXType_BFloat16:
  case CXType_Float128:
    return other(type, fmt::format("the float format {} is not supported (float, double and x86 long double are)",
                                   type_text(type)));
  case CXType_Complex:
    return {.kind = FormKind::complex,
            .type = type_text(type),
            .parts = {form_of(clang_getElementType(type), bindings)},
            .names = {}};
  case CXType_ConstantArray:
  case CXType_IncompleteArray:
  case CXType_VariableArray:
  case CXType_DependentSizedArray:
    return array_form(type, bindings);
  case CXType_Pointer:
    if (clang_getPointeeType(type).kind == CXType_FunctionProto)
      return function_of(clang_getPointeeType(type));
    return other(type, fmt::format("{} is a pointer", type_text(type)));
  case CXType_Enum:
    return scalar_form(type_text(type), false);
  case CXType_Record:
    if (const std::optional<Form> form = standard_form(type, bindings))
      return *form;
    return record_form(type, bindings);
  case CXType_Unexposed:
  case CXType_Elaborated:
    return bound_form(type, bindings);
  default:
    if (type.kind >= CXType_Bool && type.kind <= CXType_Int128)
      return scalar_form(type_text(type), false);
    return other(type, fmt::format("a value of type {} cannot be made", type_text(type)));
  }
}

Argument argument_of(CXCursor parameter, size_t index, const Bindings& bindings) {
  Argument argument;
  argument.name = text_of(clang_getCursorSpelling(parameter));
  if (argument.name.empty())
    argument.name = fmt::format("arg{}", index + 1);
  const CXType written = clang_getCursorType(parameter); // an array type is not decayed
  const CXType type = clang_getCanonicalType(written), inside = clang_getNonReferenceType(type);
  const bool reference = type.kind == CXType_LValueReference;
  argument.passed_by = !reference                           ? PassedBy::value
                       : clang_isConstQualifiedType(inside) ? PassedBy::constant
                                                            : PassedBy::changed;
  argument.declared = text_of(clang_getTypeSpelling(type));
  if (inside.kind == CXType_Pointer && clang_getPointeeType(inside).kind != CXType_FunctionProto) {
    behind_pointer(clang_getPointeeType(inside), bindings, argument);
    return argument;
  }
  argument.form = form_of(written, bindings);
  const bool view = !argument.form.storage.empty(); // the function may change its numbers
  if (view && argument.passed_by == PassedBy::value && argument.form.type.find("<const ") == std::string::npos)
    argument.passed_by = PassedBy::changed;
  const bool c_array = argument.form.is(FormKind::array) && !argument.form.type.starts_with("std::array");
  argument.plain = argument.form.is(FormKind::scalar);
  if (c_array && !reference) { // actually a pointer
    const bool variable = argument.form.extents.size() > 1 && std::ranges::count(argument.form.extents, 0) > 0;
    argument.plain = argument.form.parts.front().is(FormKind::scalar) && !variable;
    argument.passed_by = argument.declared.starts_with("const ") ? PassedBy::constant : PassedBy::changed;
  }
  if (argument.form.is(FormKind::scalar)) // T is double here
    argument.declared = fmt::format("{}{}{}", argument.passed_by == PassedBy::constant ? "const " : "",
                                    argument.form.type, reference ? "&" : "");
  return argument;
}

} // namespace faultline::harness
