#include "frontend/model.h"

#include <algorithm>

namespace faultline::frontend {
namespace {

// By the order of the enumerators.
constexpr std::array<std::string_view, all_measures.size()> measure_names = {"absolute", "ulps", "relative"};
constexpr std::array<std::string_view, 3> standing_names = {"covered", "infeasible", "open"};

template <class Id, size_t n>
std::optional<Id> id_of(const std::array<std::string_view, n>& names, std::string_view name) {
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? std::nullopt : std::optional(Id(found - names.begin()));
}

} // namespace

std::string_view text(ErrorMeasure measure) { return measure_names[size_t(measure)]; }
std::optional<ErrorMeasure> error_measure_of(std::string_view text) { return id_of<ErrorMeasure>(measure_names, text); }

std::string_view text(Standing standing) { return standing_names[size_t(standing)]; }
std::optional<Standing> standing_of(std::string_view text) { return id_of<Standing>(standing_names, text); }

} // namespace faultline::frontend
