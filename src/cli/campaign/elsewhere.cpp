#include "cli/campaign/elsewhere.h"

#include "campaign/remote/launcher.h"
#include "campaign/remote/slurm.h"
#include "cli/campaign/campaign_folder.h"
#include "cli/options.h"
#include "finding/settings/values.h"
#include "finding/shell.h"
#include "frontend/error.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <thread>

namespace faultline::cli {

using frontend::status_usage;
using frontend::UserError;

namespace {

uint64_t number_in(const finding::Said& said, const char* key, uint64_t usual) {
  return said.has(key) ? finding::positive_whole(fmt::format("--{}", key), said.value(key)) : usual;
}

// This program, as a task of the run, with what the run's command line lets the code under test do.
std::vector<std::string> worker_words(const finding::Said& said, int jobs) {
  std::error_code error;
  std::vector<std::string> words{std::filesystem::read_symlink("/proc/self/exe", error).string(), "worker", "-j",
                                 std::to_string(jobs)};
  for (const std::string& folder : said.values("allow-read")) {
    words.emplace_back("--allow-read");
    words.push_back(std::filesystem::absolute(folder).string());
  }
  for (const char* flag : {"unsafe-no-sandbox", "trust-flags"})
    if (said.is_on(flag))
      words.push_back(fmt::format("--{}", flag));
  words.emplace_back("--share");
  return words;
}

// Within an allocation its nodes are there already.
std::shared_ptr<campaign::Engine> slurm_from(const finding::Said& said, double task_seconds) {
  const int processors = jobs_from(said, 1);
  const std::vector<std::string> worker = worker_words(said, processors);
  if (std::getenv("SLURM_JOB_ID") && !said.has("partition"))
    return std::make_shared<campaign::Launcher>(
        fmt::format("exec srun --kill-on-bad-exit=0 {} {{share}}", finding::shell_line(worker)), 1);
  return std::make_shared<campaign::Slurm>(campaign::SlurmOptions{said.has("partition") ? said.value("partition") : "",
                                                                  number_in(said, "array-limit", 256), task_seconds,
                                                                  processors, worker});
}

void refuse_without(const finding::Said& said, const char* what, std::initializer_list<const char*> keys) {
  for (const char* key : keys)
    if (said.has(key))
      throw UserError(status_usage, fmt::format("--{} is for {}", key, what), "faultline campaign run --help");
}

} // namespace

std::optional<campaign::RemoteOptions> remote_options_from(const finding::Said& said) {
  const bool slurm = said.is_on("slurm"), launcher = said.has("launcher");
  if (slurm && launcher)
    throw UserError(status_usage, "--slurm and --launcher are two ways to start tasks", "give one of them");
  if (!slurm)
    refuse_without(said, "--slurm", {"partition", "array-limit"});
  if (!slurm && !launcher)
    refuse_without(said, "--slurm and --launcher", {"tasks", "task-time", "shared-folder"});
  if (!slurm && !launcher)
    return std::nullopt;
  campaign::RemoteOptions elsewhere;
  elsewhere.tasks = number_in(said, "tasks", elsewhere.tasks);
  if (said.has("task-time"))
    elsewhere.task_seconds = finding::duration("--task-time", said.value("task-time"));
  if (said.has("shared-folder"))
    elsewhere.folder = absolute_folder(said.value("shared-folder"));
  if (slurm)
    elsewhere.engine = slurm_from(said, elsewhere.task_seconds);
  else
    elsewhere.engine = std::make_shared<campaign::Launcher>(
        said.value("launcher"), jobs_from(said, int(std::max(1u, std::thread::hardware_concurrency()))));
  return elsewhere;
}

} // namespace faultline::cli
