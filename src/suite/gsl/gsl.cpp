#include "suite/gsl/gsl.h"

#include "cli/options.h"
#include "cli/progress.h"
#include "finding/settings/values.h"
#include "frontend/error.h"
#include "frontend/program.h"
#include "numeric/bigfloat.h"
#include "numeric/decimal.h"
#include "numeric/format.h"
#include "report/junit.h"
#include "suite/bench.h"
#include "suite/gsl/gsl_text.h"
#include "suite/subject.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <unistd.h>

namespace faultline::suite {

using benchmarks::Exact;
using finding::Finding;
using finding::Kind;
using finding::NamedNumber;
using frontend::status_usage;
using frontend::UserError;

namespace {

// GSL's gsl_mode_t selects a precision. It is not an argument of the mathematical function.
bool is_argument(const NamedNumber& cell) { return cell.name != "mode"; }

// Hex text represents the double exactly. Unreadable text counts as NaN.
double value_of(const finding::Number& number) {
  return numeric::parse_double(number.hex).value_or(std::numeric_limits<double>::quiet_NaN());
}

ReportedInput reported(const std::vector<NamedNumber>& input, const finding::Number& computed) {
  ReportedInput result;
  result.computed = value_of(computed);
  std::string named;
  for (const NamedNumber& cell : input) {
    if (!is_argument(cell))
      continue;
    result.arguments.push_back(value_of(cell.value));
    result.text = cell.value.hex;
    named += (named.empty() ? "" : " ") + cell.name + "=" + cell.value.hex;
  }
  if (result.arguments.size() > 1)
    result.text = named;
  return result;
}

bool is_right(double computed, const numeric::BigFloat& exact) {
  numeric::BigFloat nearest = exact;
  nearest.round_to(numeric::Format::binary64);
  return numeric::ulps_between(computed, nearest.to_double()) <= 1;
}

bool is_error(const Finding& finding) {
  return (finding.kind == Kind::inaccuracy || finding.kind == Kind::branch_flip) && finding.output;
}

// True if the oracle's reference agrees with the exact value.
bool agrees(double computed, const finding::Number& reference, const numeric::BigFloat& exact) {
  constexpr double nearer = 10; // factor by which it is nearer
  numeric::BigFloat given(exact.precision()), difference(exact.precision());
  if (mpfr_set_str(given.raw(), reference.decimal.c_str(), 10, MPFR_RNDN) != 0)
    return false;
  if (is_right(given.to_double(), exact))
    return true;
  mpfr_sub(difference.raw(), given.raw(), exact.raw(), MPFR_RNDN);
  numeric::BigFloat error(computed, exact.precision());
  mpfr_sub(error.raw(), error.raw(), exact.raw(), MPFR_RNDN);
  mpfr_mul_d(difference.raw(), difference.raw(), nearer, MPFR_RNDN);
  return mpfr_cmpabs(difference.raw(), error.raw()) <= 0;
}

void score_references(TargetScore& total, const finding::TargetReport& target, const Reference& reference) {
  for (const Finding& finding : target.findings) {
    if (!is_error(finding))
      continue;
    const ReportedInput input = reported(finding.input, finding.output->computed);
    const Exact exact = reference(input.arguments);
    if (exact.kind != Exact::Kind::value || finding.output->reference.decimal.empty())
      continue;
    ++total.references;
    if (agrees(input.computed, finding.output->reference, exact.value))
      ++total.agreeing;
    else
      ++total.disagreeing[std::string(rule(finding))];
  }
}

} // namespace

std::vector<ReportedInput> reported_inputs(const finding::TargetReport& target) {
  std::vector<ReportedInput> inputs;
  for (const Finding& finding : target.findings)
    if (is_error(finding)) {
      inputs.push_back(reported(finding.input, finding.output->computed));
      for (const finding::Witness& witness : finding.also)
        inputs.push_back(reported(witness.input, witness.computed));
    }
  return inputs;
}

Score score(double computed, const Exact& exact, double threshold) {
  if (exact.kind == Exact::Kind::undefined)
    return {Grade::undefined, 0};
  if (exact.kind == Exact::Kind::pole)
    return {std::isfinite(computed) ? Grade::pole : Grade::right, 0};
  if (exact.kind == Exact::Kind::unknown)
    return {Grade::unknown, 0};
  if (is_right(computed, exact.value))
    return {Grade::right, 0};
  const double error = numeric::relative_error(computed, exact.value);
  return {error > threshold ? Grade::significant : Grade::insignificant, error};
}

TargetScore score(const finding::TargetReport& target, const Reference& reference, double threshold) {
  TargetScore total;
  for (const ReportedInput& input : reported_inputs(target)) {
    const Score score = suite::score(input.computed, reference(input.arguments), threshold);
    const bool significant = score.grade == Grade::significant || score.grade == Grade::pole;
    if (total.reported++ == 0)
      total.first_significant = significant;
    total.significant += significant;
    total.poles += score.grade == Grade::pole;
    total.undefined += score.grade == Grade::undefined;
    total.unknown += score.grade == Grade::unknown;
    if (score.relative_error > total.largest_error) {
      total.largest_error = score.relative_error;
      total.input = input.text;
    }
  }
  score_references(total, target, reference);
  return total;
}

namespace {

// Integers are held, so that the search is over the reals only: one medium order for each of GSL's names, which are
// valid together (n > l >= m). The mode is double precision: the others are inaccurate by design.
constexpr std::pair<const char*, long double> held_integers[] = {
    {"mode", 0}, {"n", 8}, {"l", 7}, {"m", 2}, {"j", 4},
};
constexpr long double other_integer = 3;

Held held_in(const frontend::Target& target) {
  Held held;
  for (const frontend::Cell& cell : target.inputs) {
    if (cell.type.floating)
      continue;
    held[cell.name] = other_integer;
    for (const auto& [name, value] : held_integers)
      if (cell.name == name)
        held[cell.name] = value;
  }
  return held;
}

std::vector<GslFunction> all_functions(const GslPublished& published, Arity arity) {
  std::vector<GslFunction> functions;
  if (arity != Arity::several)
    for (const GslFigures& figures : published.functions)
      functions.push_back({figures.function, 1, {}, figures});
  if (arity != Arity::one)
    for (const benchmarks::GslReference& reference : benchmarks::gsl_references())
      if (reference.arguments > 1)
        functions.push_back({reference.function, reference.arguments, {}, {}});
  return functions;
}

void keep_only(std::vector<GslFunction>& functions, const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const GslFunction& function : functions)
    known.push_back(function.name);
  for (const std::string& name : names)
    if (std::ranges::find(known, name) == known.end()) {
      const std::vector<std::string> close = frontend::nearest(name, known);
      throw UserError(status_usage, fmt::format("-f {}: there is no such function in the suite", name),
                      close.empty() ? "leave out -f" : fmt::format("{}", fmt::join(close, ", ")));
    }
  std::erase_if(functions, [&](const GslFunction& function) {
    return !names.empty() && std::ranges::find(names, function.name) == names.end();
  });
}

} // namespace

