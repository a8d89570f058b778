#include "campaign/remote/slurm.h"

#include "base/process.h"
#include "campaign/remote/launcher.h"
#include "finding/shell.h"
#include "frontend/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

namespace faultline::campaign {

using frontend::UserError;

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

} // namespace

std::string batch_text(const SlurmOptions& options, const ShareFolder& folder, uint64_t first) {
  const std::string program = finding::shell_quoted(options.worker.front());
  const std::string path = finding::shell_quoted(folder.path());
  return fmt::format("[ -x {0} ] || {{ echo faultline: \"$(hostname)\" has no {0} >&2; exit 127; }}\n"
                     "[ -d {1} ] || {{ echo faultline: \"$(hostname)\" does not see {1} >&2; exit 126; }}\n"
                     "exec {2} {1}/job-$(({3} + SLURM_ARRAY_TASK_ID)).json\n",
                     program, path, finding::shell_line(options.worker), first);
}

void Slurm::start(const ShareFolder& folder, uint64_t first, uint64_t count) {
  // For people who submit by hand. What is submitted here is never read from a file.
  std::ofstream(folder.path() + "/batch.sh") << "#!/bin/sh\n" << batch_text(options_, folder, first);
  const base::ProgramEnd end = ask(submission(options_, folder, first, count));
  if (!end.started)
    throw UserError(frontend::status_usage, "there is no sbatch on this machine's PATH",
                    "run it where jobs are submitted to Slurm; or --launcher, for other ways to start tasks");
  const std::string id = id_in(end.output);
  if (!end.succeeded() || id.empty())
    throw UserError(frontend::status_usage,
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

} // namespace faultline::campaign
