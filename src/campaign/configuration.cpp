#include "campaign/configuration.h"

#include "frontend/error.h"

#include <algorithm>

namespace faultline::campaign {

using frontend::Target;

namespace {

// What the configuration says may be the reason why a function is not suitable: a size under a wrong name, say.
void check_named(frontend::Program& program, const Options& options) {
  std::vector<Target> named = program.targets(options.sizes, options.aliases);
  std::erase_if(named, [&](const Target& target) {
    return std::ranges::none_of(frontend::names_of(target), [&](const std::string& name) {
      return std::ranges::find(options.functions, name) != options.functions.end();
    });
  });
  options.configuration->check(named, false);
}

} // namespace

Options options_for(const frontend::Target& target, const Options& options) {
  if (!options.configuration)
    return options;
  Options own = options.configuration->options_for(target);
  own.configuration = options.configuration;
  return own;
}

frontend::Program load_program(const Options& options) {
  frontend::Program program = frontend::Program::load(options.sources);
  if (options.configuration)
    program.shape_by([configuration = options.configuration](const frontend::Target& target) {
      const Options own = configuration->options_for(target);
      return frontend::Shapes{own.sizes, own.aliases};
    });
  return program;
}

std::vector<Target> targets_of(frontend::Program& program, const Options& options, bool callable) {
  const bool all = options.functions.empty();
  std::vector<Target> targets;
  try {
    targets = all ? program.targets(options.sizes, options.aliases)
                  : program.find(options.functions, options.sizes, callable, options.aliases);
  } catch (const frontend::UserError& problem) {
    if (options.configuration && !all && problem.status == frontend::status_unsuitable)
      check_named(program, options);
    throw;
  }
  if (options.configuration)
    options.configuration->check(targets, all);
  return targets;
}

} // namespace faultline::campaign
