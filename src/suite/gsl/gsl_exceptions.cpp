#include "suite/gsl/gsl_exceptions.h"

#include "base/clock.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "finding/report.h"
#include "finding/settings/table.h"
#include "finding/settings/values.h"
#include "frontend/error.h"
#include "report/junit.h"
#include "suite/bench.h"
#include "suite/subject.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <set>
#include <tuple>
#include <unistd.h>

namespace faultline::suite {

namespace {

using finding::Kind;
using finding::Verdict;
using report::Align;
using report::Row;

std::vector<Kind> exception_kinds() {
  std::vector<Kind> kinds;
  for (const ops::Exception exception : ops::all_exceptions)
    kinds.push_back(finding::kind_of(exception));
  return kinds;
}

template <class Key> size_t at(const std::map<Key, size_t>& counts, const Key& key) {
  const auto found = counts.find(key);
  return found == counts.end() ? 0 : found->second;
}

std::string number(size_t count) { return fmt::format("{}", count); }

std::string strategy_title(const ExceptionTrial& trial) {
  return trial.evaluations ? fmt::format("{}, {} evaluations", trial.strategy, *trial.evaluations) : trial.strategy;
}

std::string figures(const std::vector<ExceptionTrial>& trials, const std::vector<ExceptionCounts>& counts,
                    const report::Style& style) {
  std::vector<report::Column> columns = {{"exceptions in GSL's special functions"}};
  for (const ExceptionTrial& trial : trials)
    columns.push_back({strategy_title(trial), Align::right});
  std::vector<Row> rows;
  const auto add = [&](const std::string& label, const std::function<std::string(size_t)>& figure) {
    Row row = {label};
    for (size_t i = 0; i < trials.size(); ++i)
      row.push_back(figure(i));
    rows.push_back(std::move(row));
  };
  add("functions", [&](size_t i) { return number(counts[i].functions); });
  add("functions with any", [&](size_t i) { return number(counts[i].functions_with_any); });
  add("distinct function, location, operation, kind", [&](size_t i) { return number(counts[i].total()); });
  for (const Kind kind : exception_kinds())
    add(fmt::format("  {}", finding::text(kind)), [&](size_t i) { return number(at(counts[i].by_kind, kind)); });
  for (const Verdict verdict : {Verdict::avoidable, Verdict::inherent, Verdict::unknown})
    add(fmt::format("  {}", finding::text(verdict)),
        [&](size_t i) { return number(at(counts[i].by_verdict, verdict)); });
  add("  silent", [&](size_t i) { return number(counts[i].silent); });
  add("  reported by the function", [&](size_t i) { return number(counts[i].reported); });
  add("  reaching the output", [&](size_t i) { return number(counts[i].reaching); });
  add("  harmless underflows", [&](size_t i) { return number(counts[i].harmless); });
  add("evaluations", [&](size_t i) { return number(counts[i].evaluations); });
  add("seconds of searching", [&](size_t i) { return fmt::format("{:.1f}", counts[i].seconds); });
  add("seconds in all", [&](size_t i) { return fmt::format("{:.1f}", trials[i].seconds); });
  return report::table(columns, rows, style) + "\n";
}

// Compares the first strategy with the others.
std::string ratios(const std::vector<ExceptionTrial>& trials, const std::vector<ExceptionCounts>& counts) {
  std::string text;
  for (size_t i = 1; i < trials.size(); ++i) {
    const auto ratio = [&](size_t own, size_t other) {
      return other ? fmt::format("{:.2f}", double(own) / double(other)) : std::string("-");
    };
    std::vector<std::string> parts = {fmt::format("in all {}", ratio(counts[0].total(), counts[i].total()))};
    for (const Kind kind : exception_kinds())
      parts.push_back(
          fmt::format("{} {}", finding::text(kind), ratio(at(counts[0].by_kind, kind), at(counts[i].by_kind, kind))));
    text += fmt::format("{} : {}: {}\n", trials[0].strategy, trials[i].strategy, fmt::join(parts, ", "));
  }
  return text;
}

std::string means(const std::vector<ExceptionTrial>& trials, const std::vector<ExceptionCounts>& counts) {
  std::string text;
  for (size_t i = 0; i < trials.size(); ++i) {
    std::vector<std::string> parts;
    for (const auto& [name, count] : counts[i].by_means)
      parts.push_back(fmt::format("{} {}", name.empty() ? "?" : name, count));
    text += fmt::format("found by ({}): {}\n", trials[i].strategy, fmt::join(parts, ", "));
  }
  return text;
}

} // namespace

std::string gsl_exceptions_text(const GslExceptions& evaluation, const report::Style& style) {
  std::vector<ExceptionCounts> counts;
  for (const ExceptionTrial& trial : evaluation.trials)
    counts.push_back(counts_of(trial.targets));
  std::string text =
      figures(evaluation.trials, counts, style) + ratios(evaluation.trials, counts) + means(evaluation.trials, counts);
  for (const ExceptionTrial& trial : evaluation.trials)
    if (!trial.unfinished.empty())
      text += fmt::format("not finished by {}: {}\n", trial.strategy, fmt::join(trial.unfinished, ", "));
  if (!evaluation.left_out.empty())
    text += fmt::format("left out: {}\n", fmt::join(evaluation.left_out, ", "));
  return text;
}

std::string gsl_exceptions_csv(const GslExceptions& evaluation) {
  std::vector<std::string> titles = {"benchmark", "strategy", "relative_error", "seconds", "evaluations"};
  for (const Kind kind : exception_kinds())
    titles.emplace_back(finding::text(kind));
  for (const char* title : {"avoidable", "inherent", "unknown", "silent", "reported", "reaching", "harmless"})
    titles.emplace_back(title);
  std::string text = csv_line(titles);
  for (const ExceptionTrial& trial : evaluation.trials)
    for (const finding::TargetReport& target : trial.targets) {
      const ExceptionCounts counts = counts_of({target});
      Row row = {target.function, trial.strategy, "", fmt::format("{:.6f}", target.seconds),
                 number(target.evaluations)};
      for (const Kind kind : exception_kinds())
        row.push_back(number(at(counts.by_kind, kind)));
      for (const Verdict verdict : {Verdict::avoidable, Verdict::inherent, Verdict::unknown})
        row.push_back(number(at(counts.by_verdict, verdict)));
      for (const size_t count : {counts.silent, counts.reported, counts.reaching, counts.harmless})
        row.push_back(number(count));
      text += csv_line(row);
    }
  return text;
}

namespace {

using finding::TargetReport;

bool returns_a_status(const std::string& function) { return function.ends_with("_e"); }

// Reads the names of the suite, one per line; # begins a comment.
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

// Returns the requested functions that can be tested.
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
    throw frontend::UserError(frontend::status_unsuitable, "none of these functions can be tested",
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
  constexpr double as_long_as_it_takes = 3600; // the number of evaluations is the limit
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

namespace {

using frontend::status_usage;
using frontend::UserError;

constexpr const char* examples = R"(All public special functions that take numbers. The library is fetched and compiled
if need be. ariadne (and auto) search as long as they like within --budget; other strategies get --evals evaluations of
each function.

Examples:
  faultline bench gsl-exceptions                         ariadne and random
  faultline bench gsl-exceptions -o e.csv -o e.json      a line for each function and strategy; ariadne's findings
  faultline replay e.json                                every one of them again, in a fresh process
  faultline bench gsl-exceptions -f gsl_sf_bessel_Jnu_e  one function)";

GslExceptionsOptions options_from(const finding::Said& said) {
  GslExceptionsOptions options;
  options.functions = said.values("function");
  options.strategies = bench_strategies("--strategy", said.value("strategy"), options.strategies);
  if (options.strategies.empty())
    throw UserError(status_usage, "there is nothing to do", "leave out --strategy none");
  if (said.has("budget"))
    options.budget_seconds = finding::duration("--budget", said.value("budget"));
  if (said.has("evals"))
    options.evaluations = finding::positive_whole("--evals", said.value("evals"));
  if (said.has("seed"))
    options.seed = finding::whole("--seed", said.value("seed"));
  if (said.has("jobs"))
    options.jobs = cli::jobs_from(said, 1);
  return options;
}

} // namespace

int bench_gsl_exceptions(const cli::CommandLine& line) {
  const finding::Said said =
      parse({.name = "faultline bench gsl-exceptions",
             .description = "Hunts for exceptions in the special functions of the GNU Scientific Library.",
             .examples = examples,
             .operand = "DIR",
             .operand_help = "the folder that has gsl.bc (default: build/subjects/gsl)",
             .options = {function_option("this function; of the suite's"), strategy_option("ariadne,random"),
                         budget_option("budget", "10s", "for each function: 10s, 500ms, 2m"),
                         evaluations_option("20000", "evaluations of each function, except for ariadne and auto"),
                         seed_option(), jobs_option("functions to test in parallel"), report_option(), quiet_option()}},
            line);
  cli::refuse_flags(line);
  GslExceptionsOptions options = options_from(said);
  const std::vector<BenchReport> reports =
      bench_reports(said.values("report")); // opened first, because they may be refused
  options.library = subject_file("gsl", said.value(cli::operands));

  cli::ProgressDisplay progress(cli::progress_mode(said.is_on("quiet"), STDERR_FILENO), stderr);
  const cli::Interrupt interrupt;
  GslExceptionsListener listener;
  listener.on_trial = [&](const ExceptionTrial& trial, size_t functions) {
    progress.clear();
    if (!said.is_on("quiet"))
      fmt::print(stderr, "faultline: {}: {} functions{}\n", trial.strategy, functions,
                 trial.evaluations ? fmt::format(", {} evaluations each", *trial.evaluations) : "");
  };
  listener.hunt.on_progress = [&progress](const finding::Progress& now) { progress.update(now); };
  const GslExceptions evaluation = evaluate_gsl_exceptions(options, listener, interrupt.flag());
  progress.clear();
  return conclude(reports,
                  {[&] { return gsl_exceptions_text(evaluation, report::style_of(STDOUT_FILENO)); },
                   [&] { return gsl_exceptions_csv(evaluation); },
                   [&] { return report::json_text(findings_of(evaluation)); }},
                  interrupt.flag());
}

} // namespace faultline::suite
