#include "finding/settings/configuration.h"

#include "frontend/error.h"
#include "frontend/names/nearest.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::finding {

using frontend::Cell;
using frontend::Target;
using frontend::UserError;

namespace {

// The names that a setting may name in this function.
std::vector<std::string> known_names(const Target& target, Names kind) {
  std::vector<std::string> names;
  const auto add = [&](const std::vector<Cell>& cells) {
    for (const Cell& cell : cells) {
      names.push_back(cell.name);
      if (kind != Names::output_cells) // a whole struct cannot claim anything
        names.push_back(frontend::parameter_of(cell.name));
    }
  };
  if (kind == Names::inputs)
    add(target.inputs);
  if (kind == Names::outputs || kind == Names::output_cells)
    add(target.outputs);
  if (kind == Names::inputs || kind == Names::parameters)
    for (const frontend::Parameter& parameter : target.parameters)
      names.push_back(parameter.name);
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

bool speaks_of_outputs(const Setting& setting) {
  return setting.names == Names::outputs || setting.names == Names::output_cells;
}

bool laid_out(const Target& target) {
  return !target.parameters.empty() && (target.suitable() || target.can_be_called);
}

// Of a function that could not be laid out only the parameters are known.
bool has(const Target& target, const Setting& setting, const std::string& name) {
  const std::vector<std::string> names = known_names(target, setting.names);
  const bool known = std::ranges::find(names, name) != names.end() ||
                     (!laid_out(target) && std::ranges::find(names, frontend::parameter_of(name)) != names.end());
  return known || name == "*" || (speaks_of_outputs(setting) && !laid_out(target));
}

// What is said of many functions names inputs that this one does not have: none of its business.
void drop_others(Said& said, const Target& target) {
  for (const Setting& setting : all_settings()) {
    if (setting.names == Names::none || !said.has(setting.key))
      continue;
    std::vector<std::string> values = said.values(setting.key);
    const bool both = std::string_view(setting.key) == "alias"; // names a parameter on either side
    std::erase_if(values, [&](const std::string& text) {
      return !has(target, setting, name_in(text, setting.form)) ||
             (both && !has(target, setting, text.substr(text.find('=') + 1)));
    });
    said.set(setting.key, std::move(values));
  }
}

[[noreturn]] void refuse(const NamedThere& named, const std::string& name, const Section& section,
                         const Target& target) {
  constexpr size_t most_shown = 12;
  std::vector<std::string> known = known_names(target, named.setting->names);
  const std::vector<std::string> close = frontend::nearest(name, known);
  if (known.size() > most_shown)
    known.resize(most_shown);
  const bool several = frontend::is_pattern(section.functions);
  throw UserError(frontend::status_usage,
                  fmt::format("{}: {} {}: {} has no {} of that name", named.where, named.setting->key, name,
                              several ? "no function like " + section.functions : target.function,
                              speaks_of_outputs(*named.setting) ? "output" : "input"),
                  close.empty() ? fmt::format("it has {}", fmt::join(known, ", "))
                                : fmt::format("{}", fmt::join(close, ", ")));
}

Said said_of(const Configuration& configuration, const Target& target) {
  const auto is_float = [&](const std::string& name) {
    return std::ranges::any_of(target.inputs, [&](const Cell& cell) {
      return cell.type.floating && (cell.name == name || frontend::parameter_of(cell.name) == name);
    });
  };
  Said said = configuration.all;
  for (const Section& section : configuration.sections)
    if (frontend::answers_to(target, section.functions))
      said = overridden(std::move(said), section.said, is_float);
  if (laid_out(target))
    drop_others(said, target);
  return overridden(std::move(said), configuration.typed, is_float);
}

} // namespace

Settings settings_for(const Configuration& configuration, const Target& target) {
  if (!configuration.recorded)
    return read_settings(said_of(configuration, target), configuration.usual);
  for (const std::string& name : frontend::names_of(target))
    if (const auto found = configuration.recorded->find(name); found != configuration.recorded->end())
      return read_settings(found->second, configuration.usual);
  return configuration.usual;
}

Settings settings_of_all(const Configuration& configuration) {
  Said said = configuration.all;
  for (const Setting& setting : all_settings())
    if (setting.repeatable())
      said.forget(setting.key);
  said.forget("skip");
  said = overridden(std::move(said), configuration.typed, [](const std::string&) { return true; });
  return read_settings(said, configuration.usual);
}

void check(const Configuration& configuration, std::span<const Target> targets, bool all) {
  for (const Section& section : configuration.sections) {
    std::vector<const Target*> meant;
    for (const Target& target : targets)
      if (frontend::answers_to(target, section.functions))
        meant.push_back(&target);
    // With -f a pattern speaks of functions that are not here.
    if (meant.empty() || (frontend::is_pattern(section.functions) && !all))
      continue;
    for (const NamedThere& named : section.names)
      for (const std::string& name : {named.name, named.other})
        if (!name.empty() &&
            std::ranges::none_of(meant, [&](const Target* target) { return has(*target, *named.setting, name); }))
          refuse(named, name, section, *meant.front());
  }
}

} // namespace faultline::finding
