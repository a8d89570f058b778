#include "campaign/campaign_run.h"
#include "base/clock.h"
#include "base/error.h"
#include "campaign/campaign_page.h"
#include "campaign/remote/launcher.h"
#include "campaign/remote/share_task.h"
#include "campaign/store/campaign_file.h"
#include "cli/campaign_commands.h"
#include "cli/command_line.h"
#include "cli/options.h"
#include "cli/parser.h"
#include "cli/progress.h"
#include "cli/writer.h"
#include "model/csv_lines.h"
#include "model/settings/settings.h"
#include "model/settings/table.h"
#include "report/status_text.h"
#include "report/text.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <thread>
#include <unistd.h>

namespace faultline::cli {

using base::status_usage;
using base::UserError;

namespace {

// The options of --slurm and --launcher, which have remote tasks carry out a campaign's rounds.
uint64_t number_in(const model::RawSettings& raw, const char* key, uint64_t usual) {
  return raw.has(key) ? model::positive_whole(fmt::format("--{}", key), raw.value(key)) : usual;
}

// Returns the command of a task: this program, with the permissions of the code under test from the run's command line.
std::vector<std::string> worker_words(const model::RawSettings& raw, int jobs) {
  std::error_code error;
  std::vector<std::string> words{std::filesystem::read_symlink("/proc/self/exe", error).string(), "worker", "-j",
                                 std::to_string(jobs)};
  for (const std::string& folder : raw.values("allow-read")) {
    words.emplace_back("--allow-read");
    words.push_back(std::filesystem::absolute(folder).string());
  }
  if (raw.has("compile-time"))
    words.insert(words.end(), {"--compile-time", raw.value("compile-time")});
  for (const char* flag : {"unsafe-no-sandbox", "trust-flags"})
    if (raw.is_on(flag))
      words.push_back(fmt::format("--{}", flag));
  words.emplace_back("--share");
  return words;
}

// Returns the engine for Slurm: a job array, or within an allocation, srun on its nodes.
std::shared_ptr<campaign::Engine> slurm_from(const model::RawSettings& raw, double task_seconds) {
  const int processors = jobs_from(raw, 1);
  const std::vector<std::string> worker = worker_words(raw, processors);
  if (std::getenv("SLURM_JOB_ID") && !raw.has("partition"))
    return std::make_shared<campaign::Launcher>(
        fmt::format("exec srun --kill-on-bad-exit=0 {} {{share}}", model::shell_line(worker)), 1);
  return std::make_shared<campaign::Slurm>(campaign::SlurmOptions{raw.has("partition") ? raw.value("partition") : "",
                                                                  number_in(raw, "array-limit", 256), task_seconds,
                                                                  processors, worker});
}

void refuse_without(const model::RawSettings& raw, const char* what, std::initializer_list<const char*> keys) {
  for (const char* key : keys)
    if (raw.has(key))
      throw UserError(status_usage, fmt::format("--{} is for {}", key, what), "faultline campaign run --help");
}

// Returns the options for remote tasks; none: rounds run on this machine. The commands and permissions of tasks come
// from the current command line, never from a file. Throws UserError.
std::optional<campaign::RemoteOptions> remote_options_from(const model::RawSettings& raw) {
  const bool slurm = raw.is_on("slurm"), launcher = raw.has("launcher");
  if (slurm && launcher)
    throw UserError(status_usage, "--slurm and --launcher are two ways to start tasks", "give one of them");
  if (!slurm)
    refuse_without(raw, "--slurm", {"partition", "array-limit"});
  if (!slurm && !launcher)
    refuse_without(raw, "--slurm and --launcher", {"tasks", "task-time", "shared-folder"});
  if (!slurm && !launcher)
    return std::nullopt;
  campaign::RemoteOptions elsewhere;
  elsewhere.tasks = number_in(raw, "tasks", elsewhere.tasks);
  if (raw.has("task-time"))
    elsewhere.task_seconds = model::duration("--task-time", raw.value("task-time"));
  if (raw.has("shared-folder"))
    elsewhere.folder = absolute_folder(raw.value("shared-folder"));
  if (slurm)
    elsewhere.engine = slurm_from(raw, elsewhere.task_seconds);
  else
    elsewhere.engine = std::make_shared<campaign::Launcher>(
        raw.value("launcher"), jobs_from(raw, int(std::max(1u, std::thread::hardware_concurrency()))));
  return elsewhere;
}

constexpr const char* run_examples = R"(Examples:
  faultline campaign run night --time 8h -j 8
  faultline campaign run night --evals 20000       20,000 evaluations of each function, in all runs together
  faultline campaign run night --time 8h --slurm --partition long --tasks 200
  faultline campaign run night --launcher 'mpirun -np 64 faultline worker --share {share}'

Ctrl-C, faultline campaign stop, kill -9 or a power cut end it; the next run goes on where it was. Functions that have
changed since the last run are reported, and their known findings are tried again first.

The exit status is 0 when the time or the evaluations are used up, whatever was found, and 4 if it was stopped before:
faultline campaign report and compare judge what was found. On other machines: docs/campaigns.md, "Many machines".)";

constexpr double usual_seconds = 3600;

campaign::RunLimits limits_from(const model::RawSettings& raw) {
  campaign::RunLimits limits;
  if (raw.has("run-evals"))
    limits.evaluations = model::positive_whole("--evals", raw.value("run-evals"));
  if (raw.has("run-time"))
    limits.seconds = model::duration("--time", raw.value("run-time"));
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
  return text + fmt::format("{}, {} in {}; {} in {}\nfaultline campaign status {} shows more\n",
                            report::counted(progress.problems.errors, "error"),
                            report::counted(progress.problems.warnings, "warning"),
                            report::counted(progress.functions, "function"), report::counted(progress.jobs, "job"),
                            report::duration_text(progress.seconds), folder);
}

} // namespace

