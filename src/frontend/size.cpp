#include "frontend/size.h"

#include "frontend/error.h"
#include "frontend/names/nearest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace faultline::frontend {

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
    throw UserError(status_usage, fmt::format("--size {}: there is no parameter of that name", name),
                    close.empty() ? fmt::format("the parameters are: {}", fmt::join(all, ", "))
                                  : fmt::format("the nearest parameters: {}", fmt::join(close, ", ")));
  }
}

} // namespace faultline::frontend
