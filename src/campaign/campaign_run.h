// A run of a campaign: chooses rounds, has them carried out by workers on this machine or by remote tasks, and records
// them, until the time or the evaluations are used up or the user stops it. The next run continues where it ended.
#pragma once

#include "base/clock.h"
#include "campaign/recording.h"
#include "campaign/remote/launcher.h"
#include "campaign/store/campaign_file.h"
#include "campaign/store/finding_table.h"
#include "hunt/targets.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace faultline::campaign {

// The clock of a run. When its time is over, no further job starts; jobs in progress get a grace period.
class RunClock {
public:
  explicit RunClock(std::optional<double> limit) : limit_(limit) {}

  double seconds() const { return watch_.seconds(); }
  std::optional<double> left() const { return limit_ ? std::optional(*limit_ - seconds()) : std::nullopt; }
  bool is_over() const { return limit_ && seconds() >= *limit_; }
  // True if jobs that were in progress when the time was up have had their time to finish.
  bool grace_is_over() const { return limit_ && seconds() >= *limit_ + std::clamp(0.05 * *limit_, 2.0, 30.0); }

private:
  std::optional<double> limit_;
  base::Stopwatch watch_;
};

// The differences between a program and the store: which functions are new, have changed since the last run, or are
// gone.
struct ProgramChanges {
  std::vector<std::string> added, changed, moved, gone; // functions; moved: the same code at other lines
};

struct StoredTargets {
  std::vector<TargetRow> rows; // one per target
  ProgramChanges changes;
};

// Stores the targets in one transaction. Functions with unchanged code and settings keep their state. In the others,
// known inputs are tried again first; the changed ones are then searched anew.
StoredTargets store_targets(Database& database, hunt::HuntTargets& selected, int64_t run);

// The progress of a run.
struct RunProgress {
  double seconds = 0;                    // since its begin
  uint64_t functions = 0, looked_at = 0; // looked at: at least once
  uint64_t jobs = 0, evaluations = 0;    // of this run
  ProblemCounts problems;                // of the campaign
  double since_news = 0;                 // seconds
  std::string elsewhere;                 // state of the tasks on other machines
};

struct RunResult {
  RunEnding ending = RunEnding::evaluations;
  RunProgress progress;
  KnownAgain again; // of functions that have changed
  uint64_t cut = 0; // jobs that timed out
};

// Counts the results of a run as its rounds are recorded, and stores the points of the campaign's curve.
class RunTally {
public:
  RunTally(Database& database, int64_t run, const std::vector<TargetRow>& rows, const RunClock& clock);

  void add(const RoundResult& recorded, bool first_look);
  void note_point();
  void tell_elsewhere(std::string how) { result_.progress.elsewhere = std::move(how); }

  RunProgress progress() const;
  RunResult result(RunEnding ending) const;

private:
  Database& database_;
  int64_t run_;
  const RunClock& clock_;
  double last_news_ = 0, noted_seconds_ = 0;
  double counted_at_ = 0, counting_took_ = 0; // on the clock
  CurvePoint total_;                          // of the campaign
  RunResult result_;
};

struct RunLimits {
  std::optional<double> seconds;       // on the clock
  std::optional<uint64_t> evaluations; // of each function, in all runs together
};

struct RunListener {
  std::function<void(const ProgramChanges&)> on_begin;
  std::function<void(const RunProgress&)> on_progress;
};

// `folder`: the campaign's. `elsewhere`: the engine for remote tasks; none: workers of this process. Throws
// base::UserError.
RunResult run_campaign(Database& database, const std::string& folder, const hunt::Options& options,
                       const Subject& subject, const std::string& commit, const RunLimits& limits,
                       const RunListener& listener, const std::optional<RemoteOptions>& elsewhere,
                       const std::atomic<bool>& stop);

// Returns the commit that is checked out in the repository that contains the folder; empty if there is none or it
// cannot be determined. It is read from Git's own files, because a campaign starts no programs in foreign folders.
std::string commit_of(const std::string& folder);

} // namespace faultline::campaign
