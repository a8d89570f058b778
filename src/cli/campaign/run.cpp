#include "campaign/campaign_run.h"

#include "campaign/commit.h"
#include "campaign/store/lock.h"
#include "cli/campaign/campaign_commands.h"
#include "cli/campaign/campaign_folder.h"
#include "cli/campaign/elsewhere.h"
#include "cli/interrupt.h"
#include "cli/output_file.h"
#include "cli/progress.h"
#include "finding/settings/values.h"
#include "frontend/error.h"
#include "report/campaign/status_text.h"
#include "report/excerpt.h"
#include "report/wording.h"

#include <filesystem>
#include <fmt/format.h>
#include <thread>
#include <unistd.h>

namespace faultline::cli {
namespace {

constexpr const char* examples = R"(Examples:
  faultline campaign run night --time 8h -j 8
  faultline campaign run night --evals 20000       20,000 evaluations of each function, in all runs together
  faultline campaign run night --time 8h --slurm --partition long --tasks 200
  faultline campaign run night --launcher 'mpirun -np 64 faultline worker --share {share}'

Ctrl-C, faultline campaign stop, kill -9 or a power cut end it; the next run goes on where it was. Functions that have
changed since the last run are told; what is known of them is tried again first.

The exit status is 0 when the time or the evaluations are used up, whatever was found, and 4 if it was stopped before:
faultline campaign report and compare judge what was found. On other machines: docs/campaigns.md, "Many machines".)";

constexpr double usual_seconds = 3600;

campaign::RunLimits limits_from(const finding::Said& said) {
  campaign::RunLimits limits;
  if (said.has("run-evals"))
    limits.evaluations = finding::positive_whole("--evals", said.value("run-evals"));
  if (said.has("run-time"))
    limits.seconds = finding::duration("--time", said.value("run-time"));
  else if (!limits.evaluations)
    limits.seconds = usual_seconds;
  return limits;
}

std::string some_of(const std::vector<std::string>& functions) {
  constexpr size_t few = 8;
  std::string text;
  for (size_t i = 0; i < std::min(functions.size(), few); ++i)
    text += (i == 0 ? "" : ", ") + functions[i];
  return text + (functions.size() > few ? ", ..." : "");
}

void tell(const campaign::ProgramChanges& changes, bool is_first) {
  const auto line = [](const std::vector<std::string>& functions, const char* what) {
    if (!functions.empty())
      fmt::print(stderr, "faultline: {} {}: {}\n", report::counted(functions.size(), "function"), what,
                 report::printable(some_of(functions)));
  };
  if (!is_first)
    line(changes.added, "new");
  line(changes.changed, "changed");
  line(changes.moved, "the same at other lines");
  line(changes.gone, "gone");
}

std::string line_of(const campaign::RunProgress& progress, const campaign::RunLimits& limits) {
  const std::string left =
      limits.seconds ? fmt::format(" of {}", report::duration_text(*limits.seconds)) : std::string();
  return fmt::format(
      "{}{}, {}{} of {} looked at, {}, {} evaluations, {}, {}, last new {} ago",
      report::duration_text(progress.seconds), left, progress.elsewhere.empty() ? "" : progress.elsewhere + ", ",
      progress.looked_at, report::counted(progress.functions, "function"), report::counted(progress.jobs, "job"),
      progress.evaluations, report::counted(progress.problems.errors, "error"),
      report::counted(progress.problems.warnings, "warning"), report::duration_text(progress.since_news));
}

std::string end_text(const campaign::RunResult& result, const std::string& folder) {
  const campaign::RunProgress& progress = result.progress;
  std::string text;
  if (const campaign::KnownAgain& again = result.again; again.still + again.worse + again.fixed > 0)
    text += fmt::format("of what was known in functions that have changed: {} fixed, {} still there, {} worse\n",
                        again.fixed, again.still, again.worse);
  if (result.cut > 0)
    text += fmt::format("{} job{} cut off by the clock: another run may find something else there\n", result.cut,
                        result.cut == 1 ? " was" : "s were");
  return text + fmt::format("{}, {} in {}; {} in {}\nfaultline campaign status {} tells more\n",
                            report::counted(progress.problems.errors, "error"),
                            report::counted(progress.problems.warnings, "warning"),
                            report::counted(progress.functions, "function"), report::counted(progress.jobs, "job"),
                            report::duration_text(progress.seconds), folder);
}

} // namespace

int campaign_run(const CommandLine& line) {
  const finding::Said said = parse_campaign(
      {"run",
       "Goes on with a campaign.",
       "DIR",
       {"run-time", "run-evals", "jobs", "commit", "slurm", "partition", "tasks", "array-limit", "task-time",
        "launcher", "shared-folder", "trust-flags", "allow-read", "unsafe-no-sandbox", "quiet"},
       examples},
      line);
  const std::string typed = folder_in(said, "run"), folder = absolute_folder(typed);
  const campaign::RunLimits limits = limits_from(said);
  const Permissions permissions = permissions_from(said);
  const std::optional<campaign::RemoteOptions> elsewhere = remote_options_from(said);
  const auto database = campaign::open_campaign(folder, campaign::Database::Opening::change);
  const campaign::RunLock lock(folder);
  const campaign::Subject subject = campaign::subject_of(*database);
  enter_folder_of(subject, folder);
  campaign::Options options = options_of_campaign(subject, folder, permissions);
  options.jobs = jobs_from(said, int(std::max(1u, std::thread::hardware_concurrency())));
  const std::string commit =
      said.has("commit") ? said.value("commit") : campaign::commit_of(std::filesystem::current_path().string());
  ProgressDisplay progress(progress_mode(said.is_on("quiet"), STDERR_FILENO), stderr);
  options.tell = [&, tell = options.tell](const std::string& line) {
    progress.clear();
    if (!said.is_on("quiet") && tell)
      tell(line);
  };
  campaign::RunListener listener;
  const bool is_first = campaign::runs_of(*database).empty();
  listener.on_begin = [&](const campaign::ProgramChanges& changes) {
    if (!said.is_on("quiet"))
      tell(changes, is_first);
  };
  listener.on_progress = [&](const campaign::RunProgress& now) { progress.update(line_of(now, limits), now.seconds); };
  const Interrupt interrupt;
  progress.update("reading the code", ProgressDisplay::live_seconds); // seconds, in which nothing else is told
  const campaign::RunResult result = campaign::run_campaign(*database, folder, options, subject, commit, limits,
                                                            listener, elsewhere, interrupt.flag());
  progress.clear();
  print(end_text(result, typed));
  return result.ending == campaign::RunEnding::stopped ? frontend::status_inconclusive : frontend::status_nothing;
}

} // namespace faultline::cli