std::string text(const Held& held) {
  std::string text;
  for (const auto& [name, value] : held)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, numeric::shortest_decimal(value));
  return text;
}

GslFunctions gsl_functions(const std::string& library, const GslPublished& published, Arity arity,
                           const std::vector<std::string>& names) {
  std::vector<GslFunction> wanted = all_functions(published, arity);
  keep_only(wanted, names);
  frontend::Sources sources;
  sources.files = {library};
  frontend::Program program = frontend::Program::load(sources);
  GslFunctions result;
  for (GslFunction& function : wanted) {
    try {
      const frontend::Target target = program.find({function.name}, {}).front();
      if (std::ranges::none_of(target.inputs, [](const frontend::Cell& cell) { return cell.type.floating; }))
        throw UserError(frontend::status_unsuitable, function.name + ": it has no floating-point input");
      function.held = held_in(target);
      result.functions.push_back(std::move(function));
    } catch (const UserError& problem) {
      if (function.one_argument())
        throw;
      const std::string why = problem.what(); // the message begins with the name
      result.left_out.push_back(why.substr(0, why.find_first_of(";\n")));
    }
  }
  return result;
}

namespace {

campaign::Options hunt_options(const GslOptions& options, const Trial& trial) {
  campaign::Options hunt;
  hunt.sources.files = {options.library};
  hunt.settings.wanted = {.error = true, .exceptions = false, .crashes = false, .branches = false, .bound = false};
  hunt.settings.threshold = significant_error;
  hunt.settings.norm = finding::Norm::component; // as published
  hunt.settings.single_pass = true;
  hunt.settings.strategy = trial.strategy;
  hunt.settings.evaluations = trial.evaluations;
  hunt.settings.budget_seconds = options.budget_seconds;
  hunt.settings.seed = options.seed;
  hunt.jobs = options.jobs;
  return hunt;
}

TargetScore score_of(const finding::TargetReport& target) {
  return score(
      target, [&](std::span<const double> arguments) { return benchmarks::gsl_reference(target.function, arguments); },
      significant_error);
}

// Hunts in functions with the same held values together.
void run(Trial& trial, const std::vector<GslFunction>& functions, const GslOptions& options,
         const GslListener& listener, const std::atomic<bool>& stop) {
  std::map<Held, std::vector<std::string>> groups;
  for (const GslFunction& function : functions)
    groups[function.held].push_back(function.name);
  if (listener.on_trial)
    listener.on_trial(trial, functions.size());
  for (const auto& [held, names] : groups) {
    if (stop)
      return;
    campaign::Options hunt = hunt_options(options, trial);
    hunt.functions = names;
    hunt.settings.held = held;
    for (finding::TargetReport& target : campaign::hunt(hunt, listener.hunt, stop).targets) {
      if (target.outcome == finding::TargetOutcome::interrupted)
        continue;
      const TargetScore score = score_of(target);
      const std::string name = target.function;
      trial.functions.insert_or_assign(name, SearchedFunction{std::move(target), score});
    }
  }
}

} // namespace

