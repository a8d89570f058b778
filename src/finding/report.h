// What a hunt returns: its targets with their findings. Plain data; the layer report makes text of it.
#pragma once

#include "finding/bound/safety_map.h"
#include "finding/extents.h"
#include "finding/tier.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::finding {

struct InputRange {
  std::string name;
  std::string format;
  std::string low, high;            // decimal
  bool assumed = false;             // nobody gave it: an integer
  std::vector<int64_t> values = {}; // all that were tried, of a flag; empty: those from low to high
};

// How the hunt in one target ended. `proved`: it found nothing, and there is nothing to be found
// (`TargetReport::proof`). `crashed` and `timed_out`: it found nothing else. `refused`: it was asked for by name beside
// others, and cannot be hunted in.
#define FAULTLINE_TARGET_OUTCOMES(X)                                                                                   \
  X(found, "found")                                                                                                    \
  X(none, "none")                                                                                                      \
  X(proved, "proved")                                                                                                  \
  X(unknown, "unknown")                                                                                                \
  X(timed_out, "timed-out") X(crashed, "crashed") X(interrupted, "interrupted") X(refused, "refused")
enum class TargetOutcome : uint8_t {
#define FAULTLINE_TARGET_OUTCOME_ID(id, text) id,
  FAULTLINE_TARGET_OUTCOMES(FAULTLINE_TARGET_OUTCOME_ID)
#undef FAULTLINE_TARGET_OUTCOME_ID
};
std::string_view text(TargetOutcome);
std::optional<TargetOutcome> target_outcome_of(std::string_view text);

// The largest error that was seen, finding or not.
struct Largest {
  std::vector<NamedNumber> input;
  Error error;
};

void keep_larger(std::optional<Largest>& largest, const std::optional<Largest>& other);

struct TargetReport {
  std::string function;
  std::string file;
  int line = 0;
  std::vector<InputRange> inputs;
  uint64_t sites = 0;
  uint64_t evaluations = 0;
  double seconds = 0; // of the search
  TargetOutcome outcome = TargetOutcome::none;
  std::string note;                       // why the outcome is what it is, where that needs saying
  std::vector<Finding> findings;          // largest error first, then crashes, then exceptions (finding/collection.h)
  uint64_t folded = 0;                    // harmless underflows that are not among them
  std::vector<FoundExtent> extents = {};  // of arrays that were measured by running it
  std::vector<std::string> settings = {}; // all that was said of this function, as words of a command
  bool shows_all = false;                 // they have --all: what is set aside is shown, too

  double total_seconds = 0;                                   // with judging and diagnosing
  bool cut = false;                                           // the clock ended it: another run may find something else
  std::optional<Largest> largest_everyday = {}, largest = {}; // error, at everyday inputs and anywhere

  std::optional<Proof> proof = {}; // of given ranges, if one was tried

  bool is_silent() const { return outcome == TargetOutcome::none || outcome == TargetOutcome::proved; }
  size_t counted() const; // findings that count
};

std::vector<std::string> input_names(const TargetReport& target);

// The outcome of a target with findings that count.
TargetOutcome outcome_found(const TargetReport& target);

// The faultline.toml that a hunt read.
struct ReadConfiguration {
  std::string file;
  std::vector<std::string> flags; // that it added to the compiler's
};

// The findings that a hunt was compared with.
struct ReadBaseline {
  std::string file;
  uint64_t gone = 0; // findings in it, of functions that were hunted in, that were not found again
};

struct CampaignPage;

struct Report {
  std::string version;
  std::vector<std::string> command; // what was typed, after the program's name
  uint64_t seed = 1;
  std::optional<ReadConfiguration> configuration;
  std::optional<ReadBaseline> baseline;
  // On comments that suppress: unused ones, and those that are not obeyed; on files that are left out.
  std::vector<std::string> remarks;
  std::vector<TargetReport> targets;
  Tier fail_on = Tier::warning;   // what makes the exit status 1; not in the JSON, but for the command
  std::string without_plots = {}; // why no finding has any, if they were wanted; not in the JSON
  std::shared_ptr<const CampaignPage> campaign = {}; // that it is the state of; for its page alone
};

} // namespace faultline::finding
