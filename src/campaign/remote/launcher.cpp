#include "campaign/remote/launcher.h"

#include "base/error.h"
#include "base/files.h"
#include "model/csv_lines.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <sstream>
#include <system_error>

namespace faultline::campaign {

using base::UserError;

namespace {

constexpr double patience = 60; // seconds for a command of Slurm's: a busy controller takes some

base::ProgramEnd ask(const std::vector<std::string>& command) { return base::run(command, {.seconds = patience}); }

std::string one_line(std::string text) {
  while (!text.empty() && text.back() == '\n')
    text.pop_back();
  std::ranges::replace(text, '\n', ' ');
  return text;
}

// ID or ID;CLUSTER, beside what a site has to say; empty: there is none.
std::string id_in(const std::string& output) {
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);)
    if (const std::string id = line.substr(0, line.find(';'));
        !id.empty() && id.find_first_not_of("0123456789") == std::string::npos)
      return id;
  return "";
}

// Whole minutes, which is what all versions read, and some for a task to end by itself.
uint64_t minutes_for(double seconds) { return uint64_t(std::ceil(seconds / 60)) + 2; }

std::vector<std::string> submission(const SlurmOptions& options, const ShareFolder& folder, uint64_t first,
                                    uint64_t count) {
  std::vector<std::string> words{"sbatch",
                                 "--parsable",
                                 "--job-name=faultline",
                                 fmt::format("--array=0-{}%{}", count - 1, options.array_limit),
                                 fmt::format("--time={}", minutes_for(options.task_seconds)),
                                 fmt::format("--cpus-per-task={}", options.processors),
                                 "--requeue", // a task that is preempted goes on where it was
                                 "--open-mode=append",
                                 "--chdir=/",
                                 fmt::format("--output={}/array-%A_%a.out", folder.path())};
  if (!options.partition.empty())
    words.push_back("--partition=" + options.partition);
  words.push_back("--wrap=" + batch_text(options, folder, first));
  return words;
}

constexpr const char *job_mark = "{job}", *share_mark = "{share}";

bool has(const std::string& text, const char* mark) { return text.find(mark) != std::string::npos; }

std::string with(std::string text, const std::string& mark, const std::string& path) {
  const std::string quoted = model::shell_quoted(path);
  for (size_t place = 0; (place = text.find(mark, place)) != std::string::npos; place += quoted.size())
    text.replace(place, mark.size(), quoted);
  return text;
}

} // namespace

std::string batch_text(const SlurmOptions& options, const ShareFolder& folder, uint64_t first) {
  const std::string program = model::shell_quoted(options.worker.front());
  const std::string path = model::shell_quoted(folder.path());
  return fmt::format("[ -x {0} ] || {{ echo faultline: \"$(hostname)\" has no {0} >&2; exit 127; }}\n"
                     "[ -d {1} ] || {{ echo faultline: \"$(hostname)\" does not see {1} >&2; exit 126; }}\n"
                     "exec {2} {1}/job-$(({3} + SLURM_ARRAY_TASK_ID)).json\n",
                     program, path, model::shell_line(options.worker), first);
}

void Slurm::start(const ShareFolder& folder, uint64_t first, uint64_t count) {
  // For people who submit by hand. What is submitted here is never read from a file.
  try {
    base::replace_file(folder.path() + "/batch.sh", "#!/bin/sh\n" + batch_text(options_, folder, first));
  } catch (const std::system_error&) { // sbatch will tell if the folder cannot be used
  }
  const base::ProgramEnd end = ask(submission(options_, folder, first, count));
  if (!end.started)
    throw UserError(base::status_usage, "there is no sbatch on this machine's PATH",
                    "run it where jobs are submitted to Slurm; or --launcher, for other ways to start tasks");
  const std::string id = id_in(end.output);
  if (!end.succeeded() || id.empty())
    throw UserError(base::status_usage,
                    fmt::format("sbatch refused the array: {}", end.timed_out ? "no answer" : one_line(end.output)),
                    "check --partition, --tasks and --task-time against what the cluster allows (sinfo)");
  arrays_.push_back({id, first, count});
  for (uint64_t index = 0; index < count; ++index)
    listed_[fmt::format("{}_{}", arrays_.back().id, index)] = TaskState::waiting;
}

// An answer that does not come changes nothing: the controller may be away for a while.
void Slurm::look() {
  if (arrays_.empty())
    return;
  const base::ProgramEnd end =
      ask({"squeue", "--me", "--noheader", "--array", "--name=faultline", "--format=%F_%K %T"});
  if (!end.succeeded())
    return;
  std::map<std::string, TaskState> listed;
  std::istringstream lines(end.output);
  for (std::string line; std::getline(lines, line);) {
    const size_t blank = line.find(' ');
    const std::string state = blank == std::string::npos ? "" : line.substr(blank + 1);
    const bool runs = state == "RUNNING" || state == "COMPLETING" || state == "SUSPENDED";
    listed[line.substr(0, blank)] = runs ? TaskState::running : TaskState::waiting;
  }
  listed_ = std::move(listed);
}

