#include "harness/template_arguments.h"

#include "harness/clang_text.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

namespace faultline::harness {
namespace {

bool is_float_name(const std::string& type) { return type == "float" || type == "double" || type == "long double"; }

// By its name: a type that is called, rather than computed with.
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

// All types that are computed with are `type`; what comes after what the user wrote as well.
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
      made.obstacle = fmt::format("'{}' is no type of numbers", parameter.name);
    } else if (parameter.is_type) {
      bind(made, parameter, type);
    } else {
      made.obstacle =
          fmt::format("'{}' is a template parameter that is no type: name an instance, -f 'NAME<...>'", parameter.name);
    }
  }
  return made;
}

} // namespace

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
  std::vector<TemplateArguments> different; // float and double are the same where nothing but functions is free
  for (TemplateArguments& one : all)
    if (std::ranges::find(different, one.written, &TemplateArguments::written) == different.end())
      different.push_back(std::move(one));
  return different;
}

Asked::Asked(const std::vector<std::string>& names) {
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

namespace {

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

} // namespace

bool Asked::fits(const Name& name, const std::string& qualified) {
  return name.plain == qualified || qualified.ends_with("::" + name.plain) ||
         fnmatch(name.plain.c_str(), qualified.c_str(), 0) == 0;
}

bool Asked::names(const std::string& name) const {
  const std::string qualified = without_arguments(name);
  return std::ranges::any_of(names_, [&](const Name& name) { return fits(name, qualified); });
}

bool Asked::any_or(const std::string& qualified) const { return names_.empty() || names(qualified); }

bool Asked::names_others() const {
  return std::ranges::any_of(names_, [](const Name& name) { return name.plain.find("::") != std::string::npos; });
}

std::vector<std::string> Asked::arguments_of(const std::string& qualified) const {
  std::vector<std::string> all;
  for (const Name& name : names_)
    if (fits(name, qualified) && !name.arguments.empty())
      all.push_back(name.arguments);
  return all;
}

} // namespace faultline::harness
