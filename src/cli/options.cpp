#include "cli/options.h"

#include "cli/configuration_file.h"
#include "cli/configured.h"
#include "cli/sources.h"
#include "cli/values.h"
#include "frontend/error.h"
#include "search/strategy.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <thread>

namespace faultline::cli {

using frontend::status_usage;
using frontend::UserError;

namespace {

// An option with one value. The default is shown in the help text only: what was not typed stays empty.
void add(CLI::App& app, const char* group, const char* name, std::string& value, const char* form, const char* help) {
  app.add_option(name, value, help)->option_text(form)->group(group);
}

// An option that may be repeated, with one value each time.
void add(CLI::App& app, const char* group, const char* name, std::vector<std::string>& values, const char* form,
         const char* help) {
  app.add_option(name, values, help)->allow_extra_args(false)->option_text(form)->group(group);
}

// The names of a set that grows by one entry a word; a second entry of a name is a slip.
template <class Map, class Read>
void fill(Map& map, const std::vector<std::string>& texts, const char* option, Read read) {
  for (const std::string& text : texts) {
    const auto [name, value] = read(text);
    if (!map.emplace(name, value).second)
      throw UserError(status_usage, fmt::format("{} {}: {} is given twice", option, text, name), "name each once");
  }
}

void check_strategy(const std::string& name) {
  const std::vector<std::string> known = search::strategy_names();
  if (std::ranges::find(known, name) != known.end())
    return;
  throw UserError(status_usage, fmt::format("--strategy {}: there is no such strategy", name),
                  fmt::format("one of {}", fmt::join(known, ", ")));
}

void read_oracle(const Arguments& arguments, campaign::Options& options) {
  using campaign::OracleName;
  if (!arguments.oracle.empty())
    options.oracle = oracle(arguments.oracle);
  if (!arguments.reference.empty()) {
    if (!arguments.oracle.empty() && options.oracle != OracleName::reference)
      throw UserError(status_usage, fmt::format("--reference does not go with --oracle {}", arguments.oracle),
                      "leave out one of the two");
    options.oracle = OracleName::reference;
    std::tie(options.reference_file, options.reference_function) = reference(arguments.reference);
  } else if (options.oracle == OracleName::reference) {
    throw UserError(status_usage, "--oracle reference: there is no reference", "add --reference FILE:FUNCTION");
  }
}

void read_checks(const Arguments& arguments, search::Checks& checks) {
  for (const std::string& site : arguments.sites)
    checks.lines.push_back(checked_line(site));
  if (!arguments.sampling.empty())
    checks.sampling = sampling(arguments.sampling);
  if (!arguments.sampling_start.empty())
    checks.start = positive_whole("--sampling-start", arguments.sampling_start);
  if (!arguments.sampling_step.empty())
    checks.step = positive_whole("--sampling-step", arguments.sampling_step);
  if (!arguments.loss_bits.empty())
    checks.loss_bits = exponent_bits("--loss-bits", arguments.loss_bits);
  if (!arguments.cancel_bits.empty())
    checks.cancellation_bits = exponent_bits("--cancel-bits", arguments.cancel_bits);
}

} // namespace

std::vector<std::string> recorded(const std::vector<std::string>& typed) {
  std::vector<std::string> kept;
  const auto end = std::ranges::find(typed, "--");
  for (auto word = typed.begin(); word != end; ++word) {
    if (*word == "-j" || *word == "--jobs")
      word += word + 1 != end;
    else if (!word->starts_with("-j") && !word->starts_with("--jobs="))
      kept.push_back(*word);
  }
  kept.insert(kept.end(), end, typed.end());
  return kept;
}

void add_source_options(CLI::App& app, Arguments& arguments) {
  app.add_option("SOURCE", arguments.sources, "C, C++, Fortran, .ll or .bc files, or folders of sources")
      ->option_text("...");
  const char* group = "Code under test";
  add(app, group, "-f,--function", arguments.functions, "NAME",
      "this function; repeatable (default: all suitable ones)");
  add(app, group, "--size", arguments.sizes, "A=32", "the size of an array; A=4x4 for a matrix; 32 for all arrays");
  add(app, group, "--alias", arguments.aliases, "y=x", "the pointer y points to the memory of x; repeatable");
  add(app, group, "-p", arguments.database, "PATH", "compile_commands.json, or the folder that has it");
  add(app, group, "--config", arguments.config, "FILE",
      "settings by function (default: the nearest faultline.toml upwards from the source)");
  app.add_flag("--no-config", arguments.no_config, "read no faultline.toml")->group(group);
}

void add_judging_options(CLI::App& app, Arguments& arguments) {
  const char* group = "What counts";
  add(app, group, "--output", arguments.outputs, "NAME", "judge this output; repeatable (default: all floats)");
  add(app, group, "--bound", arguments.bounds, "NAME",
      "this output claims to bound the error; repeatable (default: fields named err)");
  add(app, group, "--bound-factor", arguments.bound_factor, "N",
      "an error N times the claimed bound violates it (default: 10)");
  add(app, group, "--threshold", arguments.threshold, "ERROR", "relative error that counts (default: 1e-3)");
  add(app, group, "--ulps", arguments.ulps, "N", "error in ulps that counts, instead of the relative error");
  add(app, group, "--floor", arguments.floor, "X",
      "measure errors of results smaller than X against X, as FPGen does with 1.18e-38 (default: 0)");
  app.add_flag("--nonzero", arguments.nonzero, "only inputs whose exact result is not below 1.18e-38, or the floor")
      ->group(group);
  add(app, group, "--oracle", arguments.oracle, "NAME", "lifted (default), replay, reference or none");
  add(app, group, "--reference", arguments.reference, "FILE:FUNCTION", "judge by this function");
}

void add_hold_option(CLI::App& app, Arguments& arguments) {
  add(app, "Inputs", "--hold", arguments.held, "n=4", "fix an input; repeatable");
}

void add_exploration_options(CLI::App& app, Arguments& arguments) {
  const char* inputs = "Inputs";
  add(app, inputs, "--range", arguments.ranges, "x=LO:HI",
      "where to search; LO:HI for all floats; repeatable (default: all finite floats, small integers)");
  add(app, inputs, "--format", arguments.formats, "x=binary32",
      "only values of this format; binary32 for all; repeatable");
  add_hold_option(app, arguments);
  const char* search = "Search";
  add(app, search, "--budget", arguments.budget, "TIME", "for each function: 10s (default of hunt), 500ms, 2m");
  add(app, search, "--evals", arguments.evaluations, "N", "evaluations of each function at most");
  add(app, search, "--seed", arguments.seed, "N", "of the random numbers (default: 1)");
}

void add_search_options(CLI::App& app, Arguments& arguments) {
  add_exploration_options(app, arguments);
  const char* search = "Search";
  add(app, search, "--for", arguments.wanted, "KINDS", "comma list: error, exceptions, crashes, branches, bound");
  add(app, search, "--strategy", arguments.strategy, "NAME", "how to search (default: auto)");
  add(app, search, "-j,--jobs", arguments.jobs, "N", "functions at the same time (default: one a processor)");
}

void add_check_options(CLI::App& app, Arguments& arguments) {
  const char* group = "Checks for precision loss and cancellation (--strategy fpgen)";
  add(app, group, "--site", arguments.sites, "FILE:LINE",
      "check the additions in this line; repeatable (default: those that update an accumulator)");
  add(app, group, "--sampling", arguments.sampling, "NAME", "of their executions: uniform (default) or log");
  add(app, group, "--sampling-start", arguments.sampling_start, "N", "the first execution to check (default: 1)");
  add(app, group, "--sampling-step", arguments.sampling_step, "N",
      "from one to the next (default: so many that about 64 are checked)");
  add(app, group, "--loss-bits", arguments.loss_bits, "N",
      "precision loss: how far the exponents of the operands differ (default: 32 for doubles)");
  add(app, group, "--cancel-bits", arguments.cancel_bits, "N",
      "cancellation: how many leading bits are lost (default: 40 for doubles)");
}

void add_exception_options(CLI::App& app, Arguments& arguments) {
  const char* group = "Exceptions";
  add(app, group, "--status", arguments.status, "NAME=0",
      "this output says whether the call succeeded, and 0 that it did (return=0, info=0)");
  app.add_flag("--all", arguments.all, "show harmless underflows, suppressed and known findings too")->group(group);
  app.add_flag("--past-exceptions", arguments.past_exceptions,
               "ariadne explores paths beyond an infinity or a NaN (default: a path ends there)")
      ->group(group);
}

void add_report_option(CLI::App& app, std::vector<std::string>& files) {
  add(app, "Output", "-o", files, "FILE",
      "a report: .json, .sarif, .xml (JUnit), .html, .cpp or .c (regression tests), .txt, or - for JSON on standard "
      "output; repeatable");
}

void read_settings(const Arguments& arguments, campaign::Options& options) {
  fill(options.sizes, arguments.sizes, "--size", size);
  fill(options.aliases, arguments.aliases, "--alias", alias);
  fill(options.ranges, arguments.ranges, "--range", range);
  fill(options.formats, arguments.formats, "--format", format);
  fill(options.held, arguments.held, "--hold", held);
  options.outputs = arguments.outputs;
  options.bounds = arguments.bounds;
  if (!arguments.bound_factor.empty())
    options.bound_factor = positive("--bound-factor", arguments.bound_factor);
  if (!arguments.status.empty())
    options.status = status(arguments.status);
  options.all = arguments.all == "true";
  options.past_exceptions = arguments.past_exceptions == "true";
  if (!arguments.wanted.empty())
    options.wanted = wanted(arguments.wanted);
  if (!arguments.strategy.empty()) {
    check_strategy(arguments.strategy);
    options.strategy = arguments.strategy;
  }
  read_checks(arguments, options.checks);
  read_oracle(arguments, options);
  if (!arguments.threshold.empty())
    options.threshold = positive("--threshold", arguments.threshold);
  if (!arguments.ulps.empty())
    options.ulps = positive("--ulps", arguments.ulps);
  if (!arguments.floor.empty())
    options.floor = positive("--floor", arguments.floor);
  options.nonzero = arguments.nonzero == "true";
  if (const std::string& budget = arguments.budget.empty() ? arguments.usual_budget : arguments.budget; !budget.empty())
    options.budget_seconds = duration("--budget", budget);
  if (!arguments.evaluations.empty())
    options.evaluations = positive_whole("--evals", arguments.evaluations);
  if (!arguments.seed.empty())
    options.seed = whole("--seed", arguments.seed);
  options.skip = arguments.skip == "true";
}

campaign::Options frame_from(const Arguments& arguments, const Line& line) {
  campaign::Options options;
  options.functions = arguments.functions;
  options.jobs = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  if (!arguments.jobs.empty())
    options.jobs = static_cast<int>(std::min<uint64_t>(positive_whole("-j", arguments.jobs), 1024));
  options.sources.files = source_files_of(arguments.sources);
  options.sources.flags = line.flags;
  options.sources.compilation_database = arguments.database;
  options.baseline_file = arguments.baseline;
  options.corpus_folder = arguments.corpus;
  options.command = recorded(line.typed);
  return options;
}

campaign::Options options_from(const Arguments& arguments, const Line& line) {
  campaign::Options options = frame_from(arguments, line);
  if (const std::string file = configuration_for(options.sources.files, arguments); !file.empty())
    return configured(arguments, std::move(options), read_configuration(file));
  read_settings(arguments, options);
  return options;
}

} // namespace faultline::cli
