#include "cli/interrupt.h"
#include "cli/options.h"
#include "finding/settings/values.h"
#include "frontend/error.h"
#include "suite/bench.h"
#include "suite/smt/smt.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

namespace faultline::suite {

using frontend::status_usage;
using frontend::UserError;

namespace {

constexpr const char* examples =
    R"(Every .smt2 file of the folder and of those in it, each solver alone and for so long, in a process of its own. The
exit status is 1 if an answer contradicts a file's :status or another solver's model.

Examples:
  faultline bench smt problems/                                  all solvers, 10 s a file
  faultline bench smt problems/ --solver interval,newton --time 2s
  faultline bench smt problems/ -o smt.csv                       a line for each file and solver)";

SmtOptions options_of(const finding::Said& said) {
  SmtOptions options;
  if (said.value(cli::operands).empty())
    throw UserError(status_usage, "no folder given", "faultline bench smt DIR");
  options.folder = said.value(cli::operands);
  std::vector<std::string> known;
  for (const solve::NamedSolver& solver : solve::solvers())
    known.emplace_back(solver.name);
  options.solvers = said.value("solver").empty() ? known : finding::comma_list(said.value("solver"));
  for (const std::string& name : options.solvers)
    if (!solve::find_solver(name))
      throw UserError(status_usage, fmt::format("--solver {}: there is no solver '{}'", said.value("solver"), name),
                      fmt::format("a comma list of {}", fmt::join(known, ", ")));
  if (said.has("time"))
    options.seconds = finding::duration("--time", said.value("time"));
  if (said.has("seed"))
    options.seed = finding::whole("--seed", said.value("seed"));
  if (said.has("jobs"))
    options.jobs = cli::jobs_from(said, 1);
  return options;
}

} // namespace

int bench_smt(const cli::CommandLine& line) {
  const finding::Said said = parse({.name = "faultline bench smt",
                                    .description = "Runs the solvers on a folder of floating-point problems.",
                                    .examples = examples,
                                    .operand = "DIR",
                                    .operand_help = "a folder of SMT-LIB files",
                                    .options = {{.key = "solver",
                                                 .option = "--solver",
                                                 .group = "Search",
                                                 .form = finding::Form::words,
                                                 .value = "LIST",
                                                 .otherwise = "all",
                                                 .help = "which solvers"},
                                                budget_option("time", "10s", "a file: 10s, 500ms, 2m"),
                                                seed_option(),
                                                jobs_option("files at the same time"),
                                                report_option(),
                                                quiet_option()}},
                                   line);
  cli::refuse_flags(line);
  const SmtOptions options = options_of(said);
  const std::vector<BenchReport> reports = bench_reports(said.values("report")); // now: they may be refused

  const cli::Interrupt interrupt;
  const bool live = isatty(STDERR_FILENO) != 0;
  const SmtReport report = run_smt(
      options,
      [&](size_t done, size_t all, const SmtRun& run) {
        if (!said.is_on("quiet") && (live || done % 50 == 0 || done == all))
          fmt::print(stderr, "{}faultline: {} of {}: {} on {}: {}{}", live ? "\r\033[K" : "", done, all, run.solver,
                     run.file, solve::name(run.answer), live ? "" : "\n");
      },
      interrupt.flag());
  if (live && !said.is_on("quiet"))
    fmt::print(stderr, "\r\033[K");
  if (std::ranges::none_of(reports, [](const BenchReport& output) { return output.file.is_standard_output(); }))
    cli::print(smt_text(report));
  for (const BenchReport& output : reports)
    output.file.write(output.csv ? smt_csv(report) : smt_json(report, line.typed));
  if (report.interrupted) {
    fmt::print(stderr, "faultline: interrupted; this is what was done until then\n");
    return frontend::status_inconclusive;
  }
  return report.wrong() == 0 ? frontend::status_nothing : frontend::status_found;
}

} // namespace faultline::suite
