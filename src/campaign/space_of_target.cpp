#include "campaign/space_of_target.h"

#include "campaign/claims.h"
#include "numeric/ulp.h"

#include "frontend/alias.h"
#include "frontend/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <set>

namespace faultline::campaign {

using frontend::Cell;
using frontend::Target;
using frontend::UserError;
using numeric::Format;

namespace {

constexpr long double integer_low = -4, integer_high = 20;

std::string parameter_of(const std::string& cell) { return cell.substr(0, cell.find_first_of("[.")); }

// The entry for a cell: by its own name, by its parameter's, or, for floats, that of all.
template <typename Value>
const Value* entry_for(const std::map<std::string, Value>& entries, const Cell& cell) {
  auto found = entries.find(cell.name);
  if (found == entries.end())
    found = entries.find(parameter_of(cell.name));
  if (found == entries.end() && cell.type.floating)
    found = entries.find("*");
  return found == entries.end() ? nullptr : &found->second;
}

bool is_length(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  static const std::set<std::string> lengths = {"n",   "m",     "len",   "length", "size", "count",
                                                "num", "dim",   "nmemb", "nelem",  "npts", "lda",
                                                "ldb", "nrows", "ncols", "rows",   "cols"};
  return lengths.contains(name);
}

bool is_stride(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return name.find("stride") != std::string::npos || name == "inc" || name == "incx" || name == "incy";
}

Range integer_range(const Cell& cell, const Target& target, const Options& options) {
  auto array = std::find_if(target.parameters.begin(), target.parameters.end(),
                            [](const auto& parameter) { return parameter.is_array; });
  if (array != target.parameters.end()) {
    if (is_stride(cell.name))
      return {1, 1};
    auto extents = options.sizes.find(array->name);
    const auto length = (long double)(extents != options.sizes.end() ? extents->second.front() : array->count);
    if (is_length(cell.name))
      return {length, length};
    return {0, length - 1};
  }
  if (cell.type.bits == 1 || (cell.type.bits == 8 && !cell.type.is_signed))
    return {0, 1};
  return {cell.type.is_signed ? integer_low : 0, integer_high};
}

} // namespace

search::Space space_of(const Target& target, const Options& options) {
  search::Space space;
  for (const Cell& cell : target.inputs) {
    search::Dimension dimension;
    dimension.name = cell.name;
    dimension.floating = cell.type.floating;
    dimension.format = cell.type.format;
    if (const Format* format = entry_for(options.formats, cell); format && *format < cell.type.format)
      dimension.format = *format;
    Range range = cell.type.floating ? Range{-numeric::largest(dimension.format), numeric::largest(dimension.format)}
                                     : integer_range(cell, target, options);
    if (const Range* given = entry_for(options.ranges, cell))
      range = *given;
    if (const long double* held = entry_for(options.held, cell))
      range = {*held, *held};
    dimension.low = -std::numeric_limits<long double>::infinity();
    dimension.high = std::numeric_limits<long double>::infinity();
    const long double low = dimension.nearest(range.low), high = dimension.nearest(range.high);
    dimension.low = low;
    dimension.high = high;
    space.dimensions.push_back(dimension);
  }
  return space;
}

std::vector<size_t> judged_outputs(const Target& target, const Options& options) {
  std::vector<size_t> judged;
  for (size_t i = 0; i < target.outputs.size(); ++i) {
    const Cell& cell = target.outputs[i];
    if (!cell.type.floating)
      continue;
    const bool named = std::any_of(options.outputs.begin(), options.outputs.end(), [&](const std::string& name) {
      return name == cell.name || name == parameter_of(cell.name);
    });
    if (options.outputs.empty() ? cell.judged && !is_named_bound(cell, options) : named)
      judged.push_back(i);
  }
  if (judged.empty() && options.outputs.empty()) // only error estimates: then these
    for (size_t i = 0; i < target.outputs.size(); ++i)
      if (target.outputs[i].type.floating)
        judged.push_back(i);
  return judged;
}

void check_names(const std::vector<Target>& targets, const Options& options) {
  std::set<std::string> inputs, outputs, output_cells, parameters;
  for (const Target& target : targets) {
    for (const Cell& cell : target.inputs)
      inputs.insert({cell.name, parameter_of(cell.name)});
    for (const Cell& cell : target.outputs) {
      outputs.insert({cell.name, parameter_of(cell.name)});
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
    throw UserError(frontend::status_usage, fmt::format("{} {}: there is no {} of that name", option, name, what),
                    fmt::format("the {}s are: {}", what, fmt::join(shown, ", ")));
  };
  // A parameter that is only written has no range to respect; people give all arrays one, and do no harm.
  inputs.insert(parameters.begin(), parameters.end());
  for (const auto& [name, value] : options.ranges)
    check(inputs, name, "--range", "input");
  for (const auto& [name, value] : options.formats)
    check(inputs, name, "--format", "input");
  for (const auto& [name, value] : options.held)
    check(inputs, name, "--hold", "input");
  for (const auto& [name, value] : options.sizes)
    check(parameters, name, "--size", "parameter");
  frontend::check_aliases(targets, options.aliases);
  for (const std::string& name : options.outputs)
    check(outputs, name, "--output", "output");
  for (const std::string& name : options.bounds)
    check(output_cells, name, "--bound", "output"); // a whole struct cannot claim anything
}

} // namespace faultline::campaign
