#include "program/fortran/declared.h"

#include "program/compiling/fortran_statements.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <stdexcept>

namespace faultline::program {

constexpr uint64_t length_of_results = 4; // if the length is unknown: a guess, as for C++ vectors

FortranExtents::FortranExtents(const FortranProcedure& procedure, const model::Sizes& given) : given_(given) {
  for (const FortranEntity& dummy : procedure.dummies) {
    if (!dummy.is_array())
      continue;
    const auto sizes = of(dummy.name, dummy.shape.size());
    for (size_t i = 0; sizes && i < sizes->size(); ++i) {
      longest_ = std::max(longest_, (*sizes)[i]);
      if (sizes->size() == dummy.shape.size() && !dummy.shape[i].upper.empty() && dummy.shape[i].upper != "*")
        known_.emplace(dummy.shape[i].text(), (*sizes)[i]);
    }
  }
}

std::optional<std::vector<uint64_t>> FortranExtents::of(const std::string& name, size_t rank) const {
  if (const auto found = given_.find(name); found != given_.end())
    return found->second;
  const auto of_all = given_.find("*");
  if (of_all == given_.end())
    return std::nullopt;
  return of_all->second.size() == 1 ? std::vector<uint64_t>(rank, of_all->second.front()) : of_all->second;
}

std::optional<std::vector<uint64_t>> FortranExtents::of(const FortranEntity& array) const {
  std::vector<uint64_t> extents;
  if (given_.contains(array.name))
    extents = given_.at(array.name);
  const bool descriptor = array.is_deferred() || array.is_assumed_shape();
  if (!extents.empty() && descriptor && extents.size() != array.shape.size())
    throw std::invalid_argument(fmt::format("'{}' has {} dimension{}, the size {} has {}", array.name,
                                            array.shape.size(), array.shape.size() == 1 ? "" : "s",
                                            fmt::join(extents, "x"), extents.size()));
  if (!extents.empty())
    return extents;
  for (const FortranBounds& bounds : array.shape)
    if (const auto extent = bounds.extent())
      extents.push_back(uint64_t(*extent));
    else if (const auto known = known_.find(bounds.text()); known != known_.end())
      extents.push_back(known->second);
  return extents.size() == array.shape.size() ? extents : of(array.name, array.shape.size());
}

std::vector<uint64_t> FortranExtents::of_made(const FortranEntity& array, const std::string& name) const {
  FortranEntity called = array;
  called.name = name;
  if (const auto extents = of(called))
    return *extents;
  return std::vector<uint64_t>(array.shape.size(), longest_ > 0 ? longest_ : length_of_results);
}

std::string needs_size(const std::string& name, size_t rank) {
  return fmt::format("'{0}' is an array whose length is free, and needs a size: --size {0}=N{1}", name,
                     rank == 1   ? ""
                     : rank == 2 ? "xM"
                                 : "xMxK");
}

std::vector<int64_t> first_subscripts(const FortranEntity& array, size_t rank) {
  std::vector<int64_t> first(rank, 1);
  for (size_t i = 0; i < rank && rank == array.shape.size(); ++i)
    first[i] = array.shape[i].first().value_or(1);
  return first;
}

std::string FortranNumbers::declaration() const {
  std::string number = type.text;
  if (as_float)
    number = "real(8)";
  else if (type.kind == FortranKind::complex)
    number = fmt::format("real({})", type.bytes);
  else if (type.kind == FortranKind::logical)
    number = "integer(4)";
  std::vector<std::string> dimensions = texts_of(extents);
  if (places.size() * parts() > 1)
    dimensions.insert(dimensions.begin(), std::to_string(places.size() * parts()));
  return fmt::format("{}, intent({}) :: {}", number, written ? "inout" : "in", at(parameter, dimensions));
}

std::string FortranNumbers::number(size_t part, const std::vector<std::string>& subscripts) const {
  std::vector<std::string> all = subscripts;
  if (places.size() * parts() > 1)
    all.insert(all.begin(), std::to_string(part + 1));
  return at(parameter, all);
}

std::string FortranNumbers::filled(const std::string& indent) const {
  std::string text;
  for (size_t i = 0; i < places.size(); ++i)
    text += in_loops(texts_of(extents), indent, [&](const std::vector<std::string>& subscripts) {
      const std::string place = at(variable, subscripts) + places[i], one = number(i * parts(), subscripts);
      if (type.kind == FortranKind::complex)
        return fmt::format("{} = cmplx({}, {}, {})", place, one, number(i * 2 + 1, subscripts), type.bytes);
      return fmt::format("{} = {}{}", place, one, type.kind == FortranKind::logical ? " /= 0" : "");
    });
  return text;
}

std::string FortranNumbers::taken(const std::string& indent) const {
  std::vector<std::string> limits = texts_of(extents);
  for (size_t i = 0; may_differ && i < limits.size(); ++i)
    limits[i] = fmt::format("min({}, size({},{}))", limits[i], variable, i + 1);
  std::string text;
  for (size_t i = 0; i < places.size(); ++i)
    text += in_loops(limits, indent, [&](const std::vector<std::string>& subscripts) {
      const std::string place = at(variable, subscripts) + places[i], one = number(i * parts(), subscripts);
      if (type.kind == FortranKind::complex)
        return fmt::format("{} = real({})\n{}{} = aimag({})", one, place,
                           indent + std::string(2 * subscripts.size(), ' '), number(i * 2 + 1, subscripts), place);
      return type.kind == FortranKind::logical ? fmt::format("{} = merge(1, 0, {})", one, place)
                                               : fmt::format("{} = {}", one, place);
    });
  return text;
}

NamedParameter FortranNumbers::named() const {
  NamedParameter named{.name = parameter,
                       .before = before + (extents.empty() ? "" : "("),
                       .between = ",",
                       .after = extents.empty() ? "" : ")",
                       .extents = extents,
                       .leaves = {},
                       .read = read,
                       .written = written,
                       .of = of,
                       .first = first,
                       .declared = declared_lengths};
  if (parts() == 1)
    named.leaves = places;
  for (size_t i = 0; parts() == 2 && i < places.size(); ++i)
    named.leaves.insert(named.leaves.end(), {places[i] + ".real", places[i] + ".imag"});
  if (type.kind == FortranKind::logical && read)
    named.choices = {"false", "true"};
  return named;
}

namespace {

constexpr size_t most_places = 64; // per component: each is a line of the harness
constexpr int deepest_type = 8;    // nested types: a type cannot contain itself, but its pointers can

class Flattening {
public:
  Flattening(const FortranNames& names, std::vector<FortranComponent>& all) : names_(names), all_(all) {}