int campaign_run(const CommandLine& line) {
  const model::RawSettings raw = parse_campaign(
      {"run",
       "Continues a campaign.",
       "DIR",
       {"run-time", "run-evals", "jobs", "commit", "slurm", "partition", "tasks", "array-limit", "task-time",
        "launcher", "shared-folder", "trust-flags", "compile-time", "allow-read", "unsafe-no-sandbox", "quiet"},
       run_examples},
      line);
  const std::string typed = folder_in(raw, "run"), folder = absolute_folder(typed);
  const campaign::RunLimits limits = limits_from(raw);
  const Permissions permissions = permissions_from(raw);
  const std::optional<campaign::RemoteOptions> elsewhere = remote_options_from(raw);
  const auto database = campaign::open_campaign(folder, campaign::Database::Opening::change);
  const campaign::RunLock lock(folder);
  const campaign::Subject subject = campaign::subject_of(*database);
  enter_folder_of(subject, folder);
  hunt::Options options = options_of_campaign(subject, folder, permissions);
  options.jobs = jobs_from(raw, int(std::max(1u, std::thread::hardware_concurrency())));
  const std::string commit =
      raw.has("commit") ? raw.value("commit") : campaign::commit_of(std::filesystem::current_path().string());
  ProgressDisplay progress(progress_mode(raw.is_on("quiet"), STDERR_FILENO), stderr);
  options.tell = [&, tell = options.tell](const std::string& line) {
    progress.clear();
    if (!raw.is_on("quiet") && tell)
      tell(line);
  };
  campaign::RunListener listener;
  const bool is_first = campaign::runs_of(*database).empty();
  listener.on_begin = [&](const campaign::ProgramChanges& changes) {
    if (!raw.is_on("quiet"))
      tell(changes, is_first);
  };
  listener.on_progress = [&](const campaign::RunProgress& now) { progress.update(line_of(now, limits), now.seconds); };
  const Interrupt interrupt;
  progress.update("reading the code", ProgressDisplay::live_seconds); // takes seconds without other output
  const campaign::RunResult result = campaign::run_campaign(*database, folder, options, subject, commit, limits,
                                                            listener, elsewhere, interrupt.flag());
  progress.clear();
  print(end_text(result, typed));
  return result.ending == campaign::RunEnding::stopped ? base::status_inconclusive : base::status_nothing;
}

namespace {

constexpr const char* status_examples = R"(Examples:
  faultline campaign status night              once
  faultline campaign status night --watch      in place, until the run ends; Ctrl-C ends the watching, not the run

Where standard output is no terminal, --watch prints a line every few seconds. The exit status is 0.)";

class Watch {
public:
  Watch(campaign::Database& database, const std::string& folder) : database_(database), folder_(folder) {}

