#include "suite/gsl/gsl.h"

#include "finding/version.h"

#include <algorithm>

namespace faultline::suite {
namespace {

campaign::Options hunt_options(const GslOptions& options, const Trial& trial) {
  campaign::Options hunt;
  hunt.sources.files = {options.library};
  hunt.settings.wanted = {.error = true, .exceptions = false, .crashes = false, .branches = false, .bound = false};
  hunt.settings.threshold = significant_error;
  hunt.settings.norm = finding::Norm::component; // as published
  hunt.settings.single_pass = true;
  hunt.settings.strategy = trial.strategy;
  hunt.settings.evaluations = trial.evaluations;
  hunt.settings.budget_seconds = options.budget_seconds;
  hunt.settings.seed = options.seed;
  hunt.jobs = options.jobs;
  return hunt;
}

TargetScore score_of(const finding::TargetReport& target) {
  return score(
      target, [&](std::span<const double> arguments) { return benchmarks::gsl_reference(target.function, arguments); },
      significant_error);
}

// Functions whose inputs are held at the same values are hunted in together.
void run(Trial& trial, const std::vector<GslFunction>& functions, const GslOptions& options,
         const GslListener& listener, const std::atomic<bool>& stop) {
  std::map<Held, std::vector<std::string>> groups;
  for (const GslFunction& function : functions)
    groups[function.held].push_back(function.name);
  if (listener.on_trial)
    listener.on_trial(trial, functions.size());
  for (const auto& [held, names] : groups) {
    if (stop)
      return;
    campaign::Options hunt = hunt_options(options, trial);
    hunt.functions = names;
    hunt.settings.held = held;
    for (finding::TargetReport& target : campaign::hunt(hunt, listener.hunt, stop).targets) {
      if (target.outcome == finding::TargetOutcome::interrupted)
        continue;
      const TargetScore score = score_of(target);
      const std::string name = target.function;
      trial.functions.insert_or_assign(name, CampaignTargets{std::move(target), score});
    }
  }
}

} // namespace

const CampaignTargets* Trial::find(const std::string& function) const {
  const auto found = functions.find(function);
  return found == functions.end() ? nullptr : &found->second;
}

std::vector<GslFunction> GslEvaluation::functions_of(Arity arity) const {
  std::vector<GslFunction> chosen;
  std::ranges::copy_if(functions, std::back_inserter(chosen), [&](const GslFunction& function) {
    return arity == Arity::all || function.one_argument() == (arity == Arity::one);
  });
  return chosen;
}

GslEvaluation evaluate_gsl(const GslOptions& options, const GslListener& listener, const std::atomic<bool>& stop) {
  GslEvaluation evaluation;
  evaluation.options = options;
  evaluation.published = gsl_published(published_files());
  GslFunctions found = gsl_functions(options.library, evaluation.published, options.arity, options.functions);
  evaluation.functions = std::move(found.functions);
  evaluation.left_out = std::move(found.left_out);
  for (const std::string& strategy : options.strategies) {
    evaluation.hunts.push_back({strategy, std::nullopt, {}});
    run(evaluation.hunts.back(), evaluation.functions, options, listener, stop);
  }
  const std::vector<GslFunction> one_argument = evaluation.functions_of(Arity::one);
  if (!one_argument.empty())
    for (const std::string& strategy : options.compared) {
      evaluation.comparison.push_back({strategy, options.compared_evaluations, {}});
      run(evaluation.comparison.back(), one_argument, options, listener, stop);
    }
  return evaluation;
}

finding::Report findings_of(const GslEvaluation& evaluation, std::vector<std::string> command) {
  finding::Report report;
  report.version = finding::version;
  report.command = std::move(command);
  report.seed = evaluation.options.seed;
  const std::vector<Trial>& trials = evaluation.hunts.empty() ? evaluation.comparison : evaluation.hunts;
  if (!trials.empty())
    for (const GslFunction& function : evaluation.functions)
      if (const CampaignTargets* hunted = trials.front().find(function.name))
        report.targets.push_back(hunted->report);
  return report;
}

} // namespace faultline::suite
