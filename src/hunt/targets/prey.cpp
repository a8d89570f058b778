#include "hunt/targets/prey.h"

#include "frontend/capture/summary.h"
#include "frontend/error.h"
#include "frontend/size.h"
#include "hunt/targets/checked_lines.h"
#include "hunt/targets/targets.h"
#include "judge/checks_of.h"
#include "judge/judge.h"
#include "judge/meaning/statements.h"
#include "judge/space_of_target.h"
#include "search/strategy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::campaign {

using finding::Settings;
using frontend::Target;
using frontend::UserError;

namespace {

constexpr size_t most_reasons = 5; // that are told: whoever has more of them looks at one after the other

// Of those that -f names, some may be unsuitable.
std::vector<Target> huntable_targets(frontend::Program& program, const Options& options) {
  std::vector<Target> all = targets_of(program, options, Fit::huntable);
  if (!options.functions.empty())
    return all;
  if (all.empty())
    throw UserError(frontend::status_unsuitable,
                    options.sources.files.size() == 1
                        ? fmt::format("{}: there are no functions in it that another file could call",
                                      options.sources.files.front())
                        : "there are no functions in these files that another one could call",
                    "a file with such functions; main and static ones are not counted");
  std::vector<Target> fitting;
  std::vector<std::string> reasons;
  frontend::check_sizes(all, options.settings.sizes);
  for (Target& target : all) {
    if (settings_for(target, options).skip) {
      target.unsuitable = fmt::format("{} says skip", options.configuration->file);
      target.obstacle = frontend::Obstacle::skipped;
    }
    if (target.huntable())
      fitting.push_back(std::move(target));
    else if (reasons.size() < most_reasons)
      reasons.push_back(fmt::format("{}: {}", target.function, target.unsuitable));
  }
  if (fitting.empty())
    throw UserError(frontend::status_unsuitable,
                    fmt::format("no function is suitable\n  {}", fmt::join(reasons, "\n  ")),
                    "write a harness: a function with scalar parameters or plain arrays that calls the code");
  return fitting;
}

Prey whole_prey(const Options& options) {
  search::check_strategy(options.settings.strategy);
  Prey prey{load_program(options), {}, {}, {}, {}};
  if (options.tell && !prey.program.captured().missing.empty())
    options.tell(frontend::capture_text(prey.program.captured(), false));
  for (Target& target : huntable_targets(prey.program, options))
    (target.huntable() ? prey.targets : prey.refused).push_back(std::move(target));
  for (const Target& target : prey.targets)
    prey.settings.push_back(settings_for(target, options));
  return prey;
}

// What running a function does not tell keeps it from being hunted in.
void measure(Prey& prey, const Options& options, const std::atomic<bool>& stop, const ExtentMemory* memory) {
  prey.measured = measure(prey.program, prey.targets, prey.settings, options, stop, memory);
  for (size_t i = prey.targets.size(); i-- > 0;)
    if (!prey.targets[i].suitable()) {
      prey.refused.push_back(std::move(prey.targets[i]));
      prey.targets.erase(prey.targets.begin() + long(i));
      prey.settings.erase(prey.settings.begin() + long(i));
      prey.measured.erase(prey.measured.begin() + long(i));
    }
  if (prey.targets.empty())
    throw UserError(frontend::status_unsuitable,
                    fmt::format("{}: {}", prey.refused.back().function, prey.refused.back().unsuitable));
}

void check(Prey& prey, const Options& options) {
  judge::check_names(prey.targets, options.settings);
  judge::check_meanings(prey.targets, options.settings);
  for (size_t i = 0; i < prey.targets.size(); ++i)
    judge::meanings_of(prey.targets[i], prey.settings[i]); // wrong ones are refused before anything runs
  check_lines(prey.program, prey.targets, judge::checks_of(options.settings));
  if (options.settings.oracle == finding::OracleName::reference && prey.targets.size() != 1)
    throw UserError(frontend::status_usage, "a reference belongs to one function", "name it with -f");
}

} // namespace

Prey prey_of(const Options& options, const std::atomic<bool>& stop, const ExtentMemory* memory) {
  Prey prey = whole_prey(options);
  measure(prey, options, stop, memory);
  check(prey, options);
  return prey;
}

Prey unmeasured_prey_of(const Options& options) {
  Prey prey = whole_prey(options);
  check(prey, options);
  return prey;
}

} // namespace faultline::campaign