  void add(const std::string& type, const FortranScope& where, const FortranComponent& around, int depth) {
    const auto components = depth > deepest_type ? std::nullopt : names_.components(type, where);
    if (!components)
      throw std::invalid_argument(fmt::format("the definition of type({}) is incomplete", type));
    for (const FortranEntity& component : components->all)
      if (!component.is_procedure)
        add_component(component, *components->where, around, depth);
  }

private:
  void add_component(const FortranEntity& component, const FortranScope& where, const FortranComponent& around,
                     int depth) {
    const bool parent = component.has("PARENT"); // p%x, as users write for p%point%x
    FortranComponent inner{.name = around.name, .shown = around.shown, .type = component.type, .places = {}};
    if (!parent) {
      inner.name += (around.name.empty() ? "" : "_") + component.name;
      inner.shown += "%" + component.name;
    }
    const std::string own = parent ? "" : "%" + component.name;
    for (const std::string& place : around.places)
      if (component.is_deferred())
        inner.places.push_back(place + own);
      else
        add_elements(place + own, component, inner);
    if (component.is_deferred()) {
      if (around.places.size() > 1 || !component.is_array() || !component.type.is_number())
        throw std::invalid_argument(fmt::format("its component {} is {}", inner.shown.substr(1),
                                                component.has("POINTER") ? "a pointer" : "allocatable"));
      inner.rank = component.shape.size();
    }
    if (component.type.kind == FortranKind::derived)
      return add(component.type.name, where, inner, depth + 1);
    if (component.type.kind == FortranKind::none)
      throw std::invalid_argument(fmt::format("its component {} is not a number", inner.shown.substr(1)));
    all_.push_back(std::move(inner));
  }

