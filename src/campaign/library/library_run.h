// A run of a campaign: jobs are chosen, carried out by workers on this machine, and recorded, until the time or the
// evaluations are used up, or somebody stops it. Whatever ends it, the next run goes on where it was.
#pragma once

#include "campaign/library/comparing_programs.h"
#include "campaign/library/recording.h"
#include "campaign/options.h"
#include "campaign/store/campaign_file.h"
#include "campaign/store/finding_table.h"

#include <atomic>
#include <functional>
#include <optional>
#include <string>

namespace faultline::campaign {

struct RunLimits {
  std::optional<double> seconds;       // on the clock
  std::optional<uint64_t> evaluations; // of each function, in all runs together
};

// How it is going.
struct RunProgress {
  double seconds = 0;                    // since it began
  uint64_t functions = 0, looked_at = 0; // looked at: at least once
  uint64_t jobs = 0, evaluations = 0;    // of this run
  ProblemCounts problems;                // of the campaign
  double since_news = 0;                 // seconds
};

struct RunListener {
  std::function<void(const ProgramChanges&)> on_begin;
  std::function<void(const RunProgress&)> on_progress;
};

struct RunResult {
  std::string ending; // time, evaluations, stopped
  RunProgress progress;
  KnownAgain again; // of functions that have changed
  uint64_t cut = 0; // jobs that the clock has ended
};

// `folder`: the campaign's. Throws frontend::UserError.
RunResult run_library(Database& database, const std::string& folder, const Options& options, const Subject& subject,
                      const std::string& commit, const RunLimits& limits, const RunListener& listener,
                      const std::atomic<bool>& stop);

} // namespace faultline::campaign
