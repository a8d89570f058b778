#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "finding/settings/values.h"
#include "frontend/error.h"
#include "report/json.h"
#include "suite/bench.h"
#include "suite/gsl/gsl.h"
#include "suite/gsl/gsl_csv.h"
#include "suite/gsl/gsl_text.h"
#include "suite/subject.h"

#include <algorithm>
#include <fmt/format.h>
#include <unistd.h>

namespace faultline::suite {

using frontend::status_usage;
using frontend::UserError;

namespace {

constexpr const char* examples = R"(107 functions of one argument and some of several. The library is fetched and
compiled if need be. Each strategy of --strategy hunts with its own budget; then those of --compare hunt with --evals
evaluations each, and are ranked. Every reported input is scored against exact values.

Examples:
  faultline bench gsl                               all of it
  faultline bench gsl build/subjects/gsl            with the library in this folder
  faultline bench gsl -o gsl.csv -o gsl.json        a line for each function and strategy; the first one's findings
  faultline bench gsl -f gsl_sf_sin --compare none  one function, no comparison
  faultline bench gsl --strategy none --evals 2000  the comparison only)";

Arity arity(const std::string& text) {
  if (text.empty() || text == "all")
    return Arity::all;
  if (text != "one" && text != "several")
    throw UserError(status_usage, fmt::format("--arguments {}: is not a number of arguments", text),
                    "one, several or all");
  return text == "one" ? Arity::one : Arity::several;
}

GslOptions gsl_options(const finding::Said& said) {
  GslOptions options;
  options.functions = said.values("function");
  options.arity = arity(said.value("arguments"));
  options.strategies = bench_strategies("--strategy", said.value("strategy"), {"auto", "bracket"});
  options.compared = bench_strategies("--compare", said.value("compare"), {"bracket", "atomu", "lsga", "ga", "random"});
  if (options.strategies.empty() && options.compared.empty())
    throw UserError(status_usage, "there is nothing to do", "leave out --strategy none or --compare none");
  if (said.has("budget"))
    options.budget_seconds = finding::duration("--budget", said.value("budget"));
  if (said.has("evals"))
    options.compared_evaluations = finding::positive_whole("--evals", said.value("evals"));
  if (said.has("seed"))
    options.seed = finding::whole("--seed", said.value("seed"));
  if (said.has("jobs"))
    options.jobs = cli::jobs_from(said, 1);
  return options;
}

// Which strategy is at it, then how far it is.
GslListener listener_for(bool quiet, cli::ProgressDisplay& progress) {
  GslListener listener;
  listener.on_trial = [quiet, &progress](const Trial& trial, size_t functions) {
    progress.clear();
    if (!quiet)
      fmt::print(stderr, "faultline: {}: {} functions{}\n", trial.strategy, functions,
                 trial.evaluations ? fmt::format(", {} evaluations each", *trial.evaluations) : "");
  };
  listener.hunt.on_progress = [&progress](const finding::Progress& now) { progress.update(now); };
  return listener;
}

} // namespace

int bench_gsl(const cli::CommandLine& line) {
  const finding::Said said =
      parse({.name = "faultline bench gsl",
             .description = "Hunts in special functions of the GNU Scientific Library.",
             .examples = examples,
             .operand = "DIR",
             .operand_help = "the folder that has gsl.bc (default: build/subjects/gsl)",
             .options = {function_option("this function; of the suite's"),
                         {.key = "arguments",
                          .option = "--arguments",
                          .group = "Functions",
                          .value = "one|several|all",
                          .usual = "all",
                          .help = "functions of so many arguments"},
                         strategy_option("auto,bracket"),
                         budget_option("budget", "10s", "for each function: 10s, 500ms, 2m"),
                         {.key = "compare",
                          .option = "--compare",
                          .group = "Search",
                          .form = finding::Form::words,
                          .value = "LIST",
                          .usual = "bracket,atomu,lsga,ga,random",
                          .help = "strategies to rank, or none"},
                         evaluations_option("100000", "evaluations of each function in the ranking"),
                         seed_option(),
                         jobs_option("functions at the same time"),
                         report_option(),
                         quiet_option()}},
            line);
  cli::refuse_flags(line);
  GslOptions options = gsl_options(said);
  const std::vector<BenchReport> reports = bench_reports(said.values("report")); // now: they may be refused
  options.library = subject_file("gsl", said.value(cli::operands));

  cli::ProgressDisplay progress(cli::progress_mode(said.is_on("quiet"), STDERR_FILENO), stderr);
  const cli::Interrupt interrupt;
  const GslEvaluation evaluation = evaluate_gsl(options, listener_for(said.is_on("quiet"), progress), interrupt.flag());
  progress.clear();
  return conclude(reports,
                  {[&] { return gsl_text(evaluation, report::style_of(STDOUT_FILENO)); },
                   [&] { return gsl_csv(evaluation); },
                   [&] { return report::json_text(findings_of(evaluation, cli::recorded(line.typed))); }},
                  interrupt.flag());
}

} // namespace faultline::suite
