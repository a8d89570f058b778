#include "campaign/remote/share_task.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/files.h"
#include "campaign/campaign_run.h"
#include "campaign/recording.h"
#include "campaign/remote/merging.h"
#include "campaign/remote/share_folder.h"
#include "campaign/rounds.h"
#include "campaign/store/campaign_file.h"
#include "campaign/store/database.h"
#include "hunt/targets.h"
#include "model/settings/table.h"
#include "program/content_hash.h"
#include "program/sources.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <unistd.h>

namespace faultline::campaign {

using namespace model;
using namespace program;
namespace fs = std::filesystem;

namespace {

// Returns the program file of a job in the campaign's folder. Throws UserError if its content has another hash.
std::string checked_file(const ShareJob& job, const ShareFolder& folder) {
  const std::filesystem::path campaign = std::filesystem::path(folder.path()).parent_path().parent_path();
  std::string file = program_in(campaign.string(), job.program);
  std::error_code error;
  if (!std::filesystem::exists(file, error))
    throw base::UserError(base::status_usage, fmt::format("{}: the program of this job is not there", file),
                          "a later run may have replaced it; or the campaign's folder is not shared as a whole");
  if (program::content_hash(file) != job.program)
    throw base::UserError(base::status_usage, fmt::format("{}: is not the program of this job", file),
                          "faultline campaign run DIR writes both anew");
  return file;
}

// Loads the targets in the order of the job's functions. Throws base::UserError if the program is gone, has other
// content, or lacks a function.
hunt::HuntTargets shared_targets(const ShareJob& job, const ShareFolder& folder) {
  const auto by_symbol = std::make_shared<std::map<std::string, Shapes>>();
  for (const SharedFunction& function : job.functions)
    by_symbol->emplace(function.row.symbol,
                       Shapes{function.settings.sizes, function.settings.aliases, {}, function.settings.setups});
  const ShapesOf shapes = [by_symbol](const Target& target) {
    const auto found = by_symbol->find(target.symbol);
    return found == by_symbol->end() ? Shapes{} : found->second;
  };
  Sources sources;
  sources.files = {checked_file(job, folder)};
  sources.shapes_of = shapes;
  hunt::HuntTargets selected{Program::load(sources), {}, {}, {}, {}};
  selected.program.shape_by(shapes);
  for (const SharedFunction& function : job.functions) {
    selected.targets.push_back(selected.program.find({function.row.symbol}, {}, true).front());
    selected.targets.back().function = function.row.function;
    selected.settings.push_back(function.settings);
    selected.measured.push_back(function.measured);
  }
  return selected;
}

void add(Database& database, const SharedFunction& function, int64_t run) {
  TargetNow now;
  now.symbol = function.row.symbol;
  now.version = function.row.version;
  now.head.function = function.row.function;
  now.head.settings = model::words_of(model::raw_settings_of(function.settings));
  const int64_t target = add_target(database, now, run);
  TargetRow row = function.row;
  row.id = target;
  store_progress(database, row, {}, row.seconds);
  for (const model::Finding& finding : function.findings)
    add_finding(database, target, finding, {}, run);
  const int64_t version = database.whole("SELECT program FROM targets WHERE id = ?", target);
  int64_t round = int64_t(row.rounds - function.past.size());
  for (const PastRound& past : function.past) {
    JobEnd end;
    end.news = past.news;
    end_job(database, begin_job(database, {0, target, version, round++, past.arm}, run), end);
  }
}

constexpr uint64_t most_bytes = uint64_t(1) << 28; // of a job file, as of other jobs

std::string job_text(const std::string& file) {
  const char* hint = "name a job file of a campaign";
  if (!base::open_regular(file)) // a pipe would keep the task waiting
    throw base::UserError(base::status_usage, fmt::format("{}: {}", file, std::strerror(errno)), hint);
  return base::bounded_content(file, most_bytes, hint);
}

class Task {
public:
  Task(const ShareFolder& folder, uint64_t job, const TaskOptions& how)
      : folder_(folder), file_(folder.job_file(job)), job_(parse_share_job(job_text(file_), file_)),
        store_(store_of_task(job_)) {
    options_.jobs = how.jobs;
    options_.worker = how.limits;
    options_.tell = how.tell;
    const ProjectFolders project({file_, fs::path(folder_.path()).parent_path().parent_path().string()});
    options_.sources.flags = program::flags_from_file(job_.flags, {file_, project, job_.folder}, how.trust);
  }

