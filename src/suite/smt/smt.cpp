#include "suite/smt/smt.h"

#include "frontend/error.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <thread>

namespace faultline::suite {

namespace fs = std::filesystem;
using constraint::Status;
using frontend::UserError;
using solve::Answer;

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

// A model that satisfies the formula settles it: whoever says unsat then is wrong.
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

} // namespace faultline::suite
