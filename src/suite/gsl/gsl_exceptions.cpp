#include "suite/gsl/gsl_exceptions.h"

#include "base/clock.h"
#include "finding/settings/table.h"
#include "finding/version.h"
#include "frontend/error.h"
#include "suite/subject.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <set>
#include <tuple>

namespace faultline::suite {
namespace {

using finding::TargetReport;

bool returns_a_status(const std::string& function) { return function.ends_with("_e"); }

// The names of the suite, one a line; # begins a comment.
std::vector<std::string> names_of_suite() {
  const std::string path = source_folder("benchmarks/gsl-exceptions") + "/functions.txt";
  std::ifstream file(path);
  std::vector<std::string> names;
  for (std::string line; std::getline(file, line);)
    if (!line.empty() && line.front() != '#')
      names.push_back(line);
  if (names.empty())
    throw frontend::UserError(frontend::status_usage, path + ": there are no names in it", "restore the source tree");
  return names;
}

// Those that can be hunted in, of the names asked for.
std::vector<std::string> suitable(const GslExceptionsOptions& options, std::vector<std::string>& left_out) {
  const std::vector<std::string> suite = names_of_suite();
  const std::vector<std::string>& wanted = options.functions.empty() ? suite : options.functions;
  campaign::Options listing;
  listing.sources.files = {options.library};
  frontend::Program program = frontend::Program::load(listing.sources);
  std::set<std::string> known;
  for (const frontend::Target& target : program.targets({}, {}))
    if (target.suitable())
      known.insert(target.function);
  std::vector<std::string> names;
  for (const std::string& name : wanted)
    (known.contains(name) ? names : left_out).push_back(name);
  if (names.empty())
    throw frontend::UserError(frontend::status_unsuitable, "none of these functions can be hunted in",
                              "faultline list shows those that can");
  return names;
}

campaign::Options hunt_options(const GslExceptionsOptions& options, const ExceptionTrial& trial) {
  campaign::Options hunt;
  hunt.sources.files = {options.library};
  hunt.settings.wanted = {.error = false, .exceptions = true, .crashes = false, .branches = false, .bound = false};
  hunt.settings.norm = finding::Norm::component;
  hunt.settings.all = true;
  hunt.settings.strategy = trial.strategy;
  hunt.settings.evaluations = trial.evaluations;
  constexpr double as_long_as_it_takes = 3600; // for who has to do so many evaluations
  hunt.settings.budget_seconds = trial.evaluations ? as_long_as_it_takes : options.budget_seconds;
  hunt.settings.seed = options.seed;
  hunt.jobs = options.jobs;
  return hunt;
}

void run(ExceptionTrial& trial, const std::vector<std::string>& names, const GslExceptionsOptions& options,
         const GslExceptionsListener& listener, const std::atomic<bool>& stop) {
  if (listener.on_trial)
    listener.on_trial(trial, names.size());
  const base::Stopwatch watch;
  for (const bool status : {true, false}) {
    campaign::Options hunt = hunt_options(options, trial);
    std::ranges::copy_if(names, std::back_inserter(hunt.functions),
                         [&](const std::string& name) { return returns_a_status(name) == status; });
    if (status)
      hunt.settings.status = finding::Status{"return", 0};
    if (hunt.functions.empty() || stop)
      continue;
    for (TargetReport& target : campaign::hunt(hunt, listener.hunt, stop).targets)
      if (target.outcome != finding::TargetOutcome::interrupted)
        trial.targets.push_back(std::move(target));
      else
        trial.unfinished.push_back(
            fmt::format("{} ({})", target.function, target.note.empty() ? "interrupted" : target.note));
  }
  std::ranges::sort(trial.targets, {}, &TargetReport::function);
  trial.seconds = watch.seconds();
}

} // namespace

size_t ExceptionCounts::total() const {
  size_t sum = 0;
  for (const auto& [kind, count] : by_kind)
    sum += count;
  return sum;
}

ExceptionCounts counts_of(const std::vector<TargetReport>& targets) {
  ExceptionCounts counts;
  for (const TargetReport& target : targets) {
    std::set<std::tuple<std::string, int, int, std::string, finding::Kind>> seen;
    for (const finding::Finding& finding : target.findings) {
      if (!finding.aftermath || !finding.cause || finding.aftermath->consequence ||
          !seen.emplace(finding.cause->file, finding.cause->line, finding.cause->column, finding.cause->operation,
                        finding.kind)
               .second)
        continue;
      ++counts.by_kind[finding.kind];
      ++counts.by_verdict[finding.verdict];
      ++(finding.aftermath->silent() ? counts.silent : counts.reported);
      counts.reaching += finding.aftermath->reaches_output;
      counts.harmless += finding.aftermath->harmless;
      ++counts.by_means[finding.found_by];
    }
    ++counts.functions;
    counts.functions_with_any += !seen.empty();
    counts.evaluations += target.evaluations;
    counts.seconds += target.seconds;
  }
  return counts;
}

GslExceptions evaluate_gsl_exceptions(const GslExceptionsOptions& options, const GslExceptionsListener& listener,
                                      const std::atomic<bool>& stop) {
  GslExceptions evaluation;
  evaluation.options = options;
  const std::vector<std::string> names = suitable(options, evaluation.left_out);
  for (const std::string& strategy : options.strategies) {
    const bool at_will = strategy == "ariadne" || strategy == "auto";
    evaluation.trials.push_back({strategy, at_will ? std::nullopt : std::optional(options.evaluations), {}, {}, 0});
    run(evaluation.trials.back(), names, options, listener, stop);
  }
  return evaluation;
}

finding::Report findings_of(const GslExceptions& evaluation) {
  finding::Report report;
  report.version = finding::version;
  report.seed = evaluation.options.seed;
  if (evaluation.trials.empty())
    return report;
  const ExceptionTrial& first = evaluation.trials.front();
  report.command = {"hunt", evaluation.options.library};
  std::ranges::copy(words_of(said_by(hunt_options(evaluation.options, first).settings)),
                    std::back_inserter(report.command));
  report.targets = first.targets;
  return report;
}

} // namespace faultline::suite
