#include "frontend/fortran/component_numbers.h"

#include "frontend/fortran/components.h"
#include "frontend/fortran/declared.h"
#include "frontend/fortran/harness_text.h"

#include <fmt/format.h>
#include <stdexcept>

namespace faultline::frontend {
namespace {

const std::string& indent = FortranHarnessText::indent;

void allocate(const FortranComponent& component, const FortranNumbers& whole, const FortranExtents& extents,
              FortranNumbers& numbers, std::string& before) {
  if (!whole.extents.empty())
    throw std::invalid_argument(fmt::format("its component {} is allocatable", component.shown.substr(1)));
  const auto given = extents.of(numbers.of, component.rank);
  if (!given || given->size() != component.rank)
    throw FreeLength{needs_size(numbers.of, component.rank)};
  numbers.variable = whole.variable + component.places.front();
  numbers.before = numbers.of;
  numbers.places = {""};
  numbers.extents = *given;
  numbers.first.assign(given->size(), 1);
  numbers.may_differ = true;
  before += fmt::format("{}allocate({})\n", indent, at(numbers.variable, texts_of(*given)));
}

} // namespace

void check_format(const FortranType& type) {
  if (type.is_float() && type.bytes != 4 && type.bytes != 8 && type.bytes != 10)
    throw std::invalid_argument(
        fmt::format("{} is not supported: real(4), real(8) and real(10) are, and complex numbers of them", type.text));
}

ComponentNumbers component_numbers(const FortranType& type, const FortranNumbers& whole, const FortranNames& names,
                                   const FortranScope& where, const FortranExtents& extents) {
  ComponentNumbers made;
  for (const FortranComponent& component : components_of(type, names, where)) {
    for (const std::string& place : component.places)
      if (component.type.kind == FortranKind::character)
        made.before += in_loops(texts_of(whole.extents), indent, [&](const std::vector<std::string>& subscripts) {
          return fmt::format("{}{} = ' '", at(whole.variable, subscripts), place);
        });
    if (component.type.kind == FortranKind::character)
      continue;
    check_format(component.type);
    FortranNumbers numbers = whole;
    numbers.parameter = fmt::format("{}_{}", whole.parameter, component.name);
    numbers.type = component.type;
    numbers.places = component.places;
    numbers.as_float = false;
    if (whole.extents.empty())
      numbers.of = whole.of + component.shown; // otherwise --size is of the whole
    if (component.rank > 0)
      allocate(component, whole, extents, numbers, made.before);
    made.all.push_back(std::move(numbers));
  }
  return made;
}

} // namespace faultline::frontend
