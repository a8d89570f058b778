// What a hunt returns: its targets with their findings. Plain data; the layer report makes text of it.
#pragma once

#include "finding/bound/safety_map.h"
#include "finding/extents.h"
#include "finding/finding.h"
#include "frontend/target.h"

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

// The version that reports carry.
inline constexpr const char* version = FAULTLINE_VERSION;

// Coverage of one target: an input for each branch outcome, or why there is none (faultline cover). Plain data.
using frontend::Standing;
using frontend::standing_of;
using frontend::text;

// One way that one decision of the code can go.
struct CoveredBranch {
  std::string file;
  std::string function;
  int line = 0, column = 0;
  std::string operation; // of the table: cmp_olt, decide
  std::string condition; // "<"
  std::string outcome;   // "true", "false"; of a switch "case 2"
  Standing standing = Standing::open;
  std::string solver;          // of infeasible: who proved it
  std::string why;             // of open and infeasible: what is left, what it holds for
  std::optional<size_t> shown; // by this test
};

// An input, and what the code did with it when it was run again.
struct CoverTest {
  std::vector<NamedNumber> input;
  std::vector<long double> values;
  std::string ending; // "returned", "called abort"
  bool returned = true;
  bool missing = false; // it needed what is not here: no test
  std::vector<NamedNumber> outputs;
};

struct CoverReport {
  std::string version;
  std::vector<std::string> command;
  uint64_t seed = 1;
  frontend::Target target;
  std::vector<InputRange> inputs;
  std::vector<CoveredBranch> branches;
  std::vector<CoverTest> tests;
  uint64_t paths = 0;    // that were run
  bool complete = false; // there are no others
  int loop_bound = 0;
  uint64_t bounded = 0, questions = 0, unanswered = 0;
  uint64_t evaluations = 0;
  double seconds = 0;
  uint64_t not_replayed = 0; // claims that a fresh process did not confirm; they count as open
  bool interrupted = false;
  std::string note;

  size_t count(Standing standing) const;
};

// Problems as regression tests: what a test of the fixed code calls, and what it may demand. Plain data, made by
// hunt/regression.h.

// What is expected of an output.
struct Expectation {
  size_t output = 0; // of the target
  Number reference;
  Number computed;        // when the finding was made
  double ulps = 0;        // that this is off
  double bound = 0;       // in ulps
  double unavoidable = 0; // ulps that rounding the inputs alone would cost; not of a wrong branch
};

// One problem, at the most ordinary input of it that a test can be made of.
struct RegressionCase {
  std::string problem; // its id
  std::string fault;   // its class: cancellation
  std::string file;    // where it is; empty, and a line of 0, if nobody knows
  int line = 0;
  std::string source; // the expression there, as far as it is known
  Kind kind = Kind::inaccuracy;
  std::string detail; // of a crash: "called abort"
  std::vector<NamedNumber> input;
  std::optional<Expectation> expected; // none: the call must return
  std::string left_out;                // why there is no test of it; empty: there is one
};

struct RegressionTarget {
  std::string function;
  std::string file;
  frontend::Target target;
  std::vector<RegressionCase> cases;
};

} // namespace faultline::finding
