// A run of a campaign: rounds are chosen, carried out by workers on this machine or by tasks elsewhere, and recorded,
// until the time or the evaluations are used up, or somebody stops it. Whatever ends it, the next run goes on where it
// was.
#pragma once

#include "base/clock.h"
#include "campaign/recording.h"
#include "campaign/remote/launcher.h"
#include "campaign/store/campaign_file.h"
#include "campaign/store/finding_table.h"
#include "hunt/extents.h"
#include "hunt/targets.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace faultline::campaign {

// The time of a run, on the clock: when no job is begun any more, and when nobody waits for those that are under way.
class RunClock {
public:
  explicit RunClock(std::optional<double> limit) : limit_(limit) {}

  double seconds() const { return watch_.seconds(); }
  std::optional<double> left() const { return limit_ ? std::optional(*limit_ - seconds()) : std::nullopt; }
  bool is_over() const { return limit_ && seconds() >= *limit_; }
  // Jobs that are under way when the time is up may come to their end, for so long.
  bool grace_is_over() const { return limit_ && seconds() >= *limit_ + std::clamp(0.05 * *limit_, 2.0, 30.0); }

private:
  std::optional<double> limit_;
  base::Stopwatch watch_;
};

// A program meets the store: which functions are new, which have changed since the last run, which are gone.
struct ProgramChanges {
  std::vector<std::string> added, changed, moved, gone; // functions; moved: the same code at other lines
};

struct StoredTargets {
  std::vector<TargetRow> rows; // one a target
  ProgramChanges changes;
};

// In one transaction. Functions whose code and settings are what they were keep their state. Of the others, what is
// known is tried again first; those that have changed are then hunted in anew.
StoredTargets store_targets(Database& database, HuntTargets& selected, int64_t run);

// What a run comes to, counted as its rounds are recorded; and the points of the campaign's curve.

// How it is going.
struct RunProgress {
  double seconds = 0;                    // since it began
  uint64_t functions = 0, looked_at = 0; // looked at: at least once
  uint64_t jobs = 0, evaluations = 0;    // of this run
  ProblemCounts problems;                // of the campaign
  double since_news = 0;                 // seconds
  std::string elsewhere;                 // of a run on other machines: how its tasks stand
};

struct RunResult {
  RunEnding ending = RunEnding::evaluations;
  RunProgress progress;
  KnownAgain again; // of functions that have changed
  uint64_t cut = 0; // jobs that the clock has ended
};

class RunTally {
public:
  RunTally(Database& database, int64_t run, const std::vector<TargetRow>& rows, const RunClock& clock);

  void add(const Recorded& recorded, bool first_look);
  void note_point();
  void tell_elsewhere(std::string how) { result_.progress.elsewhere = std::move(how); }

  RunProgress progress() const; // of now
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

// `folder`: the campaign's. `elsewhere`: who carries the rounds out; none: this process. Throws frontend::UserError.
RunResult run_campaign(Database& database, const std::string& folder, const Options& options, const Subject& subject,
                       const std::string& commit, const RunLimits& limits, const RunListener& listener,
                       const std::optional<RemoteOptions>& elsewhere, const std::atomic<bool>& stop);

// The commit that is checked out where the sources are: read from Git's own files, as a campaign starts no programs in
// folders of other people.

// Of the repository that the folder lies in; empty: there is none, or it cannot be told.
std::string commit_of(const std::string& folder);

} // namespace faultline::campaign
