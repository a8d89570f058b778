#include "program/target_names.h"

#include "base/error.h"
#include "program/shown_symbol.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>
#include <set>

namespace faultline::program {

namespace {

bool has(const model::Target& target, const std::string& name) {
  return std::ranges::find(target.parameters, name, &model::Parameter::name) != target.parameters.end();
}

// With the enclosing namespaces.
CxxName name_in_parts(const model::Target& target) {
  if (!target.harness.empty())
    return {target.function, without_template_arguments(target.function)};
  const CxxName cxx = cxx_name(target.symbol);
  return cxx.full.empty() ? CxxName{rust_name(target.symbol), rust_name(target.symbol)} : cxx;
}

} // namespace

void leave_out_hidden(std::vector<model::Target>& targets) {
  const auto is_open = [](const model::Target& target) { return target.huntable() && !target.hidden; };
  if (std::ranges::none_of(targets, is_open))
    return;
  for (model::Target& target : targets)
    if (target.hidden && target.huntable()) {
      target.unsuitable = "it is hidden from other libraries, which can only reach it through other functions: -f "
                          "hunts in it nevertheless";
      target.obstacle = model::Obstacle::hidden;
    }
}

std::string owner_of(const std::string& name, const model::Aliases& aliases,
                     const std::vector<std::string>& parameters) {
  std::string owner = name;
  std::set<std::string> seen;
  for (auto next = aliases.find(owner); next != aliases.end(); next = aliases.find(owner)) {
    if (std::ranges::find(parameters, next->second) == parameters.end())
      break;
    if (!seen.insert(owner).second)
      throw base::UserError(base::status_usage,
                            fmt::format("--alias {}={}: the aliases go in a circle", name, aliases.at(name)),
                            "one of the parameters must have memory of its own");
    owner = next->second;
  }
  return owner == name ? "" : owner;
}

void check_aliases(std::span<const model::Target> targets, const model::Aliases& aliases) {
  for (const auto& [name, of] : aliases) {
    const auto with = [&](const std::string& parameter) {
      return std::ranges::any_of(targets, [&](const model::Target& target) { return has(target, parameter); });
    };
    if (std::ranges::any_of(targets, [&](const model::Target& target) { return has(target, name) && has(target, of); }))
      continue;
    std::set<std::string> known;
    for (const model::Target& target : targets)
      for (const model::Parameter& parameter : target.parameters)
        known.insert(parameter.name);
    const std::string unknown = !with(name) ? name : !with(of) ? of : "";
    throw base::UserError(base::status_usage,
                          unknown.empty() ? fmt::format("--alias {}={}: no function has both parameters", name, of)
                                          : fmt::format("--alias {}={}: there is no parameter '{}'", name, of, unknown),
                          fmt::format("the parameters are: {}", fmt::join(known, ", ")));
  }
}

void check_sizes(std::span<const model::Target> targets, const model::Sizes& sizes) {
  constexpr size_t most_shown = 12;
  std::set<std::string> parameters, others; // others: all but single numbers
  for (const model::Target& target : targets)
    for (const model::Parameter& parameter : target.parameters) {
      parameters.insert({parameter.name, model::parameter_of(parameter.name)});
      if (parameter.passing != model::Passing::value || !(target.suitable() || target.can_be_called))
        others.insert({parameter.name, model::parameter_of(parameter.name)});
    }
  for (const auto& [name, extents] : sizes) {
    if (name == "*" || others.contains(name) || others.contains(model::parameter_of(name)))
      continue;
    if (parameters.contains(name))
      throw base::UserError(base::status_usage, fmt::format("--size {0}: '{0}' is one number, not an array", name),
                            "leave out the size; --range and --hold restrict a number");
    std::vector<std::string> all(parameters.begin(), parameters.end());
    const std::vector<std::string> close = base::nearest(name, all);
    if (all.size() > most_shown)
      all.resize(most_shown);
    throw base::UserError(base::status_usage, fmt::format("--size {}: no such parameter", name),
                          close.empty() ? fmt::format("the parameters are: {}", fmt::join(all, ", "))
                                        : fmt::format("the nearest parameters: {}", fmt::join(close, ", ")));
  }
}

std::vector<std::string> names_of(const model::Target& target) {
  const std::string& symbol = target.harness.empty() ? target.symbol : target.called_symbol;
  std::vector<std::string> names{symbol, target.function, model::before_parameters(target.function)};
  if (symbol.ends_with("_"))
    names.push_back(symbol.substr(0, symbol.size() - 1));
  if (const CxxName name = cxx_name(symbol); !name.full.empty())
    names.insert(names.end(), {name.full, name.plain});
  else if (!target.harness.empty())
    names.push_back(without_template_arguments(target.function));
  else if (const std::string rust = rust_name(symbol); !rust.empty())
    names.push_back(rust);
  return names;
}

bool is_pattern(const std::string& name) { return name.find_first_of("*?[") != std::string::npos; }

bool answers_to(const model::Target& target, const std::string& pattern) {
  // The full name of an instance begins with its return type: d* must not match everything that returns a double.
  const bool may_have_result = pattern.find(' ') != std::string::npos || cxx_name(target.symbol).full.empty() ||
                               target.function.starts_with(cxx_name(target.symbol).full);
  return std::ranges::any_of(names_of(target), [&](const std::string& name) {
    return name == pattern ||
           ((may_have_result || !target.function.starts_with(name)) && fnmatch(pattern.c_str(), name.c_str(), 0) == 0);
  });
}

std::vector<model::Target> called(const std::string& name, const std::vector<model::Target>& targets) {
  std::vector<model::Target> found;
  std::ranges::copy_if(targets, std::back_inserter(found), [&](const model::Target& target) {
    const std::vector<std::string> names = names_of(target);
    return std::ranges::find(names, name) != names.end();
  });
  if (!found.empty())
    return found;
  std::set<std::string> functions;
  for (const model::Target& target : targets) {
    const CxxName full = name_in_parts(target);
    if (full.plain.ends_with("::" + name) || full.full.ends_with("::" + name)) {
      found.push_back(target);
      functions.insert(full.plain);
    }
  }
  if (functions.size() > 1)
    throw base::UserError(base::status_usage, fmt::format("-f {} may be each of {}", name, fmt::join(functions, ", ")),
                          "name the one you mean, or all of them");
  return found;
}

} // namespace faultline::program
