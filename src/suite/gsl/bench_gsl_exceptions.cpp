#include "suite/bench.h"

#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "finding/settings/values.h"
#include "frontend/error.h"
#include "report/json.h"
#include "suite/gsl/gsl_exceptions.h"
#include "suite/gsl/gsl_exceptions_text.h"
#include "suite/subject.h"

#include <algorithm>
#include <fmt/format.h>
#include <unistd.h>

namespace faultline::suite {
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
                         evaluations_option("20000", "evaluations of each function, but for ariadne and auto"),
                         seed_option(), jobs_option("functions at the same time"), report_option(), quiet_option()}},
            line);
  cli::refuse_flags(line);
  GslExceptionsOptions options = options_from(said);
  const std::vector<BenchReport> reports = bench_reports(said.values("report")); // now: they may be refused
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
