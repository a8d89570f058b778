#include "model/target.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace faultline::model {

namespace {

// In the order of the enumerators.
constexpr std::array<std::string_view, all_measures.size()> measure_names = {"absolute", "ulps", "relative"};
constexpr std::array<std::string_view, 3> branch_state_names = {"covered", "infeasible", "open"};

template <class Id, size_t n>
std::optional<Id> id_of(const std::array<std::string_view, n>& names, std::string_view name) {
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? std::nullopt : std::optional(Id(found - names.begin()));
}

} // namespace

std::string_view text(ErrorMeasure measure) { return measure_names[size_t(measure)]; }
std::optional<ErrorMeasure> error_measure_of(std::string_view text) { return id_of<ErrorMeasure>(measure_names, text); }

std::string_view text(BranchState state) { return branch_state_names[size_t(state)]; }
std::optional<BranchState> branch_state_of(std::string_view text) {
  return id_of<BranchState>(branch_state_names, text);
}

std::string cell_name(const std::string& array, size_t index) { return fmt::format("{}[{}]", array, index); }

std::optional<ArrayCell> array_cell(const std::string& name) {
  const size_t open = name.rfind('[');
  if (open == std::string::npos || open == 0 || !name.ends_with(']'))
    return {};
  size_t index = 0;
  const auto [stop, error] = std::from_chars(name.data() + open + 1, name.data() + name.size() - 1, index);
  std::string array = name.substr(0, open);
  if (error != std::errc() || name != cell_name(array, index)) // rejects leading zeros
    return {};
  return ArrayCell{std::move(array), index};
}

std::string array_of(const std::string& name) { return name.substr(0, name.rfind('[')); }

uint64_t Type::bytes() const {
  if (!floating)
    return uint64_t(bits + 7) / 8;
  return uint64_t(numeric::info(format).stride);
}

std::string Type::name() const {
  if (floating)
    return std::string(numeric::info(format).name);
  return fmt::format("{}int{}", is_signed ? "" : "u", bits);
}

bool is_part_of(const std::string& cell, const std::string& parameter) {
  return cell.starts_with(parameter) &&
         (cell.size() == parameter.size() ||
          std::string_view("[.(%").find(cell[parameter.size()]) != std::string_view::npos);
}

std::string parameter_of(const std::string& cell) { return cell.substr(0, cell.find_first_of("[.(%")); }

std::string before_parameters(const std::string& name) { return name.substr(0, name.find('(')); }

} // namespace faultline::model
