// What a run comes to, counted as its rounds are recorded; and the points of the campaign's curve.
#pragma once

#include "campaign/recording.h"
#include "campaign/run_clock.h"
#include "campaign/store/campaign_file.h"
#include "campaign/store/finding_table.h"

#include <string>
#include <vector>

namespace faultline::campaign {

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

} // namespace faultline::campaign
