#include "frontend/fortran/procedure.h"

#include "frontend/compiling/fortran_statements.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace faultline::frontend {
namespace {

// 3_8, -1_8
std::optional<int64_t> constant(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && (end == text.data() + text.size() || *end == '_');
  return whole ? std::optional(value) : std::nullopt;
}

std::vector<FortranBounds> shape_of(const std::string& text) {
  std::vector<FortranBounds> shape;
  if (text.empty())
    return shape;
  for (const std::string& one : split_outside(text, ',')) {
    const std::vector<std::string> ends = split_outside(one, ':');
    shape.push_back({ends.front(), ends.size() > 1 ? ends[1] : ""});
  }
  return shape;
}

bool is_name(std::string_view text) {
  return !text.empty() && std::isalpha(static_cast<unsigned char>(text.front())) &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

// "pp, only: Use from seg in m"
struct UsedFrom {
  std::string name, module;
};
std::optional<UsedFrom> used_from(const FortranSymbol& symbol) {
  if (symbol.kind != "Use")
    return std::nullopt;
  return UsedFrom{labelled(symbol.details, "from "), labelled(symbol.details, " in ")};
}

} // namespace

std::optional<int64_t> FortranBounds::first() const { return lower.empty() ? 1 : constant(lower); }

std::optional<int64_t> FortranBounds::extent() const {
  const std::optional<int64_t> low = first(), high = constant(upper);
  return low && high && *high >= *low ? std::optional(*high - *low + 1) : std::nullopt;
}

std::string FortranBounds::length() const {
  constexpr std::string_view before = "int(", after = ",kind=8)";
  std::string_view name = upper;
  if (name.starts_with(before) && name.ends_with(after))
    name = name.substr(before.size(), name.size() - before.size() - after.size());
  return first() == 1 && is_name(name) ? std::string(name) : "";
}

std::string FortranBounds::text() const { return lower.empty() && upper == "*" ? upper : lower + ":" + upper; }

bool FortranType::has_fixed_length() const {
  const size_t open = text.find('(');
  return open + 1 < text.size() && std::isdigit(static_cast<unsigned char>(text[open + 1]));
}

FortranType fortran_type(const std::string& text) {
  static const std::pair<const char*, FortranKind> kinds[] = {
      {"integer", FortranKind::integer},    {"real", FortranKind::real},    {"complex", FortranKind::complex},
      {"logical", FortranKind::logical},    {"type", FortranKind::derived}, {"class", FortranKind::derived},
      {"character", FortranKind::character}};
  FortranType type;
  const size_t open = text.find('(');
  if (open == std::string::npos || text.back() != ')')
    return type;
  const std::string word = lower_case(text.substr(0, open)), inside = text.substr(open + 1, text.size() - open - 2);
  for (const auto& [name, kind] : kinds)
    if (word == name)
      type.kind = kind;
  type.text = word + text.substr(open);
  type.polymorphic = word == "class";
  if (type.kind == FortranKind::derived)
    type.name = inside;
  else if (type.kind != FortranKind::character)
    type.bytes = int(constant(inside).value_or(0));
  return type;
}

FortranEntity fortran_entity(const FortranSymbol& symbol) {
  FortranEntity entity{.name = symbol.name, .type = {}, .shape = {}, .attributes = symbol.attributes};
  if (symbol.kind == "ObjectEntity" || symbol.kind == "AssocEntity") {
    entity.type = fortran_type(labelled(symbol.details, "type: "));
    entity.shape = shape_of(labelled(symbol.details, "shape: "));
  } else if (symbol.kind == "ProcEntity" || symbol.kind == "Subprogram") {
    entity.is_procedure = true;
    const std::string word = labelled(symbol.details, " ");
    entity.type = fortran_type(symbol.kind == "Subprogram" ? labelled(symbol.details, "result:") : word);
    if (symbol.kind == "Subprogram")
      entity.interface = symbol.name;
    else if (is_name(word))
      entity.interface = word;
    entity.is_function = entity.type.kind != FortranKind::none;
  }
  return entity;
}

std::optional<FortranProcedure> FortranNames::read(const FortranSymbol& symbol, const FortranScope& holder) {
  const FortranScope* own = holder.scope("Subprogram", symbol.name);
  if (symbol.kind != "Subprogram" || !own)
    return std::nullopt;
  FortranProcedure procedure{.name = symbol.name,
                             .module = holder.kind == "Module" ? holder.name : "",
                             .is_function = symbol.details.find("result:") != std::string::npos,
                             .attributes = symbol.attributes,
                             .dummies = {},
                             .result = {},
                             .scope = own};
  const auto look_up = [&](const std::string& name) {
    const FortranSymbol* found = own->symbol(name);
    return found ? fortran_entity(*found) : FortranEntity{.name = name, .type = {}, .shape = {}, .attributes = {}};
  };
  std::string rest = symbol.details;
  if (procedure.is_function) {
    rest = rest.substr(rest.find("result:"));
    const std::string type = labelled(rest, "result:");
    rest = rest.substr(std::min(std::string_view("result:").size() + type.size(), rest.size()));
    std::string name = labelled(rest, " ");
    if (name.ends_with(",")) // "y, ALLOCATABLE"
      name.pop_back();
    procedure.result = look_up(name);
    rest = rest.substr(std::min(procedure.result.name.size() + 1, rest.size()));
  }
  const size_t open = rest.find(" (");
  if (open == std::string::npos || rest.back() != ')')
    return procedure;
  const std::string inside = rest.substr(open + 2, rest.size() - open - 3);
  if (!inside.empty())
    for (const std::string& dummy : split_outside(inside, ','))
      procedure.dummies.push_back(look_up(dummy.substr(dummy.rfind(' ') + 1)));
  return procedure;
}

std::optional<FortranProcedure> FortranNames::procedure(const std::string& module, const std::string& name) const {
  const FortranScope* holder = module.empty() ? &global_ : global_.scope("Module", module);
  const FortranSymbol* symbol = holder ? holder->symbol(name) : nullptr;
  return symbol ? read(*symbol, *holder) : std::nullopt;
}

const FortranScope* FortranNames::host_of(const FortranScope& scope) const {
  for (const FortranScope& outer : global_.scopes) {
    if (&outer == &scope)
      return &global_;
    for (const FortranScope& inner : outer.scopes)
      if (&inner == &scope)
        return &outer;
  }
  return nullptr;
}

// Here, in the hosts around it, or in the modules that are used.
FortranNames::Place FortranNames::find(const std::string& name, const FortranScope& where, int steps) const {
  constexpr int most_steps = 16; // a module that uses itself cannot be; a damaged dump may say so
  const FortranSymbol* symbol = where.symbol(name);
  if (steps > most_steps)
    return {};
  if (!symbol || symbol->kind == "HostAssoc") {
    const FortranScope* host = host_of(where);
    return host ? find(name, *host, steps + 1) : Place{};
  }
  if (const auto used = used_from(*symbol)) {
    const FortranScope* module = global_.scope("Module", used->module);
    return module ? find(used->name, *module, steps + 1) : Place{};
  }
  return {&where, symbol};
}

std::optional<FortranProcedure> FortranNames::interface_of(const FortranEntity& dummy,
                                                           const FortranProcedure& procedure) const {
  if (dummy.interface.empty())
    return std::nullopt;
  const Place place = find(dummy.interface, *procedure.scope);
  return place.symbol ? read(*place.symbol, *place.scope) : std::nullopt;
}

std::optional<FortranNames::Components> FortranNames::components(const std::string& type,
                                                                 const FortranScope& where) const {
  const Place place = find(type, where);
  const FortranScope* fields = place.scope ? place.scope->scope("DerivedType", place.symbol->name) : nullptr;
  if (!fields || place.symbol->kind != "DerivedType")
    return std::nullopt;
  Components found{.all = {}, .where = place.scope};
  for (const std::string& name : split_outside(labelled(place.symbol->details, "components: "), ','))
    if (const FortranSymbol* field = fields->symbol(name))
      found.all.push_back(fortran_entity(*field));
  return found;
}

std::string FortranNames::use_of(const std::string& name, const FortranScope& where) {
  const FortranSymbol* symbol = where.symbol(name);
  const auto used = symbol ? used_from(*symbol) : std::nullopt;
  if (!used)
    return {};
  return used->name == name ? fmt::format("{}, only: {}", used->module, name)
                            : fmt::format("{}, only: {} => {}", used->module, name, used->name);
}

} // namespace faultline::frontend
