#include "campaign/targets.h"

#include "frontend/error.h"

#include <algorithm>
#include <fmt/format.h>

namespace faultline::campaign {

using frontend::Target;
using frontend::UserError;

namespace {

// What the configuration says may be the reason why a function is not suitable: a size under a wrong name, say.
void check_named(frontend::Program& program, const Options& options) {
  std::vector<Target> named = program.targets(options.settings.sizes, options.settings.aliases);
  std::erase_if(named, [&](const Target& target) {
    return std::ranges::none_of(frontend::names_of(target), [&](const std::string& name) {
      return std::ranges::find(options.functions, name) != options.functions.end();
    });
  });
  check(*options.configuration, named, false);
}

} // namespace

finding::Settings settings_for(const Target& target, const Options& options) {
  return options.configuration ? settings_for(*options.configuration, target) : options.settings;
}

frontend::Program load_program(const Options& options) {
  frontend::Program program = frontend::Program::load(options.sources);
  if (options.configuration)
    program.shape_by([configuration = *options.configuration](const Target& target) {
      const finding::Settings own = settings_for(configuration, target);
      return frontend::Shapes{own.sizes, own.aliases};
    });
  return program;
}

std::vector<Target> targets_of(frontend::Program& program, const Options& options, bool callable) {
  const bool all = options.functions.empty();
  const auto& [sizes, aliases] = std::tie(options.settings.sizes, options.settings.aliases);
  std::vector<Target> targets;
  try {
    targets = all ? program.targets(sizes, aliases) : program.find(options.functions, sizes, callable, aliases);
  } catch (const UserError& problem) {
    if (options.configuration && !all && problem.status == frontend::status_unsuitable)
      check_named(program, options);
    throw;
  }
  if (options.configuration)
    check(*options.configuration, targets, all);
  return targets;
}

Target single_target(frontend::Program& program, const Options& options, bool callable) {
  std::vector<Target> targets = targets_of(program, options, callable);
  if (!options.functions.empty())
    return targets.front();
  std::erase_if(targets, [&](const Target& target) {
    return !(callable ? target.can_be_called : target.suitable()) || settings_for(target, options).skip;
  });
  if (targets.size() != 1)
    throw UserError(frontend::status_usage,
                    fmt::format("the sources have {} {}", targets.size(),
                                callable ? "functions that can be called" : "suitable functions"),
                    "name one with -f; faultline list shows them");
  return targets.front();
}

} // namespace faultline::campaign
