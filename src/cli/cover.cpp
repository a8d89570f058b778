#include "campaign/cover.h"

#include "cli/command.h"
#include "cli/configured.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/values.h"
#include "frontend/error.h"
#include "report/call_text.h"
#include "report/cover_text.h"
#include "report/output_file.h"
#include "report/progress.h"
#include "report/test_file.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace faultline::cli {

using frontend::status_usage;
using frontend::UserError;

namespace {

constexpr int status_inconclusive = 4;

constexpr const char* examples = R"(Examples:
  faultline cover foo.c -f foo                      an input for each outcome of each comparison, or a proof
  faultline cover foo.c -f foo -o foo_test.cpp      the inputs as a GoogleTest file; .c for plain C, .json for scripts
  faultline cover foo.c -f foo --paths              all paths, not only all outcomes
  faultline cover foo.c -f foo --loop-bound 2       loops turned twice at most

A branch outcome is covered (an input shows it, and a fresh process has confirmed that), infeasible (all paths are
known, and the solver named has proven that none shows it), or open. Exit status: 0 none is open, 4 some are.)";

struct CoverArguments {
  Arguments shared;
  std::string loop_bound;
  std::vector<std::string> reports;
  bool every_path = false, quiet = false;
};

using Render = std::string (*)(const campaign::CoverReport&);

struct Output {
  report::OutputFile file;
  Render render;
  bool is_test = false;
};

std::vector<Output> outputs(const std::vector<std::string>& files) {
  std::vector<Output> all;
  for (const std::string& file : files) {
    const std::string ending = std::filesystem::path(file).extension().string();
    const Render render = file == "-" || ending == ".json"                          ? report::cover_json
                          : ending == ".cpp" || ending == ".cc" || ending == ".cxx" ? report::test_file_cpp
                          : ending == ".c"                                          ? report::test_file_c
                                                                                    : nullptr;
    if (!render)
      throw UserError(status_usage, fmt::format("-o {}: the ending does not say what to write", file),
                      ".cpp (GoogleTest), .c, .json, or -o - for JSON on standard output");
    all.push_back({report::OutputFile(file), render, render != report::cover_json});
  }
  return all;
}

void add_options(CLI::App& app, CoverArguments& arguments) {
  add_source_options(app, arguments.shared);
  add_exploration_options(app, arguments.shared);
  app.add_option("--loop-bound", arguments.loop_bound, "how often a decision is turned on one path (default: 8)")
      ->option_text("N")
      ->group("Search");
  app.add_flag("--paths", arguments.every_path, "go on until all paths are known")->group("Search");
  app.add_option("-o", arguments.reports, "tests: .cpp (GoogleTest) or .c; .json; - for JSON on standard output")
      ->allow_extra_args(false)
      ->option_text("FILE")
      ->group("Output");
  app.add_flag("--quiet", arguments.quiet, "no progress on standard error")->group("Output");
}

} // namespace

int cover(const Line& line) {
  CLI::App app("Finds an input for each branch outcome of a function, or proves that there is none.",
               "faultline cover");
  app.footer(examples);
  CoverArguments arguments;
  add_options(app, arguments);
  parse(app, line);
  arguments.shared.usual_budget = "60s";
  const campaign::Options options = options_from(arguments.shared, line);
  if (options.functions.size() > 1)
    throw UserError(status_usage, "cover is for one function", "-f FUNCTION");
  campaign::CoverOptions how;
  how.limits.every_path = arguments.every_path;
  if (!arguments.loop_bound.empty())
    how.limits.loop_bound = int(std::min<uint64_t>(positive_whole("--loop-bound", arguments.loop_bound), 1'000'000));
  const std::vector<Output> files = outputs(arguments.reports);
  const bool json_only =
      std::any_of(files.begin(), files.end(), [](const Output& output) { return output.file.is_standard_output(); });

  if (!json_only && !arguments.quiet)
    tell_configuration(options);
  report::ProgressDisplay progress(report::progress_mode(arguments.quiet, STDERR_FILENO), stderr);
  const auto start = std::chrono::steady_clock::now();
  const Interrupt interrupt;
  const campaign::CoverReport report = campaign::cover(
      options, how,
      [&](uint64_t runs) {
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
        campaign::Progress now;
        now.function = "paths";
        now.targets = 1;
        now.evaluations = runs;
        now.seconds = passed.count();
        progress.update(now);
      },
      interrupt.flag());
  progress.clear();
  if (!json_only)
    report::print(report::cover_text(report, report::style_of(STDOUT_FILENO)));
  for (const Output& output : files) {
    if (output.is_test && !report::no_call_reason(report.target).empty())
      throw UserError(status_usage, report::no_call_reason(report.target), "-o FILE.json has the inputs");
    output.file.write(output.render(report));
  }
  if (report.interrupted)
    fmt::print(stderr, "faultline: interrupted; this is what was found until then\n");
  return report.interrupted || report.count(search::Standing::open) > 0 ? status_inconclusive : 0;
}

} // namespace faultline::cli
