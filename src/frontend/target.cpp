#include "frontend/target.h"

#include "frontend/error.h"
#include "frontend/shown_symbol.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>
#include <set>

namespace faultline::frontend {

namespace {

// In the order of the enumerators.
constexpr std::array<std::string_view, all_measures.size()> measure_names = {"absolute", "ulps", "relative"};
constexpr std::array<std::string_view, 3> branch_state_names = {"covered", "infeasible", "open"};

template <class Id, size_t n>
std::optional<Id> id_of(const std::array<std::string_view, n>& names, std::string_view name) {
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? std::nullopt : std::optional(Id(found - names.begin()));
}

bool has(const Target& target, const std::string& name) {
  return std::ranges::find(target.parameters, name, &Parameter::name) != target.parameters.end();
}

// With the enclosing namespaces.
CxxName name_in_parts(const Target& target) {
  if (!target.harness.empty())
    return {target.function, without_template_arguments(target.function)};
  const CxxName cxx = cxx_name(target.symbol);
  return cxx.full.empty() ? CxxName{rust_name(target.symbol), rust_name(target.symbol)} : cxx;
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

void check_sizes(std::span<const Target> targets, const Sizes& sizes) {
  constexpr size_t most_shown = 12;
  std::set<std::string> parameters;
  for (const Target& target : targets)
    for (const Parameter& parameter : target.parameters)
      parameters.insert({parameter.name, parameter_of(parameter.name)});
  for (const auto& [name, extents] : sizes) {
    if (name == "*" || parameters.contains(name) || parameters.contains(parameter_of(name)))
      continue;
    std::vector<std::string> all(parameters.begin(), parameters.end());
    const std::vector<std::string> close = nearest(name, all);
    if (all.size() > most_shown)
      all.resize(most_shown);
    throw UserError(status_usage, fmt::format("--size {}: no such parameter", name),
                    close.empty() ? fmt::format("the parameters are: {}", fmt::join(all, ", "))
                                  : fmt::format("the nearest parameters: {}", fmt::join(close, ", ")));
  }
}

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

void leave_out_hidden(std::vector<Target>& targets) {
  const auto is_open = [](const Target& target) { return target.huntable() && !target.hidden; };
  if (std::ranges::none_of(targets, is_open))
    return;
  for (Target& target : targets)
    if (target.hidden && target.huntable()) {
      target.unsuitable = "it is hidden from other libraries, which can only reach it through other functions: -f "
                          "hunts in it nevertheless";
      target.obstacle = Obstacle::hidden;
    }
}

std::string parameter_of(const std::string& cell) { return cell.substr(0, cell.find_first_of("[.(%")); }

std::string before_parameters(const std::string& name) { return name.substr(0, name.find('(')); }

std::vector<std::string> names_of(const Target& target) {
  const std::string& symbol = target.harness.empty() ? target.symbol : target.called_symbol;
  std::vector<std::string> names{symbol, target.function, before_parameters(target.function)};
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

bool answers_to(const Target& target, const std::string& pattern) {
  // The full name of an instance begins with its return type: d* must not match everything that returns a double.
  const bool may_have_result = pattern.find(' ') != std::string::npos || cxx_name(target.symbol).full.empty() ||
                               target.function.starts_with(cxx_name(target.symbol).full);
  return std::ranges::any_of(names_of(target), [&](const std::string& name) {
    return name == pattern ||
           ((may_have_result || !target.function.starts_with(name)) && fnmatch(pattern.c_str(), name.c_str(), 0) == 0);
  });
}

std::vector<Target> called(const std::string& name, const std::vector<Target>& targets) {
  std::vector<Target> found;
  std::ranges::copy_if(targets, std::back_inserter(found), [&](const Target& target) {
    const std::vector<std::string> names = names_of(target);
    return std::ranges::find(names, name) != names.end();
  });
  if (!found.empty())
    return found;
  std::set<std::string> functions;
  for (const Target& target : targets) {
    const CxxName full = name_in_parts(target);
    if (full.plain.ends_with("::" + name) || full.full.ends_with("::" + name)) {
      found.push_back(target);
      functions.insert(full.plain);
    }
  }
  if (functions.size() > 1)
    throw UserError(status_usage, fmt::format("-f {} may be each of {}", name, fmt::join(functions, ", ")),
                    "name the one you mean, or all of them");
  return found;
}

} // namespace faultline::frontend
