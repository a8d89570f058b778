#include "suite/fpgen.h"

#include "cli/options.h"
#include "cli/progress.h"
#include "finding/report.h"
#include "finding/settings/values.h"
#include "frontend/error.h"
#include "judge/tasks/tell.h"
#include "numeric/decimal.h"
#include "report/junit.h"
#include "suite/bench.h"
#include "suite/fpgen_text.h"
#include "suite/subject.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

namespace faultline::suite {

using finding::Finding;
using finding::TargetReport;
using frontend::status_usage;
using frontend::UserError;

namespace {

std::vector<FpgenBenchmark> summations() {
  std::vector<FpgenBenchmark> all;
  for (const char* name : {"recursive_sum_32", "pairwise_sum_32", "compensated_sum_32"})
    all.push_back({name, "", name, FpgenLibrary::none, {{"L", {32}}}});
  return all;
}

std::vector<FpgenBenchmark> of_meschach() {
  const FpgenArray x{"x", {4}}, y{"y", {4}}, A{"A", {4, 4}}, B{"B", {4, 4}};
  const FpgenArray z{"z", {7}, false}, b{"b", {4}, false}, C{"C", {4, 4}, false};
  constexpr FpgenLibrary library = FpgenLibrary::meschach;
  return {{"sum", "", "sum", library, {x}},
          {"1-norm", "", "one_norm", library, {x}},
          {"2-norm", "", "two_norm", library, {x}},
          {"dot", "", "dot", library, {x, y}},
          {"convolution", "", "convolution", library, {x, y, z}},
          {"MV", "", "matrix_vector", library, {x, A, b}},
          {"MM", "", "matrix_matrix", library, {A, B, C}},
          {"LU", "", "lu", library, {A}},
          {"QR", "", "qr", library, {A}}};
}

std::vector<FpgenBenchmark> of_gsl() {
  const FpgenArray w{"w", {4}}, x{"x", {4}};
  std::vector<FpgenBenchmark> all;
  const auto add = [&](const std::string& name, bool with_twin, const std::vector<FpgenArray>& arrays) {
    std::string function = name;
    std::ranges::replace(function, '-', '_');
    all.push_back({name, "", function, FpgenLibrary::gsl, arrays});
    if (with_twin)
      all.push_back({name + "-m", name, function + "_m", FpgenLibrary::gsl, arrays});
  };
  add("wmean", false, {w, x});
  add("wvariance", true, {w, x});
  add("wsd", true, {w, x});
  add("wvariance-w", false, {w, x});
  add("wsd-w", false, {w, x});
  add("wtss", true, {w, x});
  add("wabsdev", true, {w, x});
  add("wskew", true, {w, x});
  add("wkurtosis", true, {w, x});
  return all;
}

void add_sources(campaign::Options& hunt, FpgenLibrary library, const FpgenFolders& folders) {
  std::vector<std::string>& files = hunt.sources.files;
  std::vector<std::string>& flags = hunt.sources.flags;
  switch (library) {
  case FpgenLibrary::none:
    files = {folders.harnesses + "/summation.c"};
    break;
  case FpgenLibrary::meschach:
    files = {folders.harnesses + "/meschach.c", folders.meschach + "/meschach.bc"};
    flags = {"-I" + folders.meschach + "/include/meschach"};
    break;
  case FpgenLibrary::gsl:
    files = {folders.harnesses + "/gsl_statistics.c"};
    for (const char* part : {"wmean", "wvariance", "wabsdev", "wskew", "wkurtosis"})
      files.push_back(fmt::format("{}/src/statistics/{}.c", folders.gsl, part));
    flags = {"-mlong-double-64", "-DHAVE_CONFIG_H", "-I" + folders.gsl + "/src", "-I" + folders.gsl + "/include"};
    break;
  }
}

} // namespace

const std::vector<FpgenBenchmark>& fpgen_benchmarks() {
  static const std::vector<FpgenBenchmark> all = [] {
    std::vector<FpgenBenchmark> all = summations();
    std::ranges::copy(of_meschach(), std::back_inserter(all));
    std::ranges::copy(of_gsl(), std::back_inserter(all));
    return all;
  }();
  return all;
}

std::vector<FpgenBenchmark> fpgen_benchmarks(const std::vector<std::string>& names) {
  const std::vector<FpgenBenchmark>& all = fpgen_benchmarks();
  std::vector<std::string> known;
  for (const FpgenBenchmark& benchmark : all)
    known.push_back(benchmark.name);
  for (const std::string& name : names)
    if (std::ranges::find(known, name) == known.end()) {
      const std::vector<std::string> close = frontend::nearest(name, known);
      throw UserError(status_usage, fmt::format("-f {}: there is no such benchmark in the suite", name),
                      fmt::format("{}: {}", close.empty() ? "the benchmarks" : "the nearest names",
                                  fmt::join(close.empty() ? known : close, ", ")));
    }
  std::vector<FpgenBenchmark> chosen;
  std::ranges::copy_if(all, std::back_inserter(chosen), [&](const FpgenBenchmark& benchmark) {
    return names.empty() ? benchmark.twin.empty() : std::ranges::find(names, benchmark.name) != names.end();
  });
  return chosen;
}

campaign::Options fpgen_hunt(const std::vector<FpgenBenchmark>& benchmarks, const FpgenFolders& folders) {
  campaign::Options hunt;
  add_sources(hunt, benchmarks.front().library, folders);
  for (const FpgenBenchmark& benchmark : benchmarks) {
    hunt.functions.push_back(benchmark.function);
    for (const FpgenArray& array : benchmark.arrays) {
      hunt.settings.sizes[array.name] = array.extents;
      if (!array.is_input)
        continue;
      hunt.settings.formats[array.name] = numeric::Format::binary32;
      hunt.settings.ranges[array.name] = {-100, 100};
    }
  }
  return hunt;
}

namespace {

double number(const Csv& csv, const std::vector<std::string>& row, const char* title) {
  const std::string& cell = row[csv.column(title)];
  const std::optional<double> value = numeric::parse_double(cell);
  if (!value || !(*value >= 0))
    throw UserError(status_usage, fmt::format("{}: '{}' in column {} is not a measure", csv.name, cell, title));
  return *value;
}

} // namespace

double FpgenFigures::best() const { return std::max({random, s3fp, klee_float, fpgen}); }

// The limit shows where no error can be large: the two norms.
double FpgenFigures::to_reach() const { return limit_any < 1e-15 ? 2.5e-16 : best(); }

FpgenPublished fpgen_published(const Files& files) {
  FpgenPublished published;
  const Csv table = published_csv(files, "fpgen_table3.csv");
  for (const std::vector<std::string>& row : table.rows) {
    FpgenFigures& figures = published[row[table.column("benchmark")]];
    figures.random = number(table, row, "random");
    figures.s3fp = number(table, row, "s3fp");
    figures.klee_float = number(table, row, "klee_float");
    figures.fpgen = number(table, row, "fpgen");
  }
  const Csv limits = published_csv(files, "fpgen_limits.csv");
  for (const std::vector<std::string>& row : limits.rows) {
    const std::string& name = row[limits.column("benchmark")];
    const auto found = published.find(name);
    if (found == published.end())
      throw UserError(status_usage, fmt::format("{}: '{}' is not a benchmark of {}", limits.name, name, table.name));
    found->second.limit_any = number(limits, row, "any");
    found->second.limit_nonzero = number(limits, row, "nonzero");
  }
  for (const auto& [name, figures] : published)
    if (!(figures.limit_any > 0 && figures.limit_nonzero > 0))
      throw UserError(status_usage, fmt::format("{}: there is no limit of {}", limits.name, name));
  return published;
}

namespace {

constexpr uint64_t no_limit = uint64_t(1) << 50; // of evaluations: the time is the limit

double value_of(const finding::Number& number) { return numeric::parse_double(number.hex).value_or(std::nan("")); }

double error_of(const Finding& finding) {
  const double exact = std::fabs(value_of(finding.output->reference));
  return finding.error->absolute / (exact > fpgen_floor ? exact : fpgen_floor);
}

// True for an infinity where the exact result is finite.
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

// Runs one strategy with one budget on the benchmarks, library by library, so that each library is read once.
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
  // An interrupt reaches the compiler, too. Its messages are suppressed then.
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
    // Branches: a pivot chosen differently in exact arithmetic makes an error like any other.
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

namespace {

constexpr const char* examples =
    R"(21 programs with 4 to 32 inputs: three summations, nine calls of Meschach, nine of GSL's
weighted statistics. Inputs are binary32 values in [-100, 100]. The libraries are fetched and compiled if need be. Each
strategy hunts in each program for 2 s, and then anew for the time that --time gives.

Examples:
  faultline bench fpgen                             all of it: about 25 minutes
  faultline bench fpgen --strategy fpgen --time 10s -o fpgen.csv
  faultline bench fpgen -f LU -f QR --nonzero       two programs, exact results of 0 excluded)";

FpgenOptions fpgen_options(const finding::Said& said) {
  FpgenOptions options;
  options.benchmarks = said.values("function");
  options.strategies = bench_strategies("--strategy", said.value("strategy"), {"fpgen", "random", "s3fp"});
  if (options.strategies.empty())
    throw frontend::UserError(frontend::status_usage, "there is nothing to do", "--strategy fpgen");
  if (said.has("time"))
    options.seconds = finding::duration("--time", said.value("time"));
  options.nonzero = said.is_on("nonzero");
  if (said.has("seed"))
    options.seed = finding::whole("--seed", said.value("seed"));
  if (said.has("jobs"))
    options.jobs = cli::jobs_from(said, 1);
  return options;
}

// Finds only the folders that the benchmarks need.
FpgenFolders folders_for(const std::vector<FpgenBenchmark>& benchmarks) {
  const auto needs = [&](FpgenLibrary library) {
    return std::ranges::find(benchmarks, library, &FpgenBenchmark::library) != benchmarks.end();
  };
  const auto folder = [](const std::string& subject) {
    return std::filesystem::path(subject_file(subject, "")).parent_path().string();
  };
  FpgenFolders folders;
  folders.harnesses = source_folder("benchmarks/fpgen");
  if (needs(FpgenLibrary::meschach))
    folders.meschach = folder("meschach");
  if (needs(FpgenLibrary::gsl))
    folders.gsl = folder("gsl");
  return folders;
}

FpgenListener listener_for(bool quiet, cli::ProgressDisplay& progress) {
  FpgenListener listener;
  listener.on_hunts = [quiet, &progress](const std::string& strategy, double seconds, size_t benchmarks) {
    progress.clear();
    if (!quiet)
      fmt::print(stderr, "faultline: {}: {} benchmarks, {} s each\n", strategy, benchmarks, seconds);
  };
  listener.hunt.on_progress = [&progress](const finding::Progress& now) { progress.update(now); };
  return listener;
}

} // namespace

int bench_fpgen(const cli::CommandLine& line) {
  const finding::Said said =
      parse({.name = "faultline bench fpgen",
             .description = "Hunts for rounding errors in array code: the evaluation of FPGen (ICSE 2020).",
             .examples = examples,
             .options = {function_option("this benchmark; of the 21 that differ"),
                         strategy_option("fpgen,random,s3fp"),
                         budget_option("time", "20s", "for each benchmark: 20s, 500ms, 2m"),
                         {.key = "nonzero",
                          .option = "--nonzero",
                          .group = "Search",
                          .form = finding::Form::flag,
                          .help = "only inputs whose exact result is at least FLT_MIN in magnitude"},
                         seed_option(),
                         jobs_option("benchmarks at the same time"),
                         report_option(),
                         quiet_option()}},
            line);
  cli::refuse_flags(line);
  FpgenOptions options = fpgen_options(said);
  const std::vector<FpgenBenchmark> benchmarks = fpgen_benchmarks(options.benchmarks);
  const std::vector<BenchReport> reports =
      bench_reports(said.values("report")); // opened first, because they may be refused
  options.folders = folders_for(benchmarks);

  cli::ProgressDisplay progress(cli::progress_mode(said.is_on("quiet"), STDERR_FILENO), stderr);
  const cli::Interrupt interrupt;
  const FpgenEvaluation evaluation =
      evaluate_fpgen(options, listener_for(said.is_on("quiet"), progress), interrupt.flag());
  progress.clear();
  return conclude(reports,
                  {[&] { return fpgen_text(evaluation, report::style_of(STDOUT_FILENO)); },
                   [&] { return fpgen_csv(evaluation); },
                   [&] { return report::json_text(findings_of(evaluation, cli::recorded(line.typed))); }},
                  interrupt.flag());
}

} // namespace faultline::suite
