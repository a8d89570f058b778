// How a campaign stands, as plain data: what `faultline campaign status` shows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace faultline::finding {

struct CampaignRun {
  int64_t id = 0;
  int64_t started = 0; // seconds since 1970
  std::optional<int64_t> ended;
  std::string ending, commit;
};

struct CampaignPoint {
  double seconds = 0; // of all workers
  uint64_t errors = 0, warnings = 0;
  uint64_t evaluations = 0;

  uint64_t problems() const { return errors + warnings; }
};

struct CampaignFunction {
  std::string function;
  uint64_t rounds = 0, evaluations = 0;
  double seconds = 0;
  uint64_t errors = 0, warnings = 0;
  uint64_t quiet = 0; // rounds without news
};

// Problems of tiers error and warning that are still to be found, by an estimate (campaign/schedule/richness.h).
struct CampaignUnseen {
  double estimate = 0, low = 0, high = 0;
  uint64_t functions = 0; // that it rests on: those with several rounds
};

struct CampaignStatus {
  std::string folder;
  bool is_running = false;
  uint64_t functions = 0, looked_at = 0, refused = 0, gone = 0;
  uint64_t jobs = 0, cut = 0, evaluations = 0;
  double seconds = 0;
  uint64_t sites = 0, reached = 0; // operations of all functions, and those that were executed
  uint64_t errors = 0, warnings = 0, notes = 0;
  std::optional<CampaignUnseen> unseen; // none: too early to tell
  std::vector<CampaignPoint> curve;
  std::vector<CampaignFunction> most_time; // those that have had most of it
  std::vector<CampaignRun> runs;
};

} // namespace faultline::finding
