// The result of a hunt: its targets with their findings. Plain data; the layer report formats it.
#pragma once

#include "model/finding.h"
#include "model/safety_map.h"
#include "model/settings/settings.h"
#include "model/target.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::model {

// Lengths of arrays that are not declared, found by running the function (judge/extent_search.h).
struct FoundExtent {
  std::string parameter;
  std::vector<uint64_t> extents; // in the form of --size; {1}: a single number
  std::string formula = {};      // "n * n"; empty: the same in all runs, or the largest seen
  bool endless = false;          // some runs went beyond every size
  bool before = false;           // a run accessed memory before the beginning of the array

  bool operator==(const FoundExtent&) const = default;
};

// The extents that a hunt uses for a function.
struct FoundExtents {
  std::vector<FoundExtent> arrays;
  std::map<std::string, int64_t> held; // integers that the extents depend on
  std::map<std::string, Range> ranges; // of other integers: the values that were tried
  bool cut = false;                    // the time limit ended it: another run may give another result

  bool operator==(const FoundExtents&) const = default;
};

struct InputRange {
  std::string name;
  std::string format;
  std::string low, high;            // decimal
  bool assumed = false;             // an integer whose range was not given
  std::vector<int64_t> values = {}; // all values that were tried, for a flag; empty: those from low to high
};

// How the hunt in one target ended. `proved`: nothing was found, and a proof shows that there is nothing to find
// (`TargetReport::proof`). `crashed` and `timed_out`: nothing else was found. `refused`: the target was named with -f,
// and cannot be tested.
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

// The largest error seen, whether it is a finding or not.
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
  uint64_t judged = 0; // everyday inputs at which the oracle judged a result
  double seconds = 0;  // of the search
  TargetOutcome outcome = TargetOutcome::none;
  std::string note;                       // reason of the outcome, if it needs one
  std::vector<Finding> findings;          // largest error first, then crashes, then exceptions (model/collection.h)
  uint64_t folded = 0;                    // harmless underflows that are not in `findings`
  std::vector<FoundExtent> extents = {};  // of arrays whose size was found by probing
  std::vector<std::string> settings = {}; // all settings of this function, as words of a command
  bool shows_all = false;                 // --all: suppressed and known findings are shown, too

  double total_seconds = 0; // including judging and diagnosis
  bool cut = false;         // the time limit ended it: another run may find something else
  std::optional<Largest> largest_everyday = {}, largest = {}; // error, at everyday inputs and at all inputs

  std::optional<Proof> proof = {}; // over the given ranges, if one was tried

  bool is_silent() const { return outcome == TargetOutcome::none || outcome == TargetOutcome::proved; }
  size_t counted() const; // number of findings that count
};

std::vector<std::string> input_names(const TargetReport& target);

// Returns the outcome of a target with findings that count.
TargetOutcome outcome_found(const TargetReport& target);

// The faultline.toml that a hunt read.
struct ReadConfiguration {
  std::string file;
  std::vector<std::string> flags; // those that it added to the compiler's
};

// The findings with which a hunt was compared.
struct ReadBaseline {
  std::string file;
  uint64_t gone = 0; // findings in it that were not found again, of functions that were tested
};

struct CampaignPage;

struct Report {
  std::string version;
  std::vector<std::string> command; // the command as typed, without the program's name
  uint64_t seed = 1;
  std::optional<ReadConfiguration> configuration;
  std::optional<ReadBaseline> baseline;
  // On suppressing comments that are unused or not valid, and on files that are left out.
  std::vector<std::string> remarks;
  std::vector<TargetReport> targets;
  std::map<Obstacle, size_t> skipped = {}; // functions that cannot be tested and were not named; not in the JSON
  Tier fail_on = Tier::error;     // the lowest tier with exit status 1; in the JSON as part of the command only
  std::string without_plots = {}; // why plots are missing, if they were requested; not in the JSON
  std::shared_ptr<const CampaignPage> campaign = {}; // set for the page of a campaign only
  std::vector<std::string> folders = {};             // of the project (program/project_files.h); not in the JSON
};

// The version in reports.
inline constexpr const char* version = FAULTLINE_VERSION;

// Coverage of one target: an input for each branch outcome, or the reason for its absence (faultline cover). Plain
// data.

// One outcome of one decision of the code.
struct CoveredBranch {
  std::string file;
  std::string function;
  int line = 0, column = 0;
  std::string operation; // in the table: cmp_olt, decide
  std::string condition; // "<"
  std::string outcome;   // "true", "false"; for a switch "case 2"
  BranchState state = BranchState::open;
  std::string solver;          // of infeasible: the solver that proved it
  std::string why;             // of open and infeasible: what is left, what the proof holds for
  std::optional<size_t> shown; // index of the test
};

// An input, and the result of running the code on it again.
struct CoverTest {
  std::vector<NamedNumber> input;
  std::vector<numeric::Value> values;
  std::string ending; // "returned", "called abort"
  bool returned = true;
  bool missing = false; // the run needed an unresolved symbol: not a test
  std::vector<NamedNumber> outputs;
};

struct CoverReport {
  std::string version;
  std::vector<std::string> command;
  uint64_t seed = 1;
  Target target;
  std::vector<InputRange> inputs;
  std::vector<CoveredBranch> branches;
  std::vector<CoverTest> tests;
  uint64_t paths = 0;    // number of executed paths
  bool complete = false; // all paths were executed
  int loop_bound = 0;
  uint64_t bounded = 0, questions = 0, unanswered = 0;
  uint64_t evaluations = 0;
  double seconds = 0;
  uint64_t not_replayed = 0; // claims that a new process did not confirm; they count as open
  bool interrupted = false;
  std::string note;

  size_t count(BranchState state) const;
};

// Problems as regression tests: the call and the results that a test of the fixed code may require. Plain data, made by
// hunt/reruns.h.

// The expected value of an output.
struct Expectation {
  size_t output = 0; // number of the target's output
  Number reference;
  Number computed;        // when the finding was made
  double ulps = 0;        // its error
  double bound = 0;       // in ulps
  double unavoidable = 0; // ulps that rounding the inputs alone would cost; not for a wrong branch
};

// One problem, at its most ordinary input that a test can use.
struct RegressionCase {
  std::string problem; // its id
  std::string fault;   // its class: cancellation
  std::string file;    // empty, with line 0, if it is unknown
  int line = 0;
  std::string source; // the expression at the place, if it is known
  Kind kind = Kind::inaccuracy;
  std::string detail; // of a crash: "called abort"
  std::vector<NamedNumber> input;
  std::optional<Expectation> expected; // none: the call must return
  std::string left_out;                // why there is no test; empty: there is one
};

struct RegressionTarget {
  std::string function;
  std::string file;
  Target target;
  std::vector<RegressionCase> cases;
};

} // namespace faultline::model
