#include "judge/extents/probed_integers.h"

#include "judge/arrays/lengths.h"

#include <algorithm>
#include <set>

namespace faultline::judge {

using finding::Settings;
using frontend::Cell;
using frontend::Parameter;
using frontend::SizedBy;
using frontend::Target;

namespace {

// A formula of more than three integers is not looked for, and with more of these the choices become many. A guess.
constexpr size_t most_varied = 7;
constexpr size_t most_choices = 8; // of flags. A guess

// As if the arrays that nobody has sized, or only those that have a size, were all that there are.
Target with_arrays(Target target, bool sized) {
  for (Parameter& parameter : target.parameters)
    parameter.is_array = sized ? parameter.is_array && parameter.sized_by != SizedBy::nobody
                               : parameter.is_array || parameter.sized_by == SizedBy::nobody;
  return target;
}

bool is_parameter(const Cell& cell, const Target& target) {
  return std::ranges::find(target.parameters, cell.name, &Parameter::name) != target.parameters.end();
}

std::vector<int64_t> flag_values(const Cell& cell, const Target& target) {
  if (length_of(cell, target))
    return {};
  if (cell.values.empty() && (cell.type.bits == 1 || (cell.type.bits == 8 && !cell.type.is_signed)))
    return {0, 1};
  return cell.values;
}

VariedInteger varied(size_t input, const Cell& cell, const Target& arrays, const Settings& settings) {
  VariedInteger integer{input};
  const std::optional<Length> length = length_of(cell, arrays);
  if (length && length->array.empty()) // a stride
    integer.usual = 1;
  if (const auto range = settings.ranges.find(cell.name); range != settings.ranges.end()) {
    integer.low = int64_t(range->second.low);
    integer.high = integer.usual = int64_t(range->second.high);
    integer.is_free = false;
  }
  return integer;
}

} // namespace

ProbedIntegers probed_integers(const Target& target, const Settings& settings) {
  ProbedIntegers integers;
  const Target unsized_too = with_arrays(target, false), sized = with_arrays(target, true);
  for (size_t i = 0; i < target.inputs.size(); ++i) {
    const Cell& cell = target.inputs[i];
    if (cell.type.floating || !is_parameter(cell, target))
      continue;
    const auto held = settings.held.find(cell.name);
    const std::optional<Length> length = length_of(cell, sized);
    if (held != settings.held.end())
      integers.fixed.push_back({i, int64_t(held->second)});
    else if (length && !length->array.empty() && !settings.ranges.contains(cell.name))
      integers.fixed.push_back({i, int64_t(length->value)});
    else if (std::vector<int64_t> values = flag_values(cell, unsized_too);
             !values.empty() && !settings.ranges.contains(cell.name))
      integers.flags.push_back({i, std::move(values)});
    else if (integers.varied.size() < most_varied)
      integers.varied.push_back(varied(i, cell, unsized_too, settings));
    else
      integers.fixed.push_back({i, VariedInteger().usual});
  }
  return integers;
}

std::vector<int64_t> ProbedIntegers::usual() const {
  std::vector<int64_t> row;
  for (const VariedInteger& integer : varied)
    row.push_back(integer.usual);
  return row;
}

std::vector<std::vector<int64_t>> ProbedIntegers::rows(numeric::Rng rng) const {
  constexpr int random_rows = 12, most_random = 7; // most: a matrix of 7 x 7 is soon walked through
  std::vector<std::vector<int64_t>> all;
  std::set<std::vector<int64_t>> known;
  const auto add = [&](auto value_of) {
    std::vector<int64_t> row;
    for (size_t i = 0; i < varied.size(); ++i)
      row.push_back(std::min(varied[i].low + value_of(i) - 1, varied[i].high));
    if (known.insert(row).second)
      all.push_back(std::move(row));
  };
  for (const int64_t value : {1, 2, 3, 4, 5, 6, 8})
    add([&](size_t) { return value; });
  for (size_t one = 0; one < varied.size(); ++one) {
    for (const int64_t value : {1, 2, 3, 7, 9})
      add([&](size_t i) { return i == one ? value : int64_t(5); });
    add([&](size_t i) { return int64_t(i == one ? 6 : 3); });
  }
  for (int i = 0; i < random_rows; ++i)
    add([&](size_t) { return 1 + int64_t(rng.below(most_random)); });
  return all;
}

std::vector<std::vector<int64_t>> ProbedIntegers::choices(numeric::Rng rng) const {
  size_t combinations = 1;
  for (const ProbedFlag& flag : flags)
    combinations = std::min(combinations * flag.values.size(), most_choices + 1);
  std::vector<std::vector<int64_t>> all;
  for (size_t number = 0; number < std::min(combinations, most_choices); ++number) {
    std::vector<int64_t> choice;
    size_t rest = number;
    for (const ProbedFlag& flag : flags) {
      const size_t place = combinations <= most_choices ? rest % flag.values.size() : rng.below(flag.values.size());
      choice.push_back(flag.values[place]);
      rest /= flag.values.size();
    }
    all.push_back(std::move(choice));
  }
  return all;
}

} // namespace faultline::judge
