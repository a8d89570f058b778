#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "finding/settings/values.h"
#include "frontend/error.h"
#include "report/json.h"
#include "suite/bench.h"
#include "suite/fpgen/fpgen.h"
#include "suite/fpgen/fpgen_csv.h"
#include "suite/fpgen/fpgen_text.h"
#include "suite/subject.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace faultline::suite {
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

// Only what the benchmarks call.
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
  const std::vector<BenchReport> reports = bench_reports(said.values("report")); // now: they may be refused
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
