#include "frontend/alias.h"

#include "frontend/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace faultline::frontend {
namespace {

bool has(const Target& target, const std::string& name) {
  return std::ranges::find(target.parameters, name, &Parameter::name) != target.parameters.end();
}

} // namespace

std::string owner_of(const std::string& name, const Aliases& aliases, const std::vector<std::string>& parameters) {
  std::string owner = name;
  std::set<std::string> seen;
  for (auto next = aliases.find(owner); next != aliases.end(); next = aliases.find(owner)) {
    if (std::ranges::find(parameters, next->second) == parameters.end())
      break;
    if (!seen.insert(owner).second)
      throw UserError(status_usage, fmt::format("--alias {}={}: the aliases go in a circle", name, aliases.at(name)),
                      "one of the parameters must have memory of its own");
    owner = next->second;
  }
  return owner == name ? "" : owner;
}

void check_aliases(std::span<const Target> targets, const Aliases& aliases) {
  for (const auto& [name, of] : aliases) {
    const auto with = [&](const std::string& parameter) {
      return std::ranges::any_of(targets, [&](const Target& target) { return has(target, parameter); });
    };
    if (std::ranges::any_of(targets, [&](const Target& target) { return has(target, name) && has(target, of); }))
      continue;
    std::set<std::string> known;
    for (const Target& target : targets)
      for (const Parameter& parameter : target.parameters)
        known.insert(parameter.name);
    const std::string unknown = !with(name) ? name : !with(of) ? of : "";
    throw UserError(status_usage,
                    unknown.empty() ? fmt::format("--alias {}={}: no function has both parameters", name, of)
                                    : fmt::format("--alias {}={}: there is no parameter '{}'", name, of, unknown),
                    fmt::format("the parameters are: {}", fmt::join(known, ", ")));
  }
}

} // namespace faultline::frontend
