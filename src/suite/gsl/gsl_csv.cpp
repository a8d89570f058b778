#include "suite/gsl/gsl_csv.h"

#include "numeric/decimal.h"
#include "suite/csv.h"

#include <algorithm>
#include <fmt/format.h>

namespace faultline::suite {
namespace {

using Cells = std::vector<std::string>;

const Cells titles = {"benchmark",
                      "strategy",
                      "relative_error",
                      "seconds",
                      "evaluations",
                      "budget",
                      "arguments",
                      "held",
                      "input",
                      "inputs_reported",
                      "inputs_significant",
                      "inputs_at_poles",
                      "inputs_undefined",
                      "inputs_unknown",
                      "first_significant",
                      "outcome",
                      "compared_error",
                      "compared_seconds",
                      "compared_evaluations",
                      "atomu",
                      "fpcc",
                      "atomu_published"};

std::string measure(double value) { return numeric::shortest_decimal(value); }

std::string seconds_text(double seconds) { return fmt::format("{:.6f}", seconds); }

const Trial* trial_of(const std::vector<Trial>& trials, const std::string& strategy) {
  const auto found = std::ranges::find(trials, strategy, &Trial::strategy);
  return found == trials.end() ? nullptr : &*found;
}

Cells cells_of(const GslFunction& function, const Trial& trial, const CampaignTargets& hunted,
               const CampaignTargets* compared) {
  const TargetScore& score = hunted.score;
  Cells cells = {function.name,
                 trial.strategy,
                 measure(score.largest_error),
                 seconds_text(hunted.report.seconds),
                 fmt::format("{}", hunted.report.evaluations),
                 trial.evaluations ? fmt::format("{}", *trial.evaluations) : "own",
                 fmt::format("{}", function.arguments),
                 text(function.held),
                 score.input,
                 fmt::format("{}", score.reported),
                 fmt::format("{}", score.significant),
                 fmt::format("{}", score.poles),
                 fmt::format("{}", score.undefined),
                 fmt::format("{}", score.unknown),
                 score.first_significant ? "yes" : "no",
                 std::string(finding::text(hunted.report.outcome))};
  if (compared)
    cells.insert(cells.end(), {measure(compared->score.largest_error), seconds_text(compared->report.seconds),
                               fmt::format("{}", compared->report.evaluations)});
  else
    cells.resize(cells.size() + 3);
  const GslFigures& figures = function.figures;
  if (function.one_argument())
    cells.insert(cells.end(), {measure(figures.atomu.largest_error), measure(figures.fpcc.largest_error),
                               figures.paper ? measure(*figures.paper) : ""});
  cells.resize(titles.size());
  return cells;
}

std::vector<std::string> strategies_of(const GslEvaluation& evaluation) {
  std::vector<std::string> strategies;
  for (const auto* trials : {&evaluation.hunts, &evaluation.comparison})
    for (const Trial& trial : *trials)
      if (std::ranges::find(strategies, trial.strategy) == strategies.end())
        strategies.push_back(trial.strategy);
  return strategies;
}

} // namespace

std::string gsl_csv(const GslEvaluation& evaluation) {
  std::string text = csv_line(titles);
  for (const std::string& strategy : strategies_of(evaluation)) {
    const Trial* hunts = trial_of(evaluation.hunts, strategy);
    const Trial* comparison = trial_of(evaluation.comparison, strategy);
    const Trial& trial = hunts ? *hunts : *comparison;
    for (const GslFunction& function : evaluation.functions)
      if (const CampaignTargets* hunted = trial.find(function.name))
        text += csv_line(cells_of(function, trial, *hunted, comparison ? comparison->find(function.name) : nullptr));
  }
  return text;
}

} // namespace faultline::suite
