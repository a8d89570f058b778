#include "report/tests/prototype.h"

#include "base/text.h"
#include "model/csv_lines.h"
#include "program/compile.h"
#include "report/tests/literal.h"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <memory>
#include <regex>
#include <set>

namespace faultline::report {

using namespace model;
using namespace program;

std::string file_name(const std::string& file) { return std::filesystem::path(file).filename().string(); }

namespace {

void add_once(std::vector<std::string>& words, std::initializer_list<std::string> more) {
  if (std::ranges::find(words, *(more.end() - 1)) == words.end())
    words.insert(words.end(), more);
}

// A harness in C and C++ includes the source, so linking the source too would define everything twice. A harness in
// Fortran uses its modules. Sources without a harness are linked in any case.
std::string sources_hint(const std::vector<const Target*>& targets) {
  std::set<std::string> included, linked;
  for (const Target* target : targets)
    if (!target->harness.empty() && program::language_of(target->file) != Language::fortran)
      included.insert(file_name(target->file));
  for (const Target* target : targets)
    if (!included.contains(file_name(target->file)))
      linked.insert(file_name(target->file));
  std::string text;
  if (!included.empty())
    text += fmt::format(", instead of {}, which it includes", fmt::join(included, ", "));
  if (!linked.empty())
    text += fmt::format(", and {}", fmt::join(linked, ", "));
  return text;
}

} // namespace

namespace {

bool has_size(const Parameter& parameter) { return parameter.is_array && parameter.name != "return"; }

// True if two harnesses have different sizes for parameters of one name.
bool sizes_differ(const std::vector<const Target*>& targets) {
  std::map<std::string, std::vector<uint64_t>> sizes;
  for (const Target* target : targets)
    for (const Parameter& parameter : target->parameters)
      if (!target->harness.empty() && has_size(parameter) &&
          sizes.emplace(parameter.name, parameter.extents).first->second != parameter.extents)
        return true;
  return false;
}

} // namespace

std::string harness_sizes(const std::vector<const Target*>& targets) {
  if (!sizes_differ(targets))
    return {};
  std::string text = "// sizes.toml, for the harness:\n";
  for (const Target* target : targets) {
    std::vector<std::string> sizes;
    for (const Parameter& parameter : target->parameters)
      if (!target->harness.empty() && has_size(parameter))
        sizes.push_back(fmt::format("{} = [{}]", parameter.name, fmt::join(parameter.extents, ", ")));
    if (!sizes.empty())
      text += fmt::format("//   function.'{}'.size = {{ {} }}\n", base::printable(target->function),
                          fmt::join(sizes, ", "));
  }
  return text;
}

std::string harness_hint(const std::vector<const Target*>& targets) {
  const bool differ = sizes_differ(targets);
  std::vector<std::string> words{"faultline", "harness"}, functions, sizes;
  std::string ending = ".c";
  for (const Target* target : targets) {
    if (target->harness.empty())
      continue;
    add_once(words, {target->file});
    add_once(functions, {"-f", target->function});
    const Language language = program::language_of(target->file);
    if (language != Language::c)
      ending = language == Language::fortran ? ".f90" : ".cpp";
    for (const Parameter& parameter : target->parameters)
      if (!differ && has_size(parameter))
        add_once(sizes, {"--size", fmt::format("{}={}", parameter.name, fmt::join(parameter.extents, "x"))});
  }
  if (functions.empty())
    return {};
  words.insert(words.end(), functions.begin(), functions.end());
  words.insert(words.end(), sizes.begin(), sizes.end());
  if (differ)
    words.insert(words.end(), {"--config", "sizes.toml"});
  return fmt::format("harness{}, which {} prints{}", ending, model::shell_line(words), sources_hint(targets));
}

std::string module_symbols_hint(const std::vector<const Target*>& targets) {
  const auto found = std::ranges::find_if(
      targets, [](const Target* target) { return target->harness.empty() && target->symbol.starts_with("_QM"); });
  return found == targets.end()
             ? ""
             : fmt::format("Symbols of module procedures are flang's ({}): compile the Fortran code with flang; "
                           "gfortran's are different and do not link.",
                           (*found)->symbol);
}

using Form = ParameterType::Form;

namespace {

const std::set<std::string> built_in = {"char",
                                        "signed char",
                                        "unsigned char",
                                        "short",
                                        "unsigned short",
                                        "int",
                                        "unsigned int",
                                        "long",
                                        "unsigned long",
                                        "long long",
                                        "unsigned long long",
                                        "size_t",
                                        "int8_t",
                                        "int16_t",
                                        "int32_t",
                                        "int64_t",
                                        "uint8_t",
                                        "uint16_t",
                                        "uint32_t",
                                        "uint64_t",
                                        "bool"};

bool is_built_in(const std::string& type) {
  return built_in.contains(type) || std::ranges::find(numeric::format_table, type, &numeric::FormatInfo::c_type) !=
                                        std::end(numeric::format_table);
}

// Names that a test's variable cannot have: the test's own, and C++ keywords that C allows.
const std::set<std::string> taken = {"exact",    "tolerance", "computed", "and",  "bool",  "class",    "catch",
                                     "delete",   "false",     "friend",   "new",  "not",   "operator", "or",
                                     "private",  "public",    "template", "this", "throw", "true",     "try",
                                     "typename", "using",     "virtual",  "xor"};

// The usual name of a type of which only the width is known.
std::string plain_type(const Type& type) {
  if (type.floating)
    return c_type(type);
  const char* width = type.bits == 32 ? "int" : type.bits == 64 ? "long" : type.bits == 16 ? "short" : "char";
  return type.is_signed ? fmt::format("{}{}", type.bits == 8 ? "signed " : "", width)
                        : fmt::format("unsigned {}", width);
}

// stats::mean(double const*, int): the qualified name and the types. Nothing for operators, members and templates.
struct DemangledName {
  std::vector<std::string> spaces;
  std::string name;
  std::vector<ParameterType> types;
};

// Returns an empty text if it is not a symbol of C++.
std::string demangled_text(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                         &std::free);
  return status == 0 && text ? text.get() : "";
}

std::optional<DemangledName> demangle_name(const std::string& symbol) {
  static const std::regex shape(R"(((?:[A-Za-z_]\w*::)*)([A-Za-z_]\w*)\((.*)\))");
  static const std::regex comma(", "), colons("::");
  const std::string function = demangled_text(symbol);
  std::smatch parts;
  if (!std::regex_match(function, parts, shape) || parts[2] == "operator")
    return {};
  DemangledName made;
  made.name = parts[2];
  const std::string scope = parts[1], list = parts[3];
  for (std::sregex_token_iterator word(scope.begin(), scope.end(), colons, -1), end; word != end; ++word)
    if (word->length() > 0)
      made.spaces.push_back(*word);
  for (std::sregex_token_iterator word(list.begin(), list.end(), comma, -1), end; word != end && !list.empty();
       ++word) {
    const std::optional<ParameterType> type = parameter_type(*word);
    if (!type)
      return {};
    made.types.push_back(*type);
  }
  return made;
}

bool is_mangled(const Target& target) { return target.symbol.starts_with("_Z"); }

const Cell* returned_scalar(const Target& target) {
  const auto found = std::ranges::find(target.outputs, "return", &Cell::name);
  return found == target.outputs.end() ? nullptr : &*found;
}

bool returns_struct(const Target& target) {
  return target.returned_by_pointer ||
         std::ranges::any_of(target.outputs, [](const Cell& cell) { return cell.name.starts_with("return["); });
}

// Returns the type of a parameter in C. Fortran passes scalars by address.
std::optional<ParameterType> c_parameter(const Parameter& parameter) {
  std::optional<ParameterType> type = parameter_type(parameter.type_name);
  const bool address = parameter.passing == Passing::pointer || parameter.passing == Passing::absent;
  const bool fortran_array = parameter.type_name.ends_with("[]"); // in C, only pointers have such types
  if (!type && !fortran_array && parameter.type_name.find_first_of("[*&") != std::string::npos)
    return {};
  if (!type || (type->form == Form::value && address)) // Fortran, or a typedef of a pointer
    type = ParameterType{address ? Form::pointer : Form::value, plain_type(parameter.type), false, ""};
  return type;
}

std::string variable_name(const std::string& parameter, const std::string& function) {
  const std::string name = identifier(parameter);
  return taken.contains(name) || name == function || !is_identifier(name) ? name + "_" : name;
}

// Sets the parts that depend on the target. Returns false if there is no plain argument of the kind.
bool complete(Argument& argument, const Target& target, bool keep_references, bool headers, bool cpp) {
  const Parameter& parameter = argument.parameter;
  ParameterType& type = argument.type;
  if (parameter.passing == Passing::descriptor || parameter.passing == Passing::slice)
    return false;
  argument.fields = fields_of(target, parameter);
  argument.is_record = !argument.fields.empty();
  if (argument.is_record) {
    if (parameter.is_array || type.form == Form::value || !parameter.alias_of.empty())
      return false;
    if (headers && !cpp)
      return false; // C has two name spaces, and it is unknown which one contains the name
    if (!headers && !is_certain(target, parameter, argument.fields))
      return false;
  } else if (!is_built_in(type.base)) {
    type.base = plain_type(parameter.type); // a typedef, an enumeration
  }
  if (type.form == Form::reference && !keep_references)
    type.form = Form::pointer;
  if (type.form == Form::rows) {
    for (size_t i = 0; i < parameter.extents.size(); ++i)
      argument.rows.push_back(parameter.extents[i]);
    if (argument.rows.size() < 2)
      return false;
    type.extents.clear();
    for (size_t i = 1; i < argument.rows.size(); ++i)
      type.extents += fmt::format("[{}]", argument.rows[i]);
  }
  return true;
}

} // namespace

