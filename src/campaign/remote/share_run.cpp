#include "campaign/remote/share_run.h"

#include "base/files.h"
#include "base/text.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>
#include <thread>

namespace faultline::campaign {

using base::UserError;

namespace fs = std::filesystem;

std::vector<std::vector<size_t>> dealt(const std::vector<size_t>& functions, uint64_t parts) {
  std::vector<std::vector<size_t>> dealt(std::min<uint64_t>(std::max<uint64_t>(parts, 1), functions.size()));
  for (size_t i = 0; i < functions.size(); ++i)
    dealt[i % dealt.size()].push_back(functions[i]);
  return dealt;
}

ShareJob share_job(const RoundsOf& of, const CampaignTargets& targets, const std::vector<size_t>& functions,
                   const JobHead& head) {
  ShareJob job{.run = of.run,
               .job = head.number,
               .program = head.program,
               .folder = fs::current_path().string(),
               .flags = of.options.sources.flags,
               .seed = of.seed,
               .evaluations = head.limits.evaluations,
               .seconds = head.limits.seconds,
               .functions = {}};
  for (const size_t i : functions) {
    const TargetRow& row = targets.rows[i];
    SharedFunction function{row,
                            targets.selected.settings[i],
                            targets.selected.measured[i],
                            past_rounds(of.database, row.id, row.program),
                            {},
                            {}};
    if (std::string& reference = function.settings.reference_file; !reference.empty())
      reference = fs::absolute(reference).string(); // a task runs in another folder
    for (StoredFinding& stored : findings_of(of.database, row.id))
      function.findings.push_back(std::move(stored.finding));
    if (row.rounds == 0)
      function.first_inputs = targets.first_inputs[i];
    job.functions.push_back(std::move(function));
  }
  return job;
}

void write_job(const ShareFolder& folder, const ShareJob& job) {
  const std::string file = folder.job_file(job.job);
  std::error_code error;
  fs::create_directories(folder.path(), error);
  if (fs::is_symlink(folder.path(), error))
    throw base::UserError(base::status_usage, fmt::format("{}: is a link", folder.path()), "remove it");
  try {
    base::replace_file(file, share_job_text(job));
  } catch (const std::system_error& failure) {
    throw base::UserError(base::status_usage, fmt::format("{}: {}", file, failure.code().message()),
                          "make room on the disk, or check the folder's mode");
  }
}

namespace {

// Guesses. Functions that come back within gathering_seconds are dealt together. A task without a sign of life for
// silence_seconds is lost (it gives one every ten seconds, but not while it loads a large program). Tasks that are
// requested to end have ended after ending_seconds.
constexpr double gathering_seconds = 5, silence_seconds = 120, ending_seconds = 20;
constexpr uint64_t least_barren = 3;           // jobs: one or two may be chance
constexpr double look_seconds = 1, part = 0.1; // look() takes at most a tenth of the time

void sleep(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

} // namespace

ShareRun::ShareRun(const RoundsOf& of, CampaignTargets& targets, const std::string& folder,
                   const RemoteOptions& elsewhere, const RunClock& clock, Merging::OnMerged on_merged)
    : of_(of), targets_(targets), folder_(share_of(folder, of.run)), elsewhere_(elsewhere), clock_(clock),
      merging_(of, targets.rows, std::move(on_merged)), out_(targets.rows.size()) {
  Rows rows = of.database.ask("SELECT program FROM runs WHERE id = ?", of.run);
  if (rows.next())
    program_ = rows.text(0);
}

std::optional<UserError> ShareRun::run(const std::atomic<bool>& stop,
                                       const std::function<void(const std::string&)>& tell) {
  for (double last = 0; wants_more() && !trouble_ && !stop && !clock_.is_over();) {
    const double begin = clock_.seconds();
    deal();
    look();
    last = clock_.seconds() - begin;
    for (const double until = clock_.seconds() + std::max(look_seconds, last / part);
         clock_.seconds() < until && !stop && !clock_.is_over(); sleep(0.1))
      tell(states_text());
  }
  wind_up();
  return trouble_;
}

bool ShareRun::wants_more() const {
  for (size_t i = 0; i < targets_.rows.size(); ++i)
    if (!targets_.has_had_all(i, of_.evaluations))
      return true;
  return false;
}

std::vector<size_t> ShareRun::free_functions() const {
  std::vector<size_t> free;
  for (size_t i = 0; i < out_.size(); ++i)
    if (!out_[i] && !targets_.has_had_all(i, of_.evaluations))
      free.push_back(i);
  return free;
}

void ShareRun::deal() {
  const std::vector<size_t> free = free_functions();
  if (free.empty())
    return;
  if (!free_since_)
    free_since_ = clock_.seconds();
  if (!open_.empty() && clock_.seconds() - *free_since_ < gathering_seconds)
    return;
  free_since_.reset();
  const std::vector<std::vector<size_t>> parts = dealt(free, elsewhere_.tasks);
  const TaskLimits limits{of_.evaluations, std::min(elsewhere_.task_seconds, clock_.left().value_or(INFINITY))};
  const uint64_t first = next_;
  for (const std::vector<size_t>& functions : parts) {
    write_job(folder_, share_job(of_, targets_, functions, {next_, program_, limits}));
    for (const size_t i : functions)
      out_[i] = true;
    open_[next_++].functions = functions;
  }
  last_deal_ = parts.size();
  elsewhere_.engine->start(folder_, first, parts.size());
}

// Reads the states before the files, so that the file of an ended task is complete.
void ShareRun::look() {
  elsewhere_.engine->look();
  for (auto& [number, job] : open_)
    job.state = elsewhere_.engine->state(number);
  collect();
  close_ended();
  if (folder_.has_stop_file()) // tasks end without a word
    trouble_.emplace(base::status_inconclusive,
                     fmt::format("{}/stop asks the tasks of this run to end, and is not its own", folder_.path()),
                     "who else may write to this folder? faultline campaign run goes on");
}

void ShareRun::collect() {
  for (const ResultsName& name : folder_.results()) {
    const FileNews news = merging_.merge(folder_.results_file(name));
    if (news.merged > 0)
      barren_ = 0;
    const auto job = open_.find(name.job);
    if (job == open_.end() || !news.grew)
      continue;
    job->second.grew = clock_.seconds();
    job->second.merged += news.merged;
    job->second.ending = news.ending;
    job->second.failed = news.failed;
  }
}

// A batch system may restart a stopped task, so the state decides in this case.
bool ShareRun::is_over(const OpenJob& job) const {
  const bool has_done_all = job.ending == RunEnding::evaluations || job.ending == RunEnding::time;
  if (job.state == TaskState::gone || has_done_all || !job.failed.empty())
    return true;
  return job.state == TaskState::released && job.grew && (job.ending || clock_.seconds() - *job.grew > silence_seconds);
}

void ShareRun::close_ended() {
  for (auto job = open_.begin(); job != open_.end();) {
    if (is_over(job->second)) {
      close(job->first, job->second);
      job = open_.erase(job);
    } else {
      ++job;
    }
  }
}

void ShareRun::close(uint64_t number, const OpenJob& job) {
  bool wants_more = false;
  for (const size_t i : job.functions) {
    out_[i] = false;
    wants_more |= !targets_.has_had_all(i, of_.evaluations);
  }
  std::error_code ignored;
  std::filesystem::remove(folder_.job_file(number), ignored); // no task may begin it any more
  if (job.merged > 0 || !wants_more)
    return;
  const std::string words = !job.failed.empty() ? job.failed : elsewhere_.engine->last_words(folder_, number);
  if (of_.options.tell && !words.empty())
    of_.options.tell(fmt::format("task {}: {}", number, words));
  if (++barren_ < std::max(least_barren, last_deal_))
    return;
  trouble_.emplace(base::status_usage,
                   fmt::format("{} tasks in a row ended without having done anything{}", barren_,
                               words.empty() ? "" : fmt::format("; the last one: {}", words)),
                   fmt::format("is {} on a file system that all machines see under this name, and is the program? "
                               "docs/campaigns.md, Many machines",
                               folder_.path()));
}

void ShareRun::wind_up() {
  if (next_ == 0)
    return;
  folder_.stop();
  elsewhere_.engine->cancel();
  const double until = clock_.seconds() + ending_seconds;
  const auto has_ended = [](const auto& entry) {
    const OpenJob& job = entry.second;
    return job.state == TaskState::gone || job.ending || !job.failed.empty() ||
           (job.state == TaskState::released && !job.grew);
  };
  for (;;) {
    elsewhere_.engine->look();
    for (auto& [number, job] : open_)
      job.state = elsewhere_.engine->state(number);
    collect();
    if (std::ranges::all_of(open_, has_ended) || clock_.seconds() > until)
      return;
    sleep(0.2);
  }
}

std::string ShareRun::states_text() const {
  std::array<uint64_t, 4> counts{};
  for (const auto& [number, job] : open_)
    ++counts[size_t(job.state)];
  const uint64_t running = counts[size_t(TaskState::running)] + counts[size_t(TaskState::released)];
  return fmt::format("{} running, {} waiting", base::counted(running, "task"), counts[size_t(TaskState::waiting)]);
}

} // namespace faultline::campaign
