#include "frontend/fortran/components.h"

#include <fmt/format.h>
#include <stdexcept>

namespace faultline::frontend {
namespace {

constexpr size_t most_places = 64; // of one component: each is a line of the harness
constexpr int deepest = 8;         // types in types: a type cannot hold itself, but its pointers can

class Flattening {
public:
  Flattening(const FortranNames& names, std::vector<FortranComponent>& all) : names_(names), all_(all) {}

  void add(const std::string& type, const FortranScope& where, const FortranComponent& around, int depth) {
    const auto components = depth > deepest ? std::nullopt : names_.components(type, where);
    if (!components)
      throw std::invalid_argument(fmt::format("type({}) is not known in full", type));
    for (const FortranEntity& component : components->all)
      if (!component.is_procedure)
        add_component(component, *components->where, around, depth);
  }

private:
  void add_component(const FortranEntity& component, const FortranScope& where, const FortranComponent& around,
                     int depth) {
    const bool parent = component.has("PARENT"); // p%x, as people write it for p%point%x
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
      throw std::invalid_argument(fmt::format("its component {} is no number", inner.shown.substr(1)));
    all_.push_back(std::move(inner));
  }

  // All elements, the first subscript runs fastest.
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

} // namespace

std::vector<FortranComponent> components_of(const FortranType& type, const FortranNames& names,
                                            const FortranScope& where) {
  std::vector<FortranComponent> all;
  Flattening(names, all).add(type.name, where, {.name = {}, .shown = {}, .type = {}, .places = {""}}, 0);
  return all;
}

} // namespace faultline::frontend
