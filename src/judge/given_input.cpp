#include "judge/given_input.h"

#include "base/error.h"
#include "judge/space_of_target.h"
#include "numeric/decimal.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::judge {

using namespace model;
using namespace program;
using numeric::Value;

Number number_of(Value value, const Type& type) {
  if (!type.floating) {
    std::string text = type.is_signed ? fmt::format("{}", int64_t(value)) : fmt::format("{}", uint64_t(value));
    return {text, text};
  }
  return {numeric::shortest_decimal(value, type.format), numeric::hex_float(value)};
}

Number number_of(const numeric::BigFloat& value, const Type& type) {
  numeric::BigFloat nearest = value;
  nearest.round_to(type.format);
  return {value.to_string(numeric::info(type.format).reference_digits), numeric::hex_float(nearest.to_long_double())};
}

std::vector<NamedNumber> named_input(const Target& target, const exec::Input& input) {
  std::vector<NamedNumber> named;
  for (size_t i = 0; i < input.size() && i < target.inputs.size(); ++i)
    named.push_back({target.inputs[i].name, number_of(input[i], target.inputs[i].type)});
  return named;
}

namespace {

constexpr size_t most_named = 8;

std::vector<std::string> split_commas(const std::string& text) {
  std::vector<std::string> parts(1);
  for (char c : text) {
    if (c == ',')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

bool is_cell(const Target& target, const std::string& name) {
  return std::ranges::find(target.inputs, name, &Cell::name) != target.inputs.end();
}

// a[0], a[1]; in a Fortran harness a(1), a(2), or a(1).real.
std::vector<std::string> elements_of(const Target& target, const std::string& array) {
  std::vector<std::string> elements;
  for (const Cell& cell : target.inputs)
    if ((cell.name != array && cell.name.ends_with(']') && array_of(cell.name) == array) ||
        cell.name.starts_with(array + "("))
      elements.push_back(cell.name);
  return elements;
}

// The names that a user writes: an array is one name.
std::vector<std::string> input_names(const Target& target) {
  std::vector<std::string> names;
  for (const Cell& cell : target.inputs) {
    const std::string name = cell.name.ends_with(']') ? array_of(cell.name) : cell.name;
    if (std::ranges::find(names, name) == names.end())
      names.push_back(name);
  }
  return names;
}

[[noreturn]] void refuse_count(const std::string& array, size_t elements, size_t given) {
  throw base::UserError(base::status_usage,
                        fmt::format("'{}' has {} element{}, {} {} given", array, elements, elements == 1 ? "" : "s",
                                    given, given == 1 ? "is" : "are"),
                        fmt::format("--at {0}=1,2,3 with --size {0}=3, or --at {0}[0]=1 for each", array));
}

[[noreturn]] void refuse_name(const Target& target, const std::string& name) {
  const std::string array = array_of(name);
  if (name != array && is_cell(target, array))
    throw base::UserError(base::status_usage, fmt::format("'{}' is one number, and several are given", array),
                          fmt::format("--at {}=1e-7", array));
  if (const size_t elements = elements_of(target, array).size(); name != array && elements > 0)
    throw base::UserError(base::status_usage,
                          fmt::format("'{}' has {} elements: there is no '{}'", array, elements, name),
                          fmt::format("the last is {}[{}]; --size {}=N makes it larger", array, elements - 1, array));
  std::vector<std::string> names = input_names(target);
  const std::vector<std::string> close = base::nearest(array, names);
  const bool output = std::ranges::any_of(target.outputs, [&](const Cell& cell) {
    return cell.name == name || cell.name.starts_with(name + ".") || cell.name.starts_with(name + "[");
  });
  const std::string what = output ? fmt::format("'{}' is an output of {}, not an input", name, target.function)
                                  : fmt::format("{} has no input '{}'", target.function, array);
  if (!close.empty())
    throw base::UserError(base::status_usage, what, fmt::format("{}", fmt::join(close, ", ")));
  const bool more = names.size() > most_named;
  names.resize(std::min(names.size(), most_named));
  throw base::UserError(base::status_usage, what,
                        fmt::format("the inputs are {}{}", fmt::join(names, ", "), more ? ", ..." : ""));
}

[[noreturn]] void refuse_missing(const Target& target, const std::map<std::string, std::string>& cells,
                                 const std::vector<std::string>& missing) {
  const std::string first = missing.front(), array = array_of(first);
  const auto given = size_t(std::ranges::count_if(
      cells, [&](const auto& cell) { return cell.first != array && array_of(cell.first) == array; }));
  if (array != first && given > 0)
    refuse_count(array, elements_of(target, array).size(), given);
  std::vector<std::string> names;
  for (const std::string& cell : missing)
    if (const std::string name = cell.ends_with(']') ? array_of(cell) : cell;
        std::ranges::find(names, name) == names.end())
      names.push_back(name);
  const std::string value = array != first ? "1,2,3" : "VALUE";
  throw base::UserError(base::status_usage,
                        names.size() == 1 ? fmt::format("input '{}' has no value", names.front())
                                          : fmt::format("inputs have no value: {}", fmt::join(names, ", ")),
                        fmt::format("give one with --at {}={}", names.front(), value));
}

// The fourth value of a list given for z, whose cells have other names, is z[3]. Empty if there is no such cell.
std::string cell_at(const Target& target, const std::string& name) {
  const std::optional<ArrayCell> cell = model::array_cell(name);
  if (!cell)
    return {};
  const std::vector<std::string> elements = elements_of(target, cell->array);
  return cell->index < elements.size() ? elements[cell->index] : "";
}

// The text of each cell's number, by cell.
std::map<std::string, std::string> cells_of(const Target& target, const std::map<std::string, std::string>& at) {
  std::map<std::string, std::string> cells;
  for (const auto& [name, text] : at) {
    if (is_cell(target, name)) {
      cells[name] = text;
      continue;
    }
    if (const std::string cell = cell_at(target, name); !cell.empty()) {
      cells[cell] = text;
      continue;
    }
    const std::vector<std::string> elements = elements_of(target, name), values = split_commas(text);
    if (elements.empty())
      refuse_name(target, name);
    if (values.size() != elements.size())
      refuse_count(name, elements.size(), values.size());
    for (size_t i = 0; i < elements.size(); ++i)
      cells[elements[i]] = values[i];
  }
  return cells;
}

[[noreturn]] void refuse_number(const Cell& cell, const std::string& text, const std::string& why,
                                const std::string& hint) {
  throw base::UserError(base::status_usage, fmt::format("{} = {}: {}", cell.name, text, why), hint);
}

Value whole_number(const std::string& text, const Cell& cell) {
  const std::string type = cell.type.name();
  const auto number = numeric::parse_long_double(text);
  if (!number || !std::isfinite(*number) || *number != std::floor(*number))
    refuse_number(cell, text, fmt::format("not a whole number, and {} is an integer ({})", cell.name, type),
                  fmt::format("--at {}=4", cell.name));
  const auto [low, high] = range_of_type(cell.type);
  if (*number < low || *number > high)
    refuse_number(cell, text, fmt::format("beyond {}", type), fmt::format("{:.0f} to {:.0f}", low, high));
  return *number;
}

Value float_number(const std::string& text, const Cell& cell) {
  if (const auto number = numeric::parse_number(text, cell.type.format))
    return *number;
  const auto wider = numeric::parse_long_double(text);
  if (!wider)
    refuse_number(cell, text, fmt::format("not a {} number", cell.type.name()),
                  "write it in decimal (1e-7), in hex (0x1p-24), or as inf or nan");
  if (std::fabs(*wider) > 1)
    refuse_number(
        cell, text, fmt::format("beyond {}", cell.type.name()),
        fmt::format("the largest is {}; or inf", number_of(numeric::largest(cell.type.format), cell.type).decimal));
  refuse_number(
      cell, text, fmt::format("closer to 0 than any number of {}", cell.type.name()),
      fmt::format("0, or {} at least", number_of(numeric::smallest_normal(cell.type.format) *
                                                     std::ldexp(1.0L, 1 - numeric::info(cell.type.format).precision),
                                                 cell.type)
                                           .decimal));
}

// For text that is neither the number nor a shorter way to write it.
std::string rounding_note(const std::string& text, Value value, const Cell& cell) {
  const auto written = numeric::parse_long_double(text);
  const std::string shortest = number_of(value, cell.type).decimal;
  const auto usual = numeric::parse_long_double(shortest);
  if (!cell.type.floating || !written || !std::isfinite(value) || *written == value || (usual && *usual == *written))
    return {};
  return fmt::format("{} = {} is not a number of {}: the nearest, {}, is used", cell.name, text, cell.type.name(),
                     shortest);
}

std::string range_note(const search::Dimension& dimension, Value value, const Cell& cell) {
  if (std::isnan(value) || dimension.nearest(value) == value)
    return {};
  const std::string shown = number_of(value, cell.type).decimal;
  if (dimension.held())
    return fmt::format("{} = {}: a hunt holds it at {}", cell.name, shown, range_end(dimension.low, dimension));
  if (value < dimension.low || value > dimension.high)
    return fmt::format("{} = {} is outside of {}:{}, where a hunt looks (--range)", cell.name, shown,
                       range_end(dimension.low, dimension), range_end(dimension.high, dimension));
  return fmt::format("{} = {} is not a number of {}, which a hunt keeps to (--format)", cell.name, shown,
                     numeric::info(dimension.format).name);
}

} // namespace

GivenInput input_at(const Target& target, const Settings& settings, const std::map<std::string, std::string>& at) {
  const std::map<std::string, std::string> cells = cells_of(target, at);
  const search::Space space = space_of(target, settings);
  GivenInput given;
  std::vector<std::string> missing;
  for (size_t i = 0; i < target.inputs.size(); ++i) {
    const Cell& cell = target.inputs[i];
    const search::Dimension& dimension = space.dimensions[i];
    const auto written = cells.find(cell.name);
    if (written == cells.end()) {
      if (!dimension.held())
        missing.push_back(cell.name);
      given.input.push_back(dimension.low);
      continue;
    }
    const std::string& text = written->second;
    given.input.push_back(cell.type.floating ? float_number(text, cell) : whole_number(text, cell));
    for (const std::string& note :
         {rounding_note(text, given.input.back(), cell), range_note(dimension, given.input.back(), cell)})
      if (!note.empty() && given.notes.size() < most_named)
        given.notes.push_back(note);
  }
  if (!missing.empty())
    refuse_missing(target, cells, missing);
  return given;
}

} // namespace faultline::judge