  // Shows the status until the run ends or the user stops watching.
  void run() {
    constexpr std::chrono::milliseconds glance(100); // the delay until an end is noticed
    const double pause = is_terminal_ ? 1 : ProgressDisplay::plain_seconds;
    const Interrupt interrupt;
    base::Deadline next(0);
    while (!interrupt.flag() && campaign::holder_of_lock(folder_)) {
      if (next.passed()) {
        show();
        next = base::Deadline(pause);
      }
      std::this_thread::sleep_for(glance);
    }
    view_.clear();
  }

private:
  void show() {
    const model::CampaignStatus status = campaign::status_of(database_, folder_);
    if (!is_terminal_)
      return print(report::status_line(status) + "\n");
    const TerminalSize size = terminal_size(stdout);
    view_.show(report::status_text(status, report::style_of(STDOUT_FILENO),
                                   {.full = false, .columns = size.columns - 1, .lines = size.lines - 1}));
  }

  campaign::Database& database_;
  const std::string& folder_;
  const bool is_terminal_ = isatty(STDOUT_FILENO) != 0;
  TerminalView view_{stdout};
};

} // namespace

int campaign_status(const CommandLine& line) {
  const model::RawSettings raw = parse_campaign({"status",
                                                 "Shows the status of a campaign, also while it runs.",
                                                 "DIR",
                                                 {"watch", "verbose", "quiet"},
                                                 status_examples},
                                                line);
  const std::string folder = folder_in(raw, "status");
  const auto database = campaign::open_campaign(folder, campaign::Database::Opening::read);
  if (raw.is_on("watch"))
    Watch(*database, folder).run();
  const model::CampaignStatus status = campaign::status_of(*database, folder);
  if (raw.is_on("quiet")) {
    print(report::status_line(status) + "\n");
    return base::status_nothing;
  }
  const size_t columns = isatty(STDOUT_FILENO) ? terminal_size(stdout).columns - 1 : TerminalSize().columns;
  print(report::status_text(status, report::style_of(STDOUT_FILENO),
                            {.full = raw.is_on("verbose"), .columns = columns, .lines = {}}));
  return base::status_nothing;
}

