#include "hunt/configuration.h"

#include "base/error.h"
#include "program/target_names.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>

namespace faultline::hunt {

using namespace model;
using namespace program;

namespace {

// Returns the names that a setting may use in this function.
std::vector<std::string> known_names(const Target& target, NameKind kind) {
  std::vector<std::string> names;
  const auto add = [&](const std::vector<Cell>& cells) {
    for (const Cell& cell : cells) {
      names.push_back(cell.name);
      if (kind != NameKind::output_cells) // a whole struct cannot be a bound
        names.push_back(parameter_of(cell.name));
    }
  };
  if (kind == NameKind::inputs)
    add(target.inputs);
  if (kind == NameKind::outputs || kind == NameKind::output_cells)
    add(target.outputs);
  if (kind == NameKind::inputs || kind == NameKind::parameters)
    for (const Parameter& parameter : target.parameters)
      names.push_back(parameter.name);
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

bool speaks_of_outputs(const Setting& setting) {
  return setting.names == NameKind::outputs || setting.names == NameKind::output_cells;
}

bool laid_out(const Target& target) {
  return !target.parameters.empty() && (target.suitable() || target.can_be_called);
}

// For a function without a layout, only the parameters are known.
bool has(const Target& target, const Setting& setting, const std::string& name) {
  const std::vector<std::string> names = known_names(target, setting.names);
  const bool known = std::ranges::find(names, name) != names.end() ||
                     (!laid_out(target) && std::ranges::find(names, parameter_of(name)) != names.end());
  return known || name == "*" || (speaks_of_outputs(setting) && !laid_out(target));
}

// Removes settings of many functions that name inputs this function does not have.
void drop_others(RawSettings& raw, const Target& target) {
  for (const Setting& setting : all_settings()) {
    if (setting.names == NameKind::none || !raw.has(setting.key))
      continue;
    std::vector<std::string> values = raw.values(setting.key);
    const bool both = std::string_view(setting.key) == "alias"; // both sides name a parameter
    std::erase_if(values, [&](const std::string& text) {
      return !has(target, setting, name_in(text, setting.form)) ||
             (both && !has(target, setting, text.substr(text.find('=') + 1)));
    });
    raw.set(setting.key, std::move(values));
  }
}

base::UserError unknown_name(const NamedThere& named, const std::string& name, const Section& section,
                             const Target& target) {
  constexpr size_t most_shown = 12;
  std::vector<std::string> known = known_names(target, named.setting->names);
  const std::vector<std::string> close = base::nearest(name, known);
  if (known.size() > most_shown)
    known.resize(most_shown);
  const char* what = speaks_of_outputs(*named.setting) ? "output" : "input";
  const std::string where = fmt::format("{}: {} {}", named.where, named.setting->key, name);
  return {base::status_usage,
          program::is_pattern(section.functions)
              ? fmt::format("{}: the functions like {} in these files have no {} of that name", where,
                            section.functions, what)
              : fmt::format("{}: {} has no {} of that name", where, target.function, what),
          close.empty() ? fmt::format("it has {}", fmt::join(known, ", ")) : fmt::format("{}", fmt::join(close, ", "))};
}

RawSettings raw_settings_of_target(const Configuration& configuration, const Target& target) {
  const auto is_float = [&](const std::string& name) {
    return std::ranges::any_of(target.inputs, [&](const Cell& cell) {
      return cell.type.floating && (cell.name == name || parameter_of(cell.name) == name);
    });
  };
  RawSettings raw = configuration.all;
  for (const Section& section : configuration.sections)
    if (program::answers_to(target, section.functions))
      raw = overridden(std::move(raw), section.raw, is_float);
  raw = overridden(std::move(raw), configuration.typed, is_float);
  if (laid_out(target))
    drop_others(raw, target);
  return raw;
}

} // namespace

void FpcoreSettings::apply(const Target& target, Settings& settings) {
  if (!program::fpcore::is_fpcore(target.file))
    return;
  const auto [file, is_new] = files_.try_emplace(target.file);
  if (is_new) {
    try {
      for (program::fpcore::FunctionSettings& one : program::fpcore::settings_in_file(target.file))
        file->second.emplace(std::pair(one.function, one.line), std::move(one));
    } catch (const base::UserError&) { // it was read before, and has changed since
    }
  }
  const auto own = file->second.find({before_parameters(target.function), target.line});
  if (own == file->second.end())
    return;
  RawSettings raw;
  raw.set("range", own->second.ranges);
  for (const auto& [name, range] : read_settings(raw).ranges)
    if (!settings.ranges.contains("*"))
      settings.ranges.emplace(name, range); // the user's setting has priority
  if (!own->second.meaning.empty())
    settings.means.insert(settings.means.begin(), own->second.meaning);
}

Settings settings_for(const Configuration& configuration, const Target& target) {
  if (!configuration.recorded)
    return read_settings(raw_settings_of_target(configuration, target), configuration.usual);
  for (const std::string& name : program::names_of(target))
    if (const auto found = configuration.recorded->find(name); found != configuration.recorded->end())
      return read_settings(found->second, configuration.usual);
  return configuration.usual;
}

Settings settings_of_all(const Configuration& configuration) {
  RawSettings raw = configuration.all;
  for (const Setting& setting : all_settings())
    if (setting.repeatable())
      raw.forget(setting.key);
  raw.forget("skip");
  raw = overridden(std::move(raw), configuration.typed, [](const std::string&) { return true; });
  return read_settings(raw, configuration.usual);
}

std::vector<std::string> check(const Configuration& configuration, std::span<const Target> targets, bool all) {
  std::vector<std::string> remarks;
  for (const Section& section : configuration.sections) {
    const bool several = program::is_pattern(section.functions);
    std::vector<const Target*> meant;
    for (const Target& target : targets)
      if (program::answers_to(target, section.functions))
        meant.push_back(&target);
    // With -f a pattern may apply to functions that are not selected.
    if (meant.empty() || (several && !all))
      continue;
    for (const NamedThere& named : section.names)
      for (const std::string& name : {named.name, named.other}) {
        if (name.empty() ||
            std::ranges::any_of(meant, [&](const Target* target) { return has(*target, *named.setting, name); }))
          continue;
        const base::UserError unknown = unknown_name(named, name, section, *meant.front());
        if (!several)
          throw unknown;
        remarks.emplace_back(unknown.what());
      }
  }
  return remarks;
}

} // namespace faultline::hunt
