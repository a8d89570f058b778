#include "judge/space_of_target.h"

#include "base/error.h"
#include "judge/array_errors.h"
#include "judge/endings.h"
#include "judge/given_input.h"
#include "model/target.h"
#include "numeric/bigfloat.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <map>
#include <set>

namespace faultline::judge {

using model::Range;
using model::Settings;
using namespace model;
using namespace program;
using numeric::Format;

bool has_threshold(const Settings& settings) { return settings.threshold || settings.ulps || settings.absolute; }

namespace {

double size_of_any(const auto& error, const Settings& settings) {
  return settings.absolute ? error.absolute : settings.ulps ? error.ulps : error.relative;
}

constexpr numeric::Value integer_low = -4, integer_high = 20, lone_integer = 400;

// The entry for a cell: by its own name, by its parameter's, or, for floats, the general one.
template <typename Value> const Value* entry_for(const std::map<std::string, Value>& entries, const Cell& cell) {
  auto found = entries.find(cell.name);
  for (const std::string& whole : {model::array_of(cell.name), model::parameter_of(cell.name)}) // s.a[0]: s.a, s
    if (found == entries.end())
      found = entries.find(whole);
  if (found == entries.end() && cell.type.floating)
    found = entries.find("*");
  return found == entries.end() ? nullptr : &found->second;
}

bool is_flag(const Cell& cell) { return cell.type.bits == 1 || (cell.type.bits == 8 && !cell.type.is_signed); }

// A length of an array is never a flag, whatever values the code compares it with.
bool has_flag_values(const Cell& cell, const Target& target, const Settings& settings) {
  return !cell.values.empty() && !entry_for(settings.ranges, cell) && !entry_for(settings.held, cell) &&
         !length_of(cell, target);
}

Range integer_range(const Cell& cell, const Target& target) {
  auto array = std::find_if(target.parameters.begin(), target.parameters.end(),
                            [](const auto& parameter) { return parameter.is_array; });
  if (const std::optional<Length> length = length_of(cell, target))
    return {numeric::Value(length->value), numeric::Value(length->value)};
  if (array != target.parameters.end()) {
    const auto length = numeric::Value(array->extents.empty() ? array->count : array->extents.front());
    return {0, length - 1};
  }
  if (is_flag(cell))
    return {0, 1};
  if (target.inputs.size() == 1) // a single input may have a wide range: factorials overflow at 171
    return {cell.type.is_signed ? -lone_integer : 0, lone_integer};
  return {cell.type.is_signed ? integer_low : 0, integer_high};
}

// Limits a guess to the range of a small integer.
Range within_type(const Range& range, const Type& type) {
  const auto [least, most] = range_of_type(type);
  return {std::clamp(range.low, least, most), std::clamp(range.high, least, most)};
}

// Widens the range to twice as far from 0 and half as near to it, on the same side: the next run may reach that.
Range widened(const model::Everyday& everyday, const Cell& cell, Format format) {
  const auto outwards = [](numeric::Value value, bool is_low) { return (value < 0) == is_low ? value * 2 : value / 2; };
  const numeric::Value low = outwards(everyday.low, true), high = outwards(everyday.high, false);
  const Range type =
      cell.type.floating ? Range{-numeric::largest(format), numeric::largest(format)} : range_of_type(cell.type);
  const bool whole = !cell.type.floating;
  return {std::clamp(whole ? std::floor(low) : low, type.low, type.high),
          std::clamp(whole ? std::ceil(high) : high, type.low, type.high)};
}

// True if only --range restricts the search.
bool is_free(const Cell& cell, const Target& target, const Settings& settings) {
  return cell.type.floating || (!length_of(cell, target) && !has_flag_values(cell, target, settings));
}

// Keeps the values of a flag that occur in practice, if there are any.
void keep_known(std::vector<numeric::Value>& values, const model::Everyday* everyday) {
  std::vector<numeric::Value> known;
  if (everyday)
    std::ranges::copy_if(values, std::back_inserter(known),
                         [&](numeric::Value value) { return value >= everyday->low && value <= everyday->high; });
  if (!known.empty())
    values = std::move(known);
}

// A value that the type cannot hold would change on its way into the code.
void check_integer(const Cell& cell, const Range& range, const char* option) {
  const auto [least, most] = range_of_type(cell.type);
  if (range.low >= least && range.high <= most)
    return;
  throw base::UserError(base::status_usage,
                        fmt::format("{} {}: the type of {} ({}) ends at {:.0f} and {:.0f}", option, cell.name,
                                    cell.name, cell.type.name(), least, most),
                        "use values that the type can hold");
}

} // namespace

double size_of(const oracle::OutputJudgement& output, const Settings& settings) {
  return size_of_any(output, settings);
}
double size_of(const model::Error& error, const Settings& settings) { return size_of_any(error, settings); }

bool is_above_threshold(const oracle::OutputJudgement& output, const Settings& settings) {
  if (settings.absolute)
    return output.absolute > *settings.absolute;
  if (settings.ulps)
    return output.ulps > *settings.ulps;
  return output.relative > settings.threshold.value_or(model::failure);
}

std::string below_threshold_words(const Settings& settings) {
  if (settings.absolute)
    return fmt::format("the absolute error is not above {:g} (--absolute)", *settings.absolute);
  if (settings.ulps)
    return fmt::format("that is not above {:g} ulps (--ulps)", *settings.ulps);
  return fmt::format("the relative error is not above {:g} (--threshold)", settings.threshold.value_or(model::failure));
}

bool small_errors_count(const Settings& settings) {
  return settings.absolute || settings.ulps ||
         (!settings.ranges.empty() && settings.threshold.value_or(model::failure) < model::failure);
}

double searched_threshold(const Settings& settings, const Target& target, const std::vector<size_t>& outputs) {
  if (settings.absolute)
    return *settings.absolute;
  if (!settings.ulps)
    return settings.threshold.value_or(model::failure);
  int precision = numeric::info(numeric::all_formats.back()).precision;
  for (const size_t output : outputs)
    precision = std::min(precision, numeric::info(target.outputs[output].type.format).precision);
  return std::ldexp(*settings.ulps, 1 - precision);
}

search::ErrorMeasure counted_in(const Settings& settings) {
  return settings.absolute ? search::ErrorMeasure::absolute
         : settings.ulps   ? search::ErrorMeasure::ulps
                           : search::ErrorMeasure::relative;
}

search::Checks checks_of(const model::Settings& settings) {
  return {settings.sampling,  settings.sampling_start,    settings.sampling_step,
          settings.loss_bits, settings.cancellation_bits, settings.lines};
}

search::Space space_of(const Target& target, const Settings& settings) {
  search::Space space;
  for (const Cell& cell : target.inputs) {
    search::Dimension dimension;
    dimension.name = cell.name;
    dimension.floating = cell.type.floating;
    dimension.format = cell.type.format;
    if (const Format* format = entry_for(settings.formats, cell); format && *format < cell.type.format)
      dimension.format = *format;
    Range range = cell.type.floating ? Range{-numeric::largest(dimension.format), numeric::largest(dimension.format)}
                                     : within_type(integer_range(cell, target), cell.type);
    if (has_flag_values(cell, target, settings)) {
      dimension.values.assign(cell.values.begin(), cell.values.end());
      keep_known(dimension.values, entry_for(settings.everyday, cell));
      range = {dimension.values.front(), dimension.values.back()};
    }
    if (const model::Everyday* everyday = entry_for(settings.everyday, cell);
        everyday && is_free(cell, target, settings)) {
      dimension.everyday = {everyday->low, everyday->high, cell.type.floating ? everyday->least : 0};
      range = widened(*everyday, cell, dimension.format);
      if (cell.type.floating && !entry_for(settings.ranges, cell))
        dimension.least = everyday->least / 2;
    }
    if (const Range* given = entry_for(settings.ranges, cell)) {
      range = *given;
      dimension.all_everyday = true;
    }
    if (const numeric::Value* held = entry_for(settings.held, cell))
      range = {*held, *held};
    dimension.low = -std::numeric_limits<numeric::Value>::infinity();
    dimension.high = std::numeric_limits<numeric::Value>::infinity();
    const numeric::Value low = dimension.nearest(range.low), high = dimension.nearest(range.high);
    dimension.low = low;
    dimension.high = high;
    space.dimensions.push_back(dimension);
  }
  if (!settings.assumptions.empty())
    space.assume(std::make_shared<const search::Legality>(settings.assumptions, target));
  return space;
}

std::string range_end(numeric::Value value, const search::Dimension& dimension) {
  Type type;
  type.floating = dimension.floating;
  type.format = dimension.format;
  return number_of(value, type).decimal;
}

Range range_of_type(const Type& type) {
  const bool negative = type.is_signed && type.bits > 1; // a single bit is a truth value
  const numeric::Value beyond = std::ldexp(1.0L, type.bits - negative);
  return {negative ? -beyond : 0, beyond - 1};
}

bool is_assumed(const Cell& cell, const Target& target, const Settings& settings) {
  const bool array = std::ranges::any_of(target.parameters, &Parameter::is_array);
  return !cell.type.floating && !array && !is_flag(cell) && cell.values.empty() && !entry_for(settings.ranges, cell) &&
         !entry_for(settings.everyday, cell) && !entry_for(settings.held, cell);
}

bool is_given(const Cell& cell, const Settings& settings) {
  return entry_for(settings.ranges, cell) || entry_for(settings.held, cell);
}

std::vector<size_t> judged_outputs(const Target& target, const Settings& settings) {
  std::vector<size_t> judged;
  for (size_t i = 0; i < target.outputs.size(); ++i) {
    const Cell& cell = target.outputs[i];
    if (!cell.type.floating)
      continue;
    const bool named = std::any_of(settings.outputs.begin(), settings.outputs.end(), [&](const std::string& name) {
      return name == cell.name || name == model::array_of(cell.name) || name == model::parameter_of(cell.name);
    });
    if (settings.outputs.empty() ? cell.judged && !is_named_bound(cell, settings) : named)
      judged.push_back(i);
  }
  if (judged.empty() && settings.outputs.empty()) // if there are only error estimates, these are judged
    for (size_t i = 0; i < target.outputs.size(); ++i)
      if (target.outputs[i].type.floating)
        judged.push_back(i);
  return judged;
}

void check_names(const std::vector<Target>& targets, const Settings& settings) {
  std::set<std::string> inputs, outputs, output_cells, parameters;
  for (const Target& target : targets) {
    for (const Cell& cell : target.inputs)
      inputs.insert({cell.name, model::array_of(cell.name), model::parameter_of(cell.name)});
    for (const Cell& cell : target.outputs) {
      outputs.insert({cell.name, model::array_of(cell.name), model::parameter_of(cell.name)});
      output_cells.insert(cell.name);
    }
    for (const auto& parameter : target.parameters)
      parameters.insert(parameter.name);
  }
  auto check = [](const std::set<std::string>& known, const std::string& name, const char* option, const char* what) {
    if (known.contains(name) || name == "*")
      return;
    std::vector<std::string> shown(known.begin(), known.end());
    if (shown.size() > 12)
      shown.resize(12);
    throw base::UserError(base::status_usage, fmt::format("{} {}: there is no {} of that name", option, name, what),
                          fmt::format("the {}s are: {}", what, fmt::join(shown, ", ")));
  };
  // A parameter that is only written has no range. A range for all arrays may name it and has no effect.
  inputs.insert(parameters.begin(), parameters.end());
  for (const auto& [name, value] : settings.ranges)
    check(inputs, name, "--range", "input");
  for (const auto& [name, value] : settings.everyday)
    check(inputs, name, "--everyday", "input");
  for (const auto& [name, value] : settings.formats)
    check(inputs, name, "--format", "input");
  for (const auto& [name, value] : settings.held)
    check(inputs, name, "--hold", "input");
  for (const std::string& assumption : settings.assumptions)
    if (!targets.empty() &&
        std::ranges::none_of(targets, [&](const Target& target) { return search::fits(assumption, target); }))
      search::Legality({assumption}, targets.front()); // throws, with the inputs that there are
  for (const Target& target : targets)
    for (const Cell& cell : target.inputs) {
      if (cell.type.floating)
        continue;
      if (const Range* given = entry_for(settings.ranges, cell))
        check_integer(cell, *given, "--range");
      if (const numeric::Value* held = entry_for(settings.held, cell))
        check_integer(cell, {*held, *held}, "--hold");
    }
  program::check_sizes(targets, settings.sizes);
  program::check_aliases(targets, settings.aliases);
  for (const std::string& name : settings.outputs)
    check(outputs, name, "--output", "output");
  for (const std::string& name : settings.unordered)
    check(outputs, name, "--unordered", "output");
  for (const std::string& name : settings.up_to_sign)
    check(outputs, name, "--up-to-sign", "output");
  for (const std::string& name : settings.bounds)
    check(output_cells, name, "--bound", "output"); // a whole struct cannot be a claim
  if (settings.status)
    check(output_cells, settings.status->output, "--status", "output");
}

} // namespace faultline::judge
