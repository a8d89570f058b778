#include "campaign/remote/launcher.h"

#include "finding/shell.h"
#include "frontend/error.h"

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>

namespace faultline::campaign {

using frontend::UserError;

namespace {

constexpr const char *job_mark = "{job}", *share_mark = "{share}";

bool has(const std::string& text, const char* mark) { return text.find(mark) != std::string::npos; }

std::string with(std::string text, const std::string& mark, const std::string& path) {
  const std::string quoted = finding::shell_quoted(path);
  for (size_t place = 0; (place = text.find(mark, place)) != std::string::npos; place += quoted.size())
    text.replace(place, mark.size(), quoted);
  return text;
}

} // namespace

std::string last_line_of(const std::string& file) {
  constexpr size_t longest = 300, most = 1 << 12;
  std::ifstream stream(file, std::ios::binary | std::ios::ate);
  const auto size = stream ? size_t(stream.tellg()) : 0;
  stream.seekg(std::streamoff(size - std::min(size, most)));
  std::string last;
  for (std::string line; std::getline(stream, line);)
    if (!line.empty() && line.find_first_of(" \t\r") != 0) // what begins with a blank belongs to the line before
      last = line;
  return last.substr(0, longest);
}

Launcher::Launcher(std::string command, int parallel)
    : command_(std::move(command)), parallel_(size_t(std::max(parallel, 1))), once_(!has(command_, job_mark)) {
  if (once_ && !has(command_, share_mark))
    throw UserError(frontend::status_usage,
                    fmt::format("--launcher '{}': says neither {{job}} nor {{share}}", command_),
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
    throw UserError(frontend::status_usage, "no process can be started for --launcher", "-j N: fewer at a time");
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