std::optional<ParameterType> parameter_type(const std::string& text) {
  static const std::regex plain(R"((const )?([A-Za-z_][\w: ]*?)( const)?\s*([*&]?))");
  static const std::regex rows(R"((const )?([A-Za-z_][\w: ]*?)( const)?(?:(?:\[\])+\*| \(\*\) ((?:\[\d+\])+)))");
  std::smatch parts;
  if (std::regex_match(text, parts, plain))
    return ParameterType{parts[4] == "*"   ? Form::pointer
                         : parts[4] == "&" ? Form::reference
                                           : Form::value,
                         parts[2], parts[1].matched || parts[3].matched, ""};
  if (std::regex_match(text, parts, rows))
    return ParameterType{Form::rows, parts[2], parts[1].matched || parts[3].matched, parts[4]};
  return {};
}

std::string Prototype::called() const {
  return spaces.empty() ? name : fmt::format("{}::{}", fmt::join(spaces, "::"), name);
}

std::optional<Prototype> prototype_of(const Target& target, bool cpp, bool headers, const std::string& own_name) {
  if (returns_struct(target) || !target.setups.empty() ||
      std::ranges::any_of(target.parameters, [](const Parameter& parameter) {
        return parameter.stored_at.has_value(); // no argument: block_call() sets it
      }))
    return {};
  const std::optional<DemangledName> real = is_mangled(target) ? demangle_name(target.symbol) : std::nullopt;
  const auto nameable = [&](const ParameterType& type) { return headers || is_built_in(type.base); };
  const bool labelled = is_mangled(target) ? !cpp || !real || real->types.size() != target.parameters.size() ||
                                                 !std::ranges::all_of(real->types, nameable)
                                           : !is_identifier(target.symbol);
  Prototype made;
  made.c_linkage = labelled || !is_mangled(target);
  made.result = returned_scalar(target) ? plain_type(returned_scalar(target)->type) : "void";
  if (labelled) {
    made.name = own_name;
    made.label = target.symbol;
  } else {
    made.name = real ? real->name : target.symbol;
    if (real)
      made.spaces = real->spaces;
    made.declared_by_header = headers;
  }
  const bool own_structs = !made.declared_by_header;
  for (size_t i = 0; i < target.parameters.size(); ++i) {
    const Parameter& parameter = target.parameters[i];
    const std::optional<ParameterType> type = real && !labelled ? real->types[i] : c_parameter(parameter);
    if (!type)
      return {};
    Argument argument{parameter, *type, variable_name(parameter.name, made.name), {}, false, {}};
    if (!complete(argument, target, cpp && !labelled, !own_structs, cpp))
      return {};
    made.arguments.push_back(std::move(argument));
  }
  return made;
}

