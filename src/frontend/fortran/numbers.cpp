#include "frontend/fortran/numbers.h"

#include "frontend/fortran/declared.h"

#include <fmt/format.h>

namespace faultline::frontend {
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
                       .declared_extents = declared_lengths};
  if (parts() == 1)
    named.leaves = places;
  for (size_t i = 0; parts() == 2 && i < places.size(); ++i)
    named.leaves.insert(named.leaves.end(), {places[i] + ".real", places[i] + ".imag"});
  if (type.kind == FortranKind::logical && read)
    named.choices = {"false", "true"};
  return named;
}

} // namespace faultline::frontend