const SearchedFunction* Trial::find(const std::string& function) const {
  const auto found = functions.find(function);
  return found == functions.end() ? nullptr : &found->second;
}

std::vector<GslFunction> GslEvaluation::functions_of(Arity arity) const {
  std::vector<GslFunction> chosen;
  std::ranges::copy_if(functions, std::back_inserter(chosen), [&](const GslFunction& function) {
    return arity == Arity::all || function.one_argument() == (arity == Arity::one);
  });
  return chosen;
}

GslEvaluation evaluate_gsl(const GslOptions& options, const GslListener& listener, const std::atomic<bool>& stop) {
  GslEvaluation evaluation;
  evaluation.options = options;
  evaluation.published = gsl_published(published_files());
  GslFunctions found = gsl_functions(options.library, evaluation.published, options.arity, options.functions);
  evaluation.functions = std::move(found.functions);
  evaluation.left_out = std::move(found.left_out);
  for (const std::string& strategy : options.strategies) {
    evaluation.hunts.push_back({strategy, std::nullopt, {}});
    run(evaluation.hunts.back(), evaluation.functions, options, listener, stop);
  }
  const std::vector<GslFunction> one_argument = evaluation.functions_of(Arity::one);
  if (!one_argument.empty())
    for (const std::string& strategy : options.compared) {
      evaluation.comparison.push_back({strategy, options.compared_evaluations, {}});
      run(evaluation.comparison.back(), one_argument, options, listener, stop);
    }
  return evaluation;
}

finding::Report findings_of(const GslEvaluation& evaluation, std::vector<std::string> command) {
  finding::Report report;
  report.version = finding::version;
  report.command = std::move(command);
  report.seed = evaluation.options.seed;
  const std::vector<Trial>& trials = evaluation.hunts.empty() ? evaluation.comparison : evaluation.hunts;
  if (!trials.empty())
    for (const GslFunction& function : evaluation.functions)
      if (const SearchedFunction* hunted = trials.front().find(function.name))
        report.targets.push_back(hunted->report);
  return report;
}

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

// Shows the strategy, then the progress.
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
                          .help = "functions with this many arguments"},
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
                         jobs_option("functions to test in parallel"),
                         report_option(),
                         quiet_option()}},
            line);
  cli::refuse_flags(line);
  GslOptions options = gsl_options(said);
  const std::vector<BenchReport> reports =
      bench_reports(said.values("report")); // opened first, because they may be refused
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