std::string record_type(const Argument& argument, bool cpp) {
  return fmt::format("{}{}", cpp ? "" : "struct ", argument.type.base);
}

std::vector<std::string> struct_definitions(const Prototype& prototype, bool cpp) {
  std::vector<std::string> all;
  for (const Argument& argument : prototype.arguments) {
    if (!argument.is_record || prototype.declared_by_header)
      continue;
    std::string text = fmt::format("struct {} {{\n", argument.type.base);
    for (const Cell& field : argument.fields)
      text += fmt::format("  {} {};\n", plain_type(field.type), field_name(field, argument.parameter));
    all.push_back(text + "};\n");
  }
  return all;
}

std::string prototype_text(const Prototype& prototype, bool cpp) {
  if (prototype.declared_by_header)
    return "";
  std::vector<std::string> list;
  for (const Argument& argument : prototype.arguments) {
    const ParameterType& type = argument.type;
    const std::string base =
        fmt::format("{}{}", type.constant ? "const " : "", argument.is_record ? record_type(argument, cpp) : type.base);
    list.push_back(type.form == Form::rows        ? fmt::format("{} (*{}){}", base, argument.name, type.extents)
                   : type.form == Form::pointer   ? fmt::format("{} *{}", base, argument.name)
                   : type.form == Form::reference ? fmt::format("{} &{}", base, argument.name)
                                                  : fmt::format("{} {}", base, argument.name));
  }
  std::string text = fmt::format("{} {}({}){};", prototype.result, prototype.name,
                                 list.empty() && !cpp ? "void" : fmt::format("{}", fmt::join(list, ", ")),
                                 prototype.label.empty() ? "" : fmt::format(" __asm__(\"{}\")", prototype.label));
  if (cpp && prototype.c_linkage)
    text = "extern \"C\" " + text;
  if (!prototype.spaces.empty())
    text = fmt::format("namespace {} {{\n{}\n}}", fmt::join(prototype.spaces, "::"), text);
  return text + "\n";
}

} // namespace faultline::report