int campaign_stop(const CommandLine& line) {
  constexpr double patience = 60; // jobs in progress get a few seconds
  const model::RawSettings raw =
      parse_campaign({"stop", "Ends the run of another process. What was found is kept.", "DIR", {"quiet"}}, line);
  const std::string folder = folder_in(raw, "stop");
  campaign::open_campaign(folder, campaign::Database::Opening::read); // throws if it is none
  const std::optional<pid_t> holder = campaign::holder_of_lock(folder);
  const auto tell = [&](const std::string& text) {
    if (!raw.is_on("quiet"))
      print(text);
  };
  if (!holder) {
    tell(fmt::format("{}: no run is under way\n", folder));
    return base::status_nothing;
  }
  if (*holder == 0)
    throw UserError(status_usage, fmt::format("{}: the run is on another machine", folder), "stop it there");
  if (kill(*holder, SIGTERM) != 0)
    throw UserError(status_usage, fmt::format("process {}: {}", *holder, std::strerror(errno)),
                    "only the user who started the run can stop it");
  for (const base::Deadline deadline(patience); !deadline.passed();) {
    if (campaign::holder_of_lock(folder) != holder) {
      tell(fmt::format("{}: the run of process {} has ended\n", folder, *holder));
      return base::status_nothing;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  throw UserError(base::status_inconclusive, fmt::format("process {} has not ended yet", *holder),
                  "it was requested to end; kill -9 loses nothing either");
}

namespace {

constexpr const char* campaign_examples = R"(Commands:
  init DIR SOURCE...    begin a campaign: sources, or what a build has made, and the options of hunt
  run DIR               go on with it, until the time or the evaluations are used up: --time 8h, --evals 20000, -j 8,
                        --slurm
  status DIR            what was found, the yield over time, and whether more time is likely to pay; --watch
  stop DIR              end the run of another process; nothing is lost
  report DIR            the problems, as hunt shows and writes them: -o campaign.html, a page of the whole library
  compare A B           what is new, fixed, changed: two campaigns, or states of one: DIR@RUN, DIR@COMMIT
  merge DIR FILE...     add the findings of hunts, FILE.json, or results of tasks elsewhere

Examples:
  faultline campaign init night libfoo.a
  faultline campaign run night --time 8h -j 8
  faultline campaign status night
  faultline campaign report night -o night.html
  faultline campaign compare night@v1.2 night

faultline campaign COMMAND --help has the options of one command. Exit status, beside 2 for wrong usage and 3 for code that
does not compile: run has 0 when it ended as it was asked to, whatever it found, and 4 if it was stopped before; report has
1 if there are problems of the tier --fail-on or a higher one, and compare if there are new ones; all others have 0.)";

struct CampaignCommand {
  const char* name;
  int (*run)(const CommandLine&);
};
constexpr CampaignCommand subcommands[] = {
    {"init", campaign_init},     {"run", campaign_run},         {"status", campaign_status}, {"stop", campaign_stop},
    {"report", campaign_report}, {"compare", campaign_compare}, {"merge", campaign_merge},
};

[[noreturn]] void refuse(const std::string& word) {
  const std::vector<std::string> names = words_of(Operand::campaign_commands);
  if (word.empty())
    throw UserError(status_usage, "no command of campaign given", fmt::format("one of {}", fmt::join(names, ", ")));
  const std::vector<std::string> close = base::nearest(word, names);
  throw UserError(status_usage, fmt::format("unknown command 'campaign {}'", word),
                  fmt::format("{}", fmt::join(close.empty() ? names : close, ", ")));
}

} // namespace

int campaign(const CommandLine& line) {
  const std::string word = line.words.empty() ? "" : line.words.front();
  const auto* found = std::ranges::find_if(subcommands, [&](const CampaignCommand& each) { return word == each.name; });
  if (found != std::end(subcommands))
    return found->run(line_of(std::vector<std::string>(line.typed.begin() + 1, line.typed.end())));
  if (word.starts_with("-"))
    parse({.name = "campaign",
           .description = "Searches a whole library in rounds. Each run continues the last one.",
           .examples = campaign_examples,
           .operand = "COMMAND",
           .operand_help = "one of the commands below, with its DIR",
           .many_operands = true},
          line);
  refuse(word.starts_with("-") ? "" : word);
}

model::RawSettings parse_campaign(const CampaignForm& form, const CommandLine& line) {
  refuse_flags(line);
  std::vector<model::Setting> options = options_of(model::command::campaign);
  std::erase_if(options, [&](const model::Setting& setting) {
    return std::ranges::none_of(form.keys, [&](const char* key) { return std::string_view(key) == setting.key; });
  });
  return parse({.name = fmt::format("campaign {}", form.name),
                .description = form.description,
                .examples = form.examples,
                .operand = form.operands,
                .operand_help = "the folder of a campaign, and what else the command is about",
                .many_operands = true,
                .options = options},
               line);
}

std::string folder_in(const model::RawSettings& raw, const char* command) {
  if (raw.values(operands).empty())
    throw UserError(status_usage, "no folder of a campaign given", fmt::format("faultline campaign {} DIR", command));
  return raw.values(operands).front();
}

namespace {

constexpr const char* worker_examples = R"(Examples:
  faultline worker --share night/shares/3          free jobs of a campaign, until none is left
  faultline worker --share night/shares/3/job-7.json

Results go to files next to the jobs, nothing is printed, and SIGTERM ends it: results are kept.)";

} // namespace

int worker(const CommandLine& line) {
  const model::RawSettings raw = parse(
      {.name = "worker", .description = "Takes part in a campaign on many machines.", .examples = worker_examples},
      line);
  refuse_flags(line);
  if (!raw.has("share"))
    throw base::UserError(base::status_usage, "no jobs given", "faultline worker --share PATH");
  campaign::TaskOptions options;
  limit_compilers(raw);
  options.jobs = jobs_from(raw, 1);
  options.limits.confinement = confinement_from(raw);
  options.trust = trust_in_flags(raw);
  options.tell = tell_remark;
  const Interrupt interrupt;
  const campaign::TaskCount count = campaign::run_share(raw.value("share"), options, interrupt.flag());
  fmt::print(stderr, "faultline: {} done, {} failed\n", report::counted(count.jobs - count.failed, "job"),
             count.failed);
  return interrupt.flag() || count.failed > 0 ? base::status_inconclusive : base::status_nothing;
}

} // namespace faultline::cli
