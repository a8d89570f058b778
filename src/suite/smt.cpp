#include "suite/smt.h"

#include "cli/options.h"
#include "cli/progress.h"
#include "finding/json/json_place.h"
#include "finding/report.h"
#include "finding/settings/values.h"
#include "frontend/error.h"
#include "report/style.h"
#include "suite/bench.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <mutex>
#include <thread>
#include <unistd.h>

namespace faultline::suite {

using constraint::Status;
using frontend::status_usage;
using frontend::UserError;
using solve::Answer;

namespace fs = std::filesystem;

std::vector<std::string> smt_files(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> files;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (entry->is_regular_file() && entry->path().extension() == ".smt2")
      files.push_back(entry->path().string());
  if (error)
    throw UserError(frontend::status_usage, fmt::format("{}: {}", folder, error.message()), "bench smt DIR");
  if (files.empty())
    throw UserError(frontend::status_usage, fmt::format("{}: there is no .smt2 file", folder), "bench smt DIR");
  std::sort(files.begin(), files.end());
  return files;
}

uint64_t SmtReport::wrong() const {
  return uint64_t(std::count_if(runs.begin(), runs.end(), [](const SmtRun& run) { return run.wrong; }));
}

namespace {

bool contradicts(Answer answer, Status status) {
  return (answer == Answer::sat && status == Status::unsat) || (answer == Answer::unsat && status == Status::sat);
}

// A model that satisfies the formula proves sat: every unsat is wrong then.
void compare(std::vector<SmtRun>& runs) {
  std::map<std::string, bool> satisfiable;
  for (const SmtRun& run : runs)
    satisfiable[run.file] |= run.answer == Answer::sat;
  for (SmtRun& run : runs)
    run.wrong = contradicts(run.answer, run.status) || (run.answer == Answer::unsat && satisfiable[run.file]);
}

} // namespace

SmtReport run_smt(const SmtOptions& options, const std::function<void(size_t, size_t, const SmtRun&)>& on_run,
                  const std::atomic<bool>& stop) {
  const std::vector<std::string> files = smt_files(options.folder);
  SmtReport report;
  report.seconds = options.seconds;
  report.runs.resize(files.size() * options.solvers.size());
  std::vector<char> finished(report.runs.size());
  std::mutex mutex;
  std::atomic<size_t> next = 0;
  size_t done = 0;
  std::exception_ptr failure;
  const auto work = [&] {
    for (size_t f; !stop && (f = next++) < files.size();) {
      try {
        const constraint::Script script = constraint::load_smtlib(files[f]);
        for (size_t s = 0; s < options.solvers.size() && !stop; ++s) {
          const solve::Result result =
              solve::solve_apart(*solve::find_solver(options.solvers[s]),
                                 {.system = script.system, .seconds = options.seconds, .seed = options.seed});
          const fs::path relative = fs::path(files[f]).lexically_relative(options.folder);
          SmtRun run{relative.string(),  relative.parent_path().string(),
                     options.solvers[s], script.status,
                     result.answer,      result.solver,
                     result.reason,      result.seconds};
          const std::lock_guard lock(mutex);
          report.runs[f * options.solvers.size() + s] = run;
          finished[f * options.solvers.size() + s] = true;
          on_run(++done, report.runs.size(), run);
        }
      } catch (...) {
        const std::lock_guard lock(mutex);
        failure = std::current_exception();
        next = files.size();
      }
    }
  };
  std::vector<std::thread> threads;
  for (int i = 1; i < options.jobs; ++i)
    threads.emplace_back(work);
  work();
  for (std::thread& thread : threads)
    thread.join();
  if (failure)
    std::rethrow_exception(failure);
  std::vector<SmtRun> runs;
  for (size_t i = 0; i < finished.size(); ++i)
    if (finished[i])
      runs.push_back(std::move(report.runs[i]));
  report.runs = std::move(runs);
  report.interrupted = stop;
  compare(report.runs);
  return report;
}

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
  const std::vector<BenchReport> reports =
      bench_reports(said.values("report")); // opened first, because they may be refused

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

namespace {

std::string_view name(Status status) {
  return status == Status::sat ? "sat" : status == Status::unsat ? "unsat" : "unknown";
}

// The results of one solver on one group of files.
struct Tally {
  size_t files = 0, sat = 0, unsat = 0, wrong = 0, known_sat = 0, known_unsat = 0, proved_sat = 0, proved_unsat = 0;
  double seconds = 0; // of all files; time-outs with their actual time

