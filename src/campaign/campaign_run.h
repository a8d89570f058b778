// A run of a campaign: rounds are chosen, carried out by workers on this machine or by tasks elsewhere, and recorded,
// until the time or the evaluations are used up, or somebody stops it. Whatever ends it, the next run goes on where it
// was.
#pragma once

#include "campaign/comparing_programs.h"
#include "campaign/remote/engine.h"
#include "campaign/run_tally.h"
#include "campaign/store/campaign_file.h"
#include "hunt/options.h"

#include <atomic>
#include <functional>
#include <optional>
#include <string>

namespace faultline::campaign {

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

} // namespace faultline::campaign
