#include "cli/bench.h"

#include "campaign/hunt.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/values.h"
#include "frontend/error.h"
#include "report/json.h"
#include "report/progress.h"
#include "suite/gsl.h"
#include "suite/gsl_csv.h"
#include "suite/gsl_text.h"
#include "suite/subject.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <unistd.h>

namespace faultline::cli {

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

struct GslArguments {
  std::string folder, arity, strategies, compared, evaluations, budget, seed, jobs;
  std::vector<std::string> functions, reports;
  bool quiet = false;
};

void add_options(CLI::App& app, GslArguments& arguments) {
  const auto add = [&](const char* group, const char* name, std::string& value, const char* form, const char* help) {
    app.add_option(name, value, help)->option_text(form)->group(group);
  };
  app.add_option("DIR", arguments.folder, "the folder that has gsl.bc (default: build/subjects/gsl)")->option_text(" ");
  app.add_option("-f,--function", arguments.functions, "this function; repeatable (default: all of the suite)")
      ->allow_extra_args(false)
      ->option_text("NAME")
      ->group("Functions");
  add("Functions", "--arguments", arguments.arity, "one|several|all", "functions of so many arguments (default: all)");
  add("Search", "--strategy", arguments.strategies, "LIST", "strategies that hunt (default: auto,bracket), or none");
  add("Search", "--budget", arguments.budget, "TIME", "for each function: 10s (default), 500ms, 2m");
  add("Search", "--compare", arguments.compared, "LIST",
      "strategies to rank (default: bracket,atomu,lsga,ga,random), or none");
  add("Search", "--evals", arguments.evaluations, "N", "evaluations of each function in the ranking (default: 100000)");
  add("Search", "--seed", arguments.seed, "N", "of the random numbers (default: 1)");
  add("Search", "-j,--jobs", arguments.jobs, "N", "functions at the same time (default: 1, so that times compare)");
  app.add_option("-o", arguments.reports, "a report: .json, .csv, or - for JSON on standard output; repeatable")
      ->allow_extra_args(false)
      ->option_text("FILE")
      ->group("Output");
  app.add_flag("--quiet", arguments.quiet, "no progress on standard error")->group("Output");
}

suite::Arity arity(const std::string& text) {
  if (text.empty() || text == "all")
    return suite::Arity::all;
  if (text != "one" && text != "several")
    throw UserError(status_usage, fmt::format("--arguments {}: is not a number of arguments", text),
                    "one, several or all");
  return text == "one" ? suite::Arity::one : suite::Arity::several;
}

suite::GslOptions gsl_options(const GslArguments& arguments) {
  suite::GslOptions options;
  options.functions = arguments.functions;
  options.arity = arity(arguments.arity);
  options.strategies = bench_strategies("--strategy", arguments.strategies, {"auto", "bracket"});
  options.compared = bench_strategies("--compare", arguments.compared, {"bracket", "atomu", "lsga", "ga", "random"});
  if (options.strategies.empty() && options.compared.empty())
    throw UserError(status_usage, "there is nothing to do", "leave out --strategy none or --compare none");
  if (!arguments.budget.empty())
    options.budget_seconds = duration("--budget", arguments.budget);
  if (!arguments.evaluations.empty())
    options.compared_evaluations = positive_whole("--evals", arguments.evaluations);
  if (!arguments.seed.empty())
    options.seed = whole("--seed", arguments.seed);
  if (!arguments.jobs.empty())
    options.jobs = int(std::min<uint64_t>(positive_whole("-j", arguments.jobs), 1024));
  return options;
}

// Which strategy is at it, then how far it is.
suite::GslListener listener_for(bool quiet, report::ProgressDisplay& progress) {
  suite::GslListener listener;
  listener.on_trial = [quiet, &progress](const suite::Trial& trial, size_t functions) {
    progress.clear();
    if (!quiet)
      fmt::print(stderr, "faultline: {}: {} functions{}\n", trial.strategy, functions,
                 trial.evaluations ? fmt::format(", {} evaluations each", *trial.evaluations) : "");
  };
  listener.hunt.on_progress = [&progress](const campaign::Progress& now) { progress.update(now); };
  return listener;
}

} // namespace

int bench_gsl(const Line& line) {
  CLI::App app("Hunts in special functions of the GNU Scientific Library.", "faultline bench gsl");
  app.footer(examples);
  GslArguments arguments;
  add_options(app, arguments);
  parse(app, line);
  refuse_flags(line);
  suite::GslOptions options = gsl_options(arguments);
  const std::vector<BenchReport> reports = bench_reports(arguments.reports); // now: they may be refused
  options.library = suite::subject_file("gsl", arguments.folder);

  report::ProgressDisplay progress(report::progress_mode(arguments.quiet, STDERR_FILENO), stderr);
  const Interrupt interrupt;
  const suite::GslEvaluation evaluation =
      suite::evaluate_gsl(options, listener_for(arguments.quiet, progress), interrupt.flag());
  progress.clear();
  return conclude(reports,
                  {[&] { return suite::gsl_text(evaluation, report::style_of(STDOUT_FILENO)); },
                   [&] { return suite::gsl_csv(evaluation); },
                   [&] { return report::json_text(suite::findings_of(evaluation, recorded(line.typed))); }},
                  interrupt.flag());
}

} // namespace faultline::cli