  void add(const SmtRun& run) {
    ++files;
    seconds += run.seconds;
    sat += run.answer == Answer::sat;
    unsat += run.answer == Answer::unsat;
    wrong += run.wrong;
    known_sat += run.status == Status::sat;
    known_unsat += run.status == Status::unsat;
    proved_sat += run.status == Status::sat && run.answer == Answer::sat;
    proved_unsat += run.status == Status::unsat && run.answer == Answer::unsat;
  }
};

template <typename Key> std::vector<std::string> distinct(const std::vector<SmtRun>& runs, Key key) {
  std::vector<std::string> names;
  for (const SmtRun& run : runs)
    if (std::find(names.begin(), names.end(), run.*key) == names.end())
      names.push_back(run.*key);
  return names;
}

} // namespace

std::string smt_text(const SmtReport& report) {
  using report::Align;
  std::vector<report::Row> rows;
  for (const std::string& group : distinct(report.runs, &SmtRun::group))
    for (const std::string& solver : distinct(report.runs, &SmtRun::solver)) {
      Tally tally;
      for (const SmtRun& run : report.runs)
        if (run.group == group && run.solver == solver)
          tally.add(run);
      rows.push_back({group.empty() ? "." : group, solver,
                      fmt::format("{} of {}", tally.sat + tally.unsat, tally.files), fmt::format("{}", tally.sat),
                      fmt::format("{}", tally.unsat), fmt::format("{} of {}", tally.proved_sat, tally.known_sat),
                      fmt::format("{} of {}", tally.proved_unsat, tally.known_unsat), fmt::format("{}", tally.wrong),
                      fmt::format("{:.1f}", tally.seconds)});
    }
  std::string text = report::table({{"files"},
                                    {"solver"},
                                    {"solved", Align::right},
                                    {"sat", Align::right},
                                    {"unsat", Align::right},
                                    {"known sat", Align::right},
                                    {"known unsat", Align::right},
                                    {"wrong", Align::right},
                                    {"seconds", Align::right}},
                                   rows, report::Style(false));
  text +=
      fmt::format("\n{:g} s per file. Known: files with this :status. Wrong: contradicts :status, or unsat where "
                  "another solver has a model.\nSeconds: all files together, unsolved ones with the time they took.\n",
                  report.seconds);
  for (const SmtRun& run : report.runs)
    if (run.wrong)
      text += fmt::format("Wrong: {} on {}: {} (status {})\n", run.solver, run.file, solve::name(run.answer),
                          name(run.status));
  return text;
}

std::string smt_csv(const SmtReport& report) {
  std::string text = "benchmark,strategy,answer,seconds,status,wrong,by\n";
  for (const SmtRun& run : report.runs)
    text += fmt::format("{},{},{},{:.4f},{},{},{}\n", run.file, run.solver, solve::name(run.answer), run.seconds,
                        name(run.status), run.wrong ? 1 : 0, run.by);
  return text;
}

std::string smt_json(const SmtReport& report, const std::vector<std::string>& command) {
  using Json = finding::Json;
  Json runs = Json::array();
  for (const SmtRun& run : report.runs)
    runs.push_back({{"benchmark", run.file},
                    {"solver", run.solver},
                    {"answer", solve::name(run.answer)},
                    {"seconds", run.seconds},
                    {"status", name(run.status)},
                    {"wrong", run.wrong},
                    {"by", run.by},
                    {"reason", run.reason}});
  const Json json{
      {"faultline", finding::version}, {"schema", 1}, {"command", command}, {"limit", report.seconds}, {"runs", runs}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace faultline::suite