TaskState Slurm::state(uint64_t job) {
  for (const Array& array : arrays_)
    if (job >= array.first && job - array.first < array.count)
      if (const auto known = listed_.find(fmt::format("{}_{}", array.id, job - array.first)); known != listed_.end())
        return known->second;
  return TaskState::gone;
}

void Slurm::cancel() {
  std::vector<std::string> words{"scancel"};
  for (const Array& array : arrays_)
    if (std::ranges::any_of(listed_, [&](const auto& task) { return task.first.starts_with(array.id + "_"); }))
      words.push_back(array.id);
  if (words.size() > 1)
    ask(words);
}

std::string Slurm::last_words(const ShareFolder& folder, uint64_t job) {
  for (const Array& array : arrays_)
    if (job >= array.first && job - array.first < array.count)
      return last_line_of(fmt::format("{}/array-{}_{}.out", folder.path(), array.id, job - array.first));
  return "";
}

std::string last_line_of(const std::string& file) {
  constexpr size_t longest = 300, most = 1 << 12;
  std::string last;
  std::istringstream stream(base::last_bytes(file, most));
  for (std::string line; std::getline(stream, line);)
    if (!line.empty() && line.find_first_of(" \t\r") != 0) // what begins with a blank belongs to the line before
      last = line;
  return last.substr(0, longest);
}

Launcher::Launcher(std::string command, int parallel)
    : command_(std::move(command)), parallel_(size_t(std::max(parallel, 1))), once_(!has(command_, job_mark)) {
  if (once_ && !has(command_, share_mark))
    throw UserError(base::status_usage,
                    fmt::format("--launcher '{}': contains neither {{job}} nor {{share}}", command_),
                    "--launcher 'ssh node7 faultline worker --share {job}', or "
                    "--launcher 'mpirun -np 64 faultline worker --share {share}'");
}

void Launcher::start(const ShareFolder& folder, uint64_t first, uint64_t count) {
  folder_ = folder.path();
  const std::string text = with(command_, share_mark, folder.path());
  std::vector<uint64_t> jobs;
  for (uint64_t job = first; job < first + count; ++job) {
    states_[job] = TaskState::waiting;
    if (once_)
      jobs.push_back(job);
    else
      waiting_.insert(waiting_.begin(),
                      Command{with(text, job_mark, folder.job_file(job)), folder.output_file(job), {job}});
  }
  if (once_)
    waiting_.insert(waiting_.begin(), Command{text, folder.path() + "/launcher.out", jobs});
  look();
}

// In a group of its own: Ctrl-C is for the run, which ends its tasks in order. It ends with the run, whatever ends
// that.
void Launcher::begin(Command& command) {
  constexpr int nothing = base::ProcessOptions::nothing;
  const base::Descriptor file(
      open(command.output.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666));
  const int output = file.number() < 0 ? nothing : file.number();
  try {
    command.process = base::Process::start(
        {"/bin/sh", "-c", command.text},
        {.input = nothing, .output = output, .errors = output, .own_group = true, .death_signal = SIGTERM});
  } catch (const std::system_error&) {
    throw UserError(base::status_usage, "no process can be started for --launcher", "-j N: fewer at a time");
  }
  for (const uint64_t job : command.jobs)
    states_[job] = TaskState::running;
}

void Launcher::look() {
  std::erase_if(running_, [this](Command& command) {
    const std::optional<base::ProcessEnd> end = command.process.poll();
    if (end)
      note_end(command, end->succeeded());
    return end.has_value();
  });
  while (running_.size() < parallel_ && !waiting_.empty()) {
    begin(waiting_.back());
    running_.push_back(std::move(waiting_.back()));
    waiting_.pop_back();
  }
}

// A command for all jobs that stayed while some were taken has left those for good that were not.
void Launcher::note_end(const Command& command, bool succeeded) {
  const ShareFolder folder(folder_);
  const bool stayed = once_ && std::ranges::any_of(command.jobs, [&](uint64_t job) { return folder.is_claimed(job); });
  for (const uint64_t job : command.jobs)
    states_[job] = succeeded && (!stayed || folder.is_claimed(job)) ? TaskState::released : TaskState::gone;
}

TaskState Launcher::state(uint64_t job) {
  const auto known = states_.find(job);
  return known == states_.end() ? TaskState::gone : known->second;
}

void Launcher::cancel() {
  for (const Command& command : waiting_)
    for (const uint64_t job : command.jobs)
      states_[job] = TaskState::gone;
  waiting_.clear();
  for (const Command& command : running_)
    command.process.send(SIGTERM);
}

std::string Launcher::last_words(const ShareFolder& folder, uint64_t job) {
  return last_line_of(once_ ? folder.path() + "/launcher.out" : folder.output_file(job));
}

} // namespace faultline::campaign
