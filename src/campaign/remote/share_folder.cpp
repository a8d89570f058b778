#include "campaign/remote/share_folder.h"

#include "base/error.h"
#include "base/files.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <random>
#include <sys/stat.h>
#include <system_error>
#include <tuple>
#include <unistd.h>

namespace faultline::campaign {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view begin = "job-", results_end = ".results", job_end = ".json";

std::optional<uint64_t> number_in(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size() && number < (uint64_t(1) << 40);
  return whole ? std::optional(number) : std::nullopt;
}

// Returns the part of the name between "job-" and the ending.
std::optional<std::string> middle_of(const std::string& file, std::string_view ending) {
  if (!file.starts_with(begin) || !file.ends_with(ending) || file.size() < begin.size() + ending.size())
    return std::nullopt;
  return file.substr(begin.size(), file.size() - begin.size() - ending.size());
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    names.push_back(entry->path().filename().string());
  return names;
}

} // namespace

bool is_task_name(const std::string& text) {
  constexpr size_t longest = 128;
  return !text.empty() && text.size() <= longest && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

std::string ResultsName::text() const { return fmt::format("{}{}.{}{}", begin, job, task, results_end); }

std::optional<ResultsName> results_name(const std::string& file) {
  const std::optional<std::string> middle = middle_of(file, results_end);
  const size_t dot = middle ? middle->find('.') : std::string::npos;
  if (dot == std::string::npos)
    return std::nullopt;
  const std::optional<uint64_t> job = number_in(std::string_view(*middle).substr(0, dot));
  const std::string task = middle->substr(dot + 1);
  return job && is_task_name(task) ? std::optional(ResultsName{*job, task}) : std::nullopt;
}

std::optional<uint64_t> job_number(const std::string& path) {
  const std::optional<std::string> middle = middle_of(fs::path(path).filename().string(), job_end);
  return middle ? number_in(*middle) : std::nullopt;
}

std::string own_task_name() {
  char host[64] = "";
  gethostname(host, sizeof host - 1);
  std::string name(host);
  name.resize(std::min(name.find('.'), name.size()));
  std::ranges::replace_if(
      name, [](char c) { return !is_task_name(std::string(1, c)); }, '_');
  return fmt::format("{}-{}-{:08x}", name.empty() ? "host" : name, getpid(), std::random_device()());
}

std::string ShareFolder::job_file(uint64_t job) const { return fmt::format("{}/{}{}{}", path_, begin, job, job_end); }
std::string ShareFolder::output_file(uint64_t job) const { return fmt::format("{}/{}{}.out", path_, begin, job); }
std::string ShareFolder::claim_file(uint64_t job) const { return fmt::format("{}/{}{}.claim", path_, begin, job); }
std::string ShareFolder::results_file(const ResultsName& name) const { return path_ + "/" + name.text(); }

std::vector<uint64_t> ShareFolder::jobs() const {
  std::vector<uint64_t> jobs;
  for (const std::string& name : names_in(path_))
    if (const std::optional<uint64_t> job = job_number(name))
      jobs.push_back(*job);
  std::ranges::sort(jobs);
  return jobs;
}

std::vector<ResultsName> ShareFolder::results() const {
  std::vector<ResultsName> results;
  for (const std::string& name : names_in(path_))
    if (std::optional<ResultsName> known = results_name(name))
      results.push_back(std::move(*known));
  std::ranges::sort(results, {}, [](const ResultsName& name) { return std::tie(name.job, name.task); });
  return results;
}

bool ShareFolder::is_claimed(uint64_t job) const {
  struct stat status {};
  return lstat(claim_file(job).c_str(), &status) == 0;
}

bool ShareFolder::claim(const ResultsName& name) const {
  const std::string own = results_file(name), claimed = claim_file(name.job);
  if (link(own.c_str(), claimed.c_str()) == 0)
    return true;
  const int reason = errno;
  struct stat status {};
  if (lstat(own.c_str(), &status) == 0 && status.st_nlink == 2)
    return true; // it was made, but the server's answer was lost
  if (reason == EEXIST)
    return false;
  // A file system without links.
  const int descriptor = open(claimed.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor >= 0)
    close(descriptor);
  return descriptor >= 0;
}

void ShareFolder::stop() const {
  try {
    base::replace_file(path_ + "/stop", "");
  } catch (const std::system_error&) { // the tasks end by themselves, at the end of their time
  }
}

bool ShareFolder::has_stop_file() const {
  struct stat status {};
  return lstat((path_ + "/stop").c_str(), &status) == 0;
}

bool ShareFolder::is_stopped() const {
  std::error_code error;
  return has_stop_file() || !fs::exists(path_, error);
}

void take_shared_folder(const std::string& folder, const std::string& campaign) {
  const std::string mark = folder + "/campaign.txt";
  std::error_code error;
  fs::create_directories(folder, error);
  constexpr size_t longest = 4096; // of a path
  const std::string text = base::regular_content(mark, longest).value_or(""), owner = text.substr(0, text.find('\n'));
  if (!owner.empty() && owner != campaign)
    throw base::UserError(base::status_usage, fmt::format("{}: is the shared folder of {}", folder, owner),
                          "a folder of its own for each campaign");
  try {
    if (owner.empty())
      base::replace_file(mark, campaign + "\n");
  } catch (const std::system_error& failure) {
    throw base::UserError(base::status_usage,
                          fmt::format("{}: cannot be written: {}", folder, failure.code().message()),
                          "name a folder that you may write to, and that all machines see");
  }
}

std::string share_of(const std::string& campaign, int64_t run) { return fmt::format("{}/shares/{}", campaign, run); }

std::vector<ShareOfRun> shares_of(const std::string& campaign) {
  std::vector<ShareOfRun> shares;
  for (const std::string& name : names_in(campaign + "/shares"))
    if (const std::optional<uint64_t> run = number_in(name); run && std::to_string(*run) == name)
      if (std::error_code error; fs::is_directory(fs::symlink_status(share_of(campaign, int64_t(*run)), error)))
        shares.push_back({int64_t(*run), ShareFolder(share_of(campaign, int64_t(*run)))});
  std::ranges::sort(shares, {}, &ShareOfRun::run);
  return shares;
}

} // namespace faultline::campaign
