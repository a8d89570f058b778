#include "campaign/hunt.h"
#include "cli/bench.h"
#include "cli/interrupt.h"
#include "cli/values.h"
#include "frontend/error.h"
#include "report/json.h"
#include "report/progress.h"
#include "suite/gsl_exceptions.h"
#include "suite/gsl_exceptions_text.h"
#include "suite/subject.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <unistd.h>

namespace faultline::cli {
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

struct Typed {
  std::string folder, strategies, evaluations, budget, seed, jobs;
  std::vector<std::string> functions, reports;
  bool quiet = false;
};

void add_options(CLI::App& app, Typed& typed) {
  const auto add = [&](const char* name, std::string& value, const char* form, const char* help) {
    app.add_option(name, value, help)->option_text(form)->group("Search");
  };
  app.add_option("DIR", typed.folder, "the folder that has gsl.bc (default: build/subjects/gsl)")->option_text(" ");
  app.add_option("-f,--function", typed.functions, "this function; repeatable (default: all of the suite)")
      ->allow_extra_args(false)
      ->option_text("NAME")
      ->group("Functions");
  add("--strategy", typed.strategies, "LIST", "strategies that hunt (default: ariadne,random)");
  add("--budget", typed.budget, "TIME", "for each function: 10s (default), 500ms, 2m");
  add("--evals", typed.evaluations, "N", "evaluations of each function, but for ariadne and auto (default: 20000)");
  add("--seed", typed.seed, "N", "of the random numbers (default: 1)");
  add("-j,--jobs", typed.jobs, "N", "functions at the same time (default: 1, so that times compare)");
  app.add_option("-o", typed.reports, "a report: .json, .csv, or - for JSON on standard output; repeatable")
      ->allow_extra_args(false)
      ->option_text("FILE")
      ->group("Output");
  app.add_flag("--quiet", typed.quiet, "no progress on standard error")->group("Output");
}

suite::GslExceptionsOptions options_from(const Typed& typed) {
  suite::GslExceptionsOptions options;
  options.functions = typed.functions;
  options.strategies = bench_strategies("--strategy", typed.strategies, options.strategies);
  if (options.strategies.empty())
    throw UserError(status_usage, "there is nothing to do", "leave out --strategy none");
  if (!typed.budget.empty())
    options.budget_seconds = duration("--budget", typed.budget);
  if (!typed.evaluations.empty())
    options.evaluations = positive_whole("--evals", typed.evaluations);
  if (!typed.seed.empty())
    options.seed = whole("--seed", typed.seed);
  if (!typed.jobs.empty())
    options.jobs = int(std::min<uint64_t>(positive_whole("-j", typed.jobs), 1024));
  return options;
}

} // namespace

int bench_gsl_exceptions(const Line& line) {
  CLI::App app("Hunts for exceptions in the special functions of the GNU Scientific Library.",
               "faultline bench gsl-exceptions");
  app.footer(examples);
  Typed typed;
  add_options(app, typed);
  parse(app, line);
  refuse_flags(line);
  suite::GslExceptionsOptions options = options_from(typed);
  const std::vector<BenchReport> reports = bench_reports(typed.reports); // now: they may be refused
  options.library = suite::subject_file("gsl", typed.folder);

  report::ProgressDisplay progress(report::progress_mode(typed.quiet, STDERR_FILENO), stderr);
  const Interrupt interrupt;
  suite::GslExceptionsListener listener;
  listener.on_trial = [&](const suite::ExceptionTrial& trial, size_t functions) {
    progress.clear();
    if (!typed.quiet)
      fmt::print(stderr, "faultline: {}: {} functions{}\n", trial.strategy, functions,
                 trial.evaluations ? fmt::format(", {} evaluations each", *trial.evaluations) : "");
  };
  listener.hunt.on_progress = [&progress](const campaign::Progress& now) { progress.update(now); };
  const suite::GslExceptions evaluation = suite::evaluate_gsl_exceptions(options, listener, interrupt.flag());
  progress.clear();
  return conclude(reports,
                  {[&] { return suite::gsl_exceptions_text(evaluation, report::style_of(STDOUT_FILENO)); },
                   [&] { return suite::gsl_exceptions_csv(evaluation); },
                   [&] { return report::json_text(suite::findings_of(evaluation)); }},
                  interrupt.flag());
}

} // namespace faultline::cli