  void run(ResultsWriter& results, const std::atomic<bool>& stop) {
    const RunClock clock(job_.seconds);
    base::show_paths_from(job_.folder);
    for (const TargetRow& row : store_.rows)
      known_.push_back(hash_of_known(*store_.database, row.id));
    std::vector<std::vector<model::Retry>> inputs;
    for (const SharedFunction& function : job_.functions)
      inputs.push_back(function.first_inputs);
    const RoundsOf of{*store_.database, options_, job_.seed, store_.run, job_.evaluations};
    merge_earlier(of, results.name());
    CampaignTargets targets(shared_targets(job_, folder_), std::move(store_.rows), std::move(inputs));
    Rounds rounds(of, targets, [&](size_t i, const FinishedRound& round, const RoundResult&) {
      results.append(line_of(targets.rows[i], i, round));
    });
    std::atomic<bool> halt = false;
    rounds.run(
        halt, [&] { return !clock.is_over(); },
        [&] {
          results.keep_alive();
          halt = halt || stop || clock.grace_is_over() || is_told_to_end();
        });
    const bool stopped = halt && !clock.is_over();
    results.append(EndLine{stopped ? RunEnding::stopped : clock.is_over() ? RunEnding::time : RunEnding::evaluations});
    results.checkpoint();
  }

private:
  // Merges the results of tasks that had this job before.
  void merge_earlier(const RoundsOf& of, const ResultsName& own) {
    Merging merging(of, store_.rows, [](size_t, const RoundResult&) {});
    for (const ResultsName& name : folder_.results())
      if (name.job == own.job && name.task != own.task)
        merging.merge(folder_.results_file(name));
  }

  RoundLine line_of(const TargetRow& row, size_t i, const FinishedRound& finished) const {
    const JobRow& round = finished.row;
    RoundLine line;
    line.function = row.function;
    line.symbol = row.symbol;
    line.version = row.version;
    line.round = round.round;
    line.arm = round.arm;
    line.seed = round.seed;
    line.evaluations = round.evaluations;
    line.known = round.round == known_inputs_round ? known_[i] : "";
    line.reached = finished.chain.reached();
    for (const auto& [fingerprint, finding] : finished.chain.collector().again())
      line.again.push_back(finding);
    line.found = finished.found;
    return line;
  }

  // Looks for the stop file every other second, because it is a request to a file server.
  bool is_told_to_end() {
    constexpr double pause = 2;
    if (since_look_.seconds() < pause)
      return false;
    since_look_ = base::Stopwatch();
    return folder_.is_stopped();
  }

  const ShareFolder& folder_;
  std::string file_;
  ShareJob job_;
  TaskStore store_;
  hunt::Options options_;
  std::vector<std::string> known_; // by function: hash_of_known at the begin
  base::Stopwatch since_look_;
};

// Writes the reason of a failure into the results, too, because they may be collected on another machine.
void run_job(const ShareFolder& folder, ResultsWriter& results, const TaskOptions& options,
             const std::atomic<bool>& stop) {
  try {
    Task(folder, results.name().job, options).run(results, stop);
  } catch (const base::UserError& problem) {
    results.append(FailedLine{problem.what()});
    results.checkpoint();
    throw;
  }
}

int64_t run_of(const ShareFolder& folder) { return std::atoll(fs::path(folder.path()).filename().c_str()); }

TaskCount run_folder(const ShareFolder& folder, const TaskOptions& options, const std::atomic<bool>& stop) {
  TaskCount count;
  const std::string task = own_task_name();
  const size_t start = std::hash<std::string>()(task); // spreads tasks that begin together over the jobs
  for (bool found = true; found && !stop && !folder.is_stopped();) {
    found = false;
    std::vector<uint64_t> jobs = folder.jobs();
    if (!jobs.empty())
      std::ranges::rotate(jobs, jobs.begin() + long(start % jobs.size()));
    for (const uint64_t job : jobs) {
      if (stop || folder.is_stopped() || folder.is_claimed(job))
        continue;
      ResultsWriter results(folder, {run_of(folder), job, fmt::format("{}-{}", task, count.jobs)});
      if (!folder.claim(results.name())) {
        unlink(folder.results_file(results.name()).c_str());
        continue;
      }
      found = true;
      ++count.jobs;
      try {
        run_job(folder, results, options, stop);
      } catch (const base::UserError& problem) {
        ++count.failed;
        options.tell(fmt::format("{}: {}", folder.job_file(job), problem.what()));
      }
    }
  }
  return count;
}

} // namespace

TaskStore store_of_task(const ShareJob& job) {
  TaskStore store;
  store.database = std::make_unique<Database>(":memory:", Database::Opening::make);
  Database& database = *store.database;
  bring_up_to_date(database);
  store.run = begin_run(database, {"", job.program, {}, 0});
  Transaction transaction(database);
  for (const SharedFunction& function : job.functions)
    add(database, function, store.run);
  transaction.commit();
  store.rows = targets_of(database);
  return store;
}

TaskCount run_share(const std::string& path, const TaskOptions& options, const std::atomic<bool>& stop) {
  const fs::path absolute = fs::absolute(path).lexically_normal();
  std::error_code error;
  if (fs::is_directory(absolute, error))
    return run_folder(ShareFolder(absolute.has_filename() ? absolute : absolute.parent_path()), options, stop);
  const std::optional<uint64_t> job = job_number(absolute);
  if (!job || !fs::exists(absolute, error))
    throw base::UserError(
        base::status_usage, fmt::format("{}: is neither a folder of jobs nor one of its files", path),
        "faultline campaign run DIR --launcher ... makes DIR/shares/RUN/job-N.json; on another machine, "
        "the folder has to be on a file system that both see");
  const ShareFolder folder(absolute.parent_path());
  if (folder.is_stopped())
    return {};
  ResultsWriter results(folder, {run_of(folder), *job, own_task_name()});
  folder.claim(results.name());
  run_job(folder, results, options, stop);
  return {1, 0};
}

} // namespace faultline::campaign
