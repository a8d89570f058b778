#include "cli/completion/choices.h"

#include "cli/parser.h"
#include "finding/settings/values.h"
#include "report/kind_pages.h"
#include "search/strategy.h"
#include "solve/solver.h"

#include <string_view>

namespace faultline::cli {

using finding::Form;
using finding::Setting;

namespace {

// The table stands above the layers that know strategies and solvers, so it cannot list them.
std::vector<std::string> words_for(const Setting& setting) {
  const std::string_view key = setting.key;
  if (key == "strategy")
    return search::strategy_names();
  if (key == "kind")
    return report::kind_names();
  if (key == "solver") {
    std::vector<std::string> names;
    for (const solve::NamedSolver& solver : solve::solvers())
      names.emplace_back(solver.name);
    return names;
  }
  return *setting.choices ? finding::comma_list(setting.choices) : std::vector<std::string>{};
}

Follows what_follows(const Setting& setting) {
  const std::string_view value = setting.value;
  if (setting.form == Form::flag)
    return Follows::nothing;
  if (!words_for(setting).empty())
    return Follows::words;
  if (value == "DIR")
    return Follows::folders;
  if (setting.form == Form::path || value == "FILE")
    return Follows::files;
  return Follows::anything;
}

} // namespace

std::vector<CompletedOption> completed_options(const Command& command) {
  std::vector<CompletedOption> options;
  for (const Setting& setting : options_of(command.options))
    if (*setting.option)
      options.push_back({finding::comma_list(setting.option), setting.help, setting.value, what_follows(setting),
                         words_for(setting), setting.repeatable()});
  options.push_back({{"-h", "--help"}, "what it does, and its options", "", Follows::nothing, {}, false});
  return options;
}

} // namespace faultline::cli
