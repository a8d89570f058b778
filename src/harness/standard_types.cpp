#include "harness/standard_types.h"

#include "harness/clang_text.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>

namespace faultline::harness {
namespace {

struct Instance {
  std::string name; // std::vector
  std::string type; // in full
  CXType clang;
  const Bindings& bindings;

  Form part(unsigned index) const { return form_of(clang_Type_getTemplateArgumentAsType(clang, index), bindings); }
  unsigned parts() const { return unsigned(std::max(0, clang_Type_getNumTemplateArguments(clang))); }

  // An integer argument of the template; in a template that is not instantiated it is a name or a number.
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

// "std::vector<double>": with what the parameters stand for, and no more arguments than people write.
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

} // namespace

std::optional<Form> standard_form(CXType type, const Bindings& bindings) {
  const CXCursor declaration = clang_getTypeDeclaration(type);
  const bool dependent = type.kind != CXType_Record; // its canonical text has no names of template parameters
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

} // namespace faultline::harness
