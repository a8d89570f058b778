#include "hunt/targets/hunt_targets.h"

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

HuntTargets targets_before_measuring(const Options& options) {
  search::check_strategy(options.settings.strategy);
  HuntTargets selected{load_program(options), {}, {}, {}, {}};
  if (options.tell && !selected.program.captured().missing.empty())
    options.tell(frontend::capture_text(selected.program.captured(), false));
  for (Target& target : huntable_targets(selected.program, options))
    (target.huntable() ? selected.targets : selected.refused).push_back(std::move(target));
  for (const Target& target : selected.targets)
    selected.settings.push_back(settings_for(target, options));
  return selected;
}

// What running a function does not tell keeps it from being hunted in.
void measure(HuntTargets& selected, const Options& options, const std::atomic<bool>& stop, const ExtentMemory* memory) {
  selected.measured = measure(selected.program, selected.targets, selected.settings, options, stop, memory);
  for (size_t i = selected.targets.size(); i-- > 0;)
    if (!selected.targets[i].suitable()) {
      selected.refused.push_back(std::move(selected.targets[i]));
      selected.targets.erase(selected.targets.begin() + long(i));
      selected.settings.erase(selected.settings.begin() + long(i));
      selected.measured.erase(selected.measured.begin() + long(i));
    }
  if (selected.targets.empty())
    throw UserError(frontend::status_unsuitable,
                    fmt::format("{}: {}", selected.refused.back().function, selected.refused.back().unsuitable));
}

void check(HuntTargets& selected, const Options& options) {
  judge::check_names(selected.targets, options.settings);
  judge::check_meanings(selected.targets, options.settings);
  for (size_t i = 0; i < selected.targets.size(); ++i)
    judge::meanings_of(selected.targets[i], selected.settings[i]); // wrong ones are refused before anything runs
  check_lines(selected.program, selected.targets, judge::checks_of(options.settings));
  if (options.settings.oracle == finding::OracleName::reference && selected.targets.size() != 1)
    throw UserError(frontend::status_usage, "a reference belongs to one function", "name it with -f");
}

} // namespace

HuntTargets select_targets(const Options& options, const std::atomic<bool>& stop, const ExtentMemory* memory) {
  HuntTargets selected = targets_before_measuring(options);
  measure(selected, options, stop, memory);
  check(selected, options);
  return selected;
}

HuntTargets select_unmeasured_targets(const Options& options) {
  HuntTargets selected = targets_before_measuring(options);
  check(selected, options);
  return selected;
}

} // namespace faultline::campaign