  // Adds all elements; the first subscript varies fastest.
  static void add_elements(const std::string& place, const FortranEntity& array, FortranComponent& inner) {
    std::vector<std::string> subscripts(1);
    for (const FortranBounds& bounds : array.shape) {
      const auto first = bounds.first(), extent = bounds.extent();
      if (!first || !extent || size_t(*extent) * subscripts.size() > most_places)
        throw std::invalid_argument(fmt::format("its component {} has too many elements", inner.shown.substr(1)));
      std::vector<std::string> more;
      for (int64_t i = 0; i < *extent; ++i)
        for (const std::string& before : subscripts)
          more.push_back(before + (before.empty() ? "" : ",") + std::to_string(*first + i));
      subscripts = std::move(more);
    }
    for (const std::string& one : subscripts)
      inner.places.push_back(one.empty() ? place : fmt::format("{}({})", place, one));
    if (inner.places.size() > most_places)
      throw std::invalid_argument(fmt::format("its component {} has too many elements", inner.shown.substr(1)));
  }

  const FortranNames& names_;
  std::vector<FortranComponent>& all_;
};

std::string shape_text(const FortranEntity& entity, bool any_shape) {
  if (!entity.is_array())
    return {};
  if (any_shape && !entity.is_deferred() && !entity.is_assumed_shape() && !entity.is_assumed_rank())
    return "(*)";
  std::vector<std::string> bounds;
  for (const FortranBounds& one : entity.shape)
    bounds.push_back(one.lower == ".." ? ".." : one.text());
  return fmt::format("({})", fmt::join(bounds, ","));
}

std::string attributes_text(const FortranEntity& entity) {
  std::string text;
  for (const char* kept : {"INTENT(IN)", "INTENT(OUT)", "INTENT(INOUT)", "OPTIONAL", "VALUE", "ALLOCATABLE", "POINTER",
                           "TARGET", "CONTIGUOUS"})
    if (entity.has(kept))
      text += ", " + lower_case(kept);
  return text;
}

} // namespace

std::vector<FortranComponent> components_of(const FortranType& type, const FortranNames& names,
                                            const FortranScope& where) {
  std::vector<FortranComponent> all;
  Flattening(names, all).add(type.name, where, {.name = {}, .shown = {}, .type = {}, .places = {""}}, 0);
  return all;
}

std::string listed(const std::vector<std::string>& items) { return fmt::format("{}", fmt::join(items, ", ")); }

std::string declared_dummy(const FortranEntity& dummy, bool any_shape) {
  const std::string attributes = attributes_text(dummy);
  if (!dummy.is_procedure)
    return fmt::format("{}{} :: {}{}", dummy.type.text, attributes, dummy.name, shape_text(dummy, any_shape));
  if (dummy.is_function)
    return fmt::format("{}, external{} :: {}", dummy.type.text, attributes, dummy.name);
  return fmt::format("external :: {}", dummy.name);
}

std::string declared_dummies(const std::vector<FortranEntity>& dummies, bool any_shape, const std::string& indent) {
  std::string text;
  for (const bool arrays : {false, true})
    for (const FortranEntity& dummy : dummies)
      if (dummy.is_array() == arrays)
        text += indent + declared_dummy(dummy, any_shape) + "\n";
  return text;
}

std::string fortran_text(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text)
    quoted += c == '\'' ? "''" : std::string(1, c);
  return quoted + "'";
}

std::vector<std::string> texts_of(const std::vector<uint64_t>& extents) {
  std::vector<std::string> texts;
  for (const uint64_t extent : extents)
    texts.push_back(std::to_string(extent));
  return texts;
}

std::string at(const std::string& name, const std::vector<std::string>& subscripts) {
  return subscripts.empty() ? name : fmt::format("{}({})", name, fmt::join(subscripts, ","));
}

std::string in_loops(const std::vector<std::string>& extents, const std::string& indent,
                     const std::function<std::string(const std::vector<std::string>&)>& line) {
  std::string text, inner = indent;
  std::vector<std::string> subscripts;
  for (size_t i = 1; i <= extents.size(); ++i)
    subscripts.push_back(fmt::format("i{}", i));
  for (size_t i = extents.size(); i-- > 0; inner += "  ")
    text += fmt::format("{}do {} = 1, {}\n", inner, subscripts[i], extents[i]);
  text += inner + line(subscripts) + "\n";
  for (size_t i = 0; i < extents.size(); ++i) {
    inner.resize(inner.size() - 2);
    text += inner + "end do\n";
  }
  return text;
}

} // namespace faultline::program
