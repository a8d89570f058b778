#include "cli/bench.h"

#include "cli/interrupt.h"
#include "cli/values.h"
#include "frontend/error.h"
#include "suite/smt.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

namespace faultline::cli {

using frontend::status_usage;
using frontend::UserError;

namespace {

constexpr int status_wrong = 1;

constexpr const char* examples =
    R"(Every .smt2 file of the folder and of those in it, each solver alone and for so long, in a process of its own. The
exit status is 1 if an answer contradicts a file's :status or another solver's model.

Examples:
  faultline bench smt problems/                                  all solvers, 10 s a file
  faultline bench smt problems/ --solver interval,newton --time 2s
  faultline bench smt problems/ -o smt.csv                       a line for each file and solver)";

struct SmtArguments {
  std::string folder, solvers, time, seed, jobs;
  std::vector<std::string> reports;
  bool quiet = false;
};

void add_options(CLI::App& app, SmtArguments& arguments) {
  const auto add = [&](const char* name, std::string& value, const char* form, const char* help) {
    app.add_option(name, value, help)->option_text(form);
  };
  app.add_option("DIR", arguments.folder, "a folder of SMT-LIB files")->option_text(" ");
  add("--solver", arguments.solvers, "LIST", "which solvers (default: all)");
  add("--time", arguments.time, "TIME", "a file: 10s (default), 500ms, 2m");
  add("--seed", arguments.seed, "N", "of the random numbers (default: 1)");
  add("-j,--jobs", arguments.jobs, "N", "files at the same time (default: 1, so that times compare)");
  app.add_option("-o", arguments.reports, "a report: .json, .csv, or - for JSON on standard output; repeatable")
      ->allow_extra_args(false)
      ->option_text("FILE");
  app.add_flag("--quiet", arguments.quiet, "no progress on standard error");
}

suite::SmtOptions options_of(const SmtArguments& arguments) {
  suite::SmtOptions options;
  if (arguments.folder.empty())
    throw UserError(status_usage, "no folder given", "faultline bench smt DIR");
  options.folder = arguments.folder;
  std::vector<std::string> known;
  for (const solve::NamedSolver& solver : solve::solvers())
    known.emplace_back(solver.name);
  options.solvers = arguments.solvers.empty() ? known : comma_list(arguments.solvers);
  for (const std::string& name : options.solvers)
    if (!solve::find_solver(name))
      throw UserError(status_usage, fmt::format("--solver {}: there is no solver '{}'", arguments.solvers, name),
                      fmt::format("a comma list of {}", fmt::join(known, ", ")));
  if (!arguments.time.empty())
    options.seconds = duration("--time", arguments.time);
  if (!arguments.seed.empty())
    options.seed = whole("--seed", arguments.seed);
  if (!arguments.jobs.empty())
    options.jobs = int(std::min<uint64_t>(positive_whole("-j", arguments.jobs), 1024));
  return options;
}

} // namespace

int bench_smt(const Line& line) {
  CLI::App app("Runs the solvers on a folder of floating-point problems.", "faultline bench smt");
  app.footer(examples);
  SmtArguments arguments;
  add_options(app, arguments);
  parse(app, line);
  refuse_flags(line);
  const suite::SmtOptions options = options_of(arguments);
  const std::vector<BenchReport> reports = bench_reports(arguments.reports); // now: they may be refused

  const Interrupt interrupt;
  const bool live = isatty(STDERR_FILENO) != 0;
  const suite::SmtReport report = suite::run_smt(
      options,
      [&](size_t done, size_t all, const suite::SmtRun& run) {
        if (!arguments.quiet && (live || done % 50 == 0 || done == all))
          fmt::print(stderr, "{}faultline: {} of {}: {} on {}: {}{}", live ? "\r\033[K" : "", done, all, run.solver,
                     run.file, solve::name(run.answer), live ? "" : "\n");
      },
      interrupt.flag());
  if (live && !arguments.quiet)
    fmt::print(stderr, "\r\033[K");
  if (std::ranges::none_of(reports, [](const BenchReport& output) { return output.file.is_standard_output(); }))
    report::print(suite::smt_text(report));
  for (const BenchReport& output : reports)
    output.file.write(output.csv ? suite::smt_csv(report) : suite::smt_json(report, line.typed));
  if (report.interrupted) {
    fmt::print(stderr, "faultline: interrupted; this is what was done until then\n");
    return status_inconclusive;
  }
  return report.wrong() == 0 ? 0 : status_wrong;
}

} // namespace faultline::cli
