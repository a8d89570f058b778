#include "cli/bench.h"

#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/values.h"
#include "frontend/error.h"
#include "report/json.h"
#include "report/progress.h"
#include "suite/fpgen.h"
#include "suite/fpgen_csv.h"
#include "suite/fpgen_text.h"
#include "suite/subject.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace faultline::cli {
namespace {

constexpr const char* examples =
    R"(21 programs with 4 to 32 inputs: three summations, nine calls of Meschach, nine of GSL's
weighted statistics. Inputs are binary32 values in [-100, 100]. The libraries are fetched and compiled if need be. Each
strategy hunts in each program for 2 s, and then anew for the time that --time gives.

Examples:
  faultline bench fpgen                             all of it: about 25 minutes
  faultline bench fpgen --strategy fpgen --time 10s -o fpgen.csv
  faultline bench fpgen -f LU -f QR --nonzero       two programs, exact results of 0 excluded)";

struct FpgenArguments {
  std::string strategies, time, seed, jobs;
  std::vector<std::string> benchmarks, reports;
  bool nonzero = false, quiet = false;
};

void add_options(CLI::App& app, FpgenArguments& arguments) {
  const auto add = [&](const char* name, std::string& value, const char* form, const char* help) {
    app.add_option(name, value, help)->option_text(form);
  };
  app.add_option("-f,--function", arguments.benchmarks, "this benchmark; repeatable (default: the 21 that differ)")
      ->allow_extra_args(false)
      ->option_text("NAME");
  add("--strategy", arguments.strategies, "LIST", "strategies that hunt (default: fpgen,random,s3fp)");
  add("--time", arguments.time, "TIME", "for each benchmark: 20s (default), 500ms, 2m");
  app.add_flag("--nonzero", arguments.nonzero, "only inputs whose exact result is at least FLT_MIN in magnitude");
  add("--seed", arguments.seed, "N", "of the random numbers (default: 1)");
  add("-j,--jobs", arguments.jobs, "N", "benchmarks at the same time (default: 1, so that times compare)");
  app.add_option("-o", arguments.reports, "a report: .json, .csv, or - for JSON on standard output; repeatable")
      ->allow_extra_args(false)
      ->option_text("FILE");
  app.add_flag("--quiet", arguments.quiet, "no progress on standard error");
}

suite::FpgenOptions fpgen_options(const FpgenArguments& arguments) {
  suite::FpgenOptions options;
  options.benchmarks = arguments.benchmarks;
  options.strategies = bench_strategies("--strategy", arguments.strategies, {"fpgen", "random", "s3fp"});
  if (options.strategies.empty())
    throw frontend::UserError(frontend::status_usage, "there is nothing to do", "--strategy fpgen");
  if (!arguments.time.empty())
    options.seconds = duration("--time", arguments.time);
  options.nonzero = arguments.nonzero;
  if (!arguments.seed.empty())
    options.seed = whole("--seed", arguments.seed);
  if (!arguments.jobs.empty())
    options.jobs = int(std::min<uint64_t>(positive_whole("-j", arguments.jobs), 1024));
  return options;
}

// Only what the benchmarks call.
suite::FpgenFolders folders_for(const std::vector<suite::FpgenBenchmark>& benchmarks) {
  const auto needs = [&](suite::FpgenLibrary library) {
    return std::ranges::find(benchmarks, library, &suite::FpgenBenchmark::library) != benchmarks.end();
  };
  const auto folder = [](const std::string& subject) {
    return std::filesystem::path(suite::subject_file(subject, "")).parent_path().string();
  };
  suite::FpgenFolders folders;
  folders.harnesses = suite::source_folder("benchmarks/fpgen");
  if (needs(suite::FpgenLibrary::meschach))
    folders.meschach = folder("meschach");
  if (needs(suite::FpgenLibrary::gsl))
    folders.gsl = folder("gsl");
  return folders;
}

suite::FpgenListener listener_for(bool quiet, report::ProgressDisplay& progress) {
  suite::FpgenListener listener;
  listener.on_hunts = [quiet, &progress](const std::string& strategy, double seconds, size_t benchmarks) {
    progress.clear();
    if (!quiet)
      fmt::print(stderr, "faultline: {}: {} benchmarks, {} s each\n", strategy, benchmarks, seconds);
  };
  listener.hunt.on_progress = [&progress](const campaign::Progress& now) { progress.update(now); };
  return listener;
}

} // namespace

int bench_fpgen(const Line& line) {
  CLI::App app("Hunts for rounding errors in array code: the evaluation of FPGen (ICSE 2020).",
               "faultline bench fpgen");
  app.footer(examples);
  FpgenArguments arguments;
  add_options(app, arguments);
  parse(app, line);
  refuse_flags(line);
  suite::FpgenOptions options = fpgen_options(arguments);
  const std::vector<suite::FpgenBenchmark> benchmarks = suite::fpgen_benchmarks(options.benchmarks);
  const std::vector<BenchReport> reports = bench_reports(arguments.reports); // now: they may be refused
  options.folders = folders_for(benchmarks);

  report::ProgressDisplay progress(report::progress_mode(arguments.quiet, STDERR_FILENO), stderr);
  const Interrupt interrupt;
  const suite::FpgenEvaluation evaluation =
      suite::evaluate_fpgen(options, listener_for(arguments.quiet, progress), interrupt.flag());
  progress.clear();
  return conclude(reports,
                  {[&] { return suite::fpgen_text(evaluation, report::style_of(STDOUT_FILENO)); },
                   [&] { return suite::fpgen_csv(evaluation); },
                   [&] { return report::json_text(suite::findings_of(evaluation, recorded(line.typed))); }},
                  interrupt.flag());
}

} // namespace faultline::cli
