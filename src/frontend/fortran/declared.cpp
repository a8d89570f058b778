#include "frontend/fortran/declared.h"

#include "frontend/compiling/fortran_statements.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::frontend {
namespace {

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

} // namespace faultline::frontend
