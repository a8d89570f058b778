#include "suite/fpgen/fpgen.h"

#include "finding/version.h"
#include "frontend/error.h"
#include "judge/tasks/deadline.h"
#include "numeric/decimal.h"

#include <algorithm>
#include <cmath>

namespace faultline::suite {

using finding::Finding;
using finding::TargetReport;

namespace {

constexpr uint64_t no_limit = uint64_t(1) << 50; // of evaluations: time decides

double value_of(const finding::Number& number) { return numeric::parse_double(number.hex).value_or(std::nan("")); }

double error_of(const Finding& finding) {
  const double exact = std::fabs(value_of(finding.output->reference));
  return finding.error->absolute / (exact > fpgen_floor ? exact : fpgen_floor);
}

// An infinity where exact arithmetic has a number.
bool is_infinite_error(const Finding& finding) {
  return finding.output && !finding.output->reference.hex.empty() && std::isinf(value_of(finding.output->computed)) &&
         std::isfinite(value_of(finding.output->reference));
}

// A=1,2,3 x=4
std::string text(const std::vector<finding::NamedNumber>& input) {
  std::string words, last;
  for (const finding::NamedNumber& cell : input) {
    const std::string array = cell.name.substr(0, cell.name.find('['));
    if (array == last)
      words += ",";
    else
      words += (words.empty() ? "" : " ") + array + "=";
    words += cell.value.decimal;
    last = array;
  }
  return words;
}

using Reports = std::map<std::string, TargetReport>; // by benchmark

// One strategy, one budget, the benchmarks library by library: each library is read once.
class Hunts {
public:
  Hunts(const FpgenEvaluation& evaluation, const FpgenListener& listener, const std::atomic<bool>& stop)
      : evaluation_(evaluation), listener_(listener), stop_(stop) {}

  Reports run(const std::string& strategy, double seconds) {
    Reports reports;
    if (stop_)
      return reports;
    if (listener_.on_hunts)
      listener_.on_hunts(strategy, seconds, evaluation_.benchmarks.size());
    for (const FpgenLibrary library : {FpgenLibrary::none, FpgenLibrary::meschach, FpgenLibrary::gsl}) {
      std::vector<FpgenBenchmark> group;
      std::ranges::copy_if(evaluation_.benchmarks, std::back_inserter(group),
                           [&](const FpgenBenchmark& benchmark) { return benchmark.library == library; });
      if (!group.empty() && !stop_)
        hunt_unless_stopped(group, strategy, seconds, reports);
    }
    return reports;
  }

private:
  // An interrupt reaches the compiler, too: what it says then is no news.
  void hunt_unless_stopped(const std::vector<FpgenBenchmark>& group, const std::string& strategy, double seconds,
                           Reports& reports) {
    try {
      hunt(group, strategy, seconds, reports);
    } catch (const frontend::UserError&) {
      if (!stop_)
        throw;
    }
  }

  void hunt(const std::vector<FpgenBenchmark>& group, const std::string& strategy, double seconds, Reports& reports) {
    const FpgenOptions& options = evaluation_.options;
    campaign::Options hunt = fpgen_hunt(group, options.folders);
    // Branches: a pivot that is chosen differently in exact arithmetic makes an error like any other.
    hunt.settings.wanted = {.error = true, .exceptions = true, .crashes = false, .branches = true, .bound = false};
    hunt.settings.threshold = fpgen_threshold;
    hunt.settings.single_pass = true;
    hunt.settings.norm = finding::Norm::component; // as published
    hunt.settings.floor = fpgen_floor;
    hunt.settings.nonzero = options.nonzero;
    hunt.settings.strategy = strategy;
    hunt.settings.evaluations = no_limit;
    hunt.settings.budget_seconds = seconds / judge::end_of_search; // the seconds are those of the search
    hunt.settings.seed = options.seed;
    hunt.jobs = options.jobs;
    for (TargetReport& report : campaign::hunt(hunt, listener_.hunt, stop_).targets) {
      const auto benchmark = std::ranges::find(group, report.function, &FpgenBenchmark::function);
      if (benchmark != group.end() && report.outcome != finding::TargetOutcome::interrupted)
        reports.emplace(benchmark->name, std::move(report));
    }
  }

  const FpgenEvaluation& evaluation_;
  const FpgenListener& listener_;
  const std::atomic<bool>& stop_;
};

} // namespace

FpgenWorst worst_of(const TargetReport& report) {
  FpgenWorst worst;
  for (const Finding& finding : report.findings) {
    worst.infinite = worst.infinite || is_infinite_error(finding);
    if (!is_error(finding.kind) || !finding.error || !finding.output || finding.output->reference.hex.empty())
      continue;
    auto note = [&](double error, const std::vector<finding::NamedNumber>& input) {
      if (error > worst.error)
        worst = {error, finding.output->name, text(input), finding.kind == finding::Kind::branch_flip, worst.infinite};
    };
    note(error_of(finding), finding.input);
    for (const finding::Witness& witness : finding.also) // the hunt measures with the same floor
      note(witness.relative, witness.input);
  }
  return worst;
}

const FpgenResult* FpgenTrial::find(const std::string& benchmark) const {
  const auto found = benchmarks.find(benchmark);
  return found == benchmarks.end() ? nullptr : &found->second;
}

const FpgenFigures& FpgenEvaluation::figures_of(const FpgenBenchmark& benchmark) const {
  return published.at(benchmark.twin.empty() ? benchmark.name : benchmark.twin);
}

double FpgenEvaluation::limit_of(const FpgenBenchmark& benchmark) const {
  const FpgenFigures& figures = figures_of(benchmark);
  return options.nonzero ? figures.limit_nonzero : figures.limit_any;
}

FpgenEvaluation evaluate_fpgen(const FpgenOptions& options, const FpgenListener& listener,
                               const std::atomic<bool>& stop) {
  FpgenEvaluation evaluation;
  evaluation.options = options;
  evaluation.benchmarks = fpgen_benchmarks(options.benchmarks);
  evaluation.published = fpgen_published(fpgen_files());
  Hunts hunts(evaluation, listener, stop);
  for (const std::string& strategy : options.strategies) {
    FpgenTrial trial{strategy, {}};
    Reports brief;
    if (options.seconds > fpgen_short_seconds)
      brief = hunts.run(strategy, fpgen_short_seconds);
    for (auto& [name, report] : hunts.run(strategy, options.seconds)) {
      FpgenResult result{std::move(report), {}, std::nullopt};
      result.worst = worst_of(result.report);
      if (options.seconds <= fpgen_short_seconds)
        result.short_error = result.worst.error;
      else if (const auto found = brief.find(name); found != brief.end())
        result.short_error = worst_of(found->second).error;
      trial.benchmarks.emplace(name, std::move(result));
    }
    evaluation.trials.push_back(std::move(trial));
    if (stop)
      break;
  }
  return evaluation;
}

finding::Report findings_of(const FpgenEvaluation& evaluation, std::vector<std::string> command) {
  finding::Report report;
  report.version = finding::version;
  report.command = std::move(command);
  report.seed = evaluation.options.seed;
  if (!evaluation.trials.empty())
    for (const FpgenBenchmark& benchmark : evaluation.benchmarks)
      if (const FpgenResult* result = evaluation.trials.front().find(benchmark.name))
        report.targets.push_back(result->report);
  return report;
}

} // namespace faultline::suite
