// Findings: what a hunt returns. Plain data; reports are functions of it.
#pragma once

#include "campaign/diagnosis.h"
#include "campaign/plot.h"
#include "frontend/target.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace faultline::campaign {

// id, text. The order is that of the exit: exceptions and crashes need no oracle, the rest is verified by one.
#define FAULTLINE_FINDING_KINDS(X)                                                                                     \
  X(inaccuracy, "inaccuracy")                                                                                          \
  X(overflow, "overflow")                                                                                              \
  X(underflow, "underflow")                                                                                            \
  X(invalid, "invalid")                                                                                                \
  X(divide_by_zero, "divide-by-zero")                                                                                  \
  X(crash, "crash")                                                                                                    \
  X(timeout, "timeout")                                                                                                \
  X(branch_flip, "branch-flip")                                                                                        \
  X(bound_violated, "bound-violated")

enum class Kind : uint8_t {
#define FAULTLINE_KIND_ID(id, text) id,
  FAULTLINE_FINDING_KINDS(FAULTLINE_KIND_ID)
#undef FAULTLINE_KIND_ID
};
std::string_view text(Kind);
std::optional<Kind> kind_of(std::string_view text);
bool is_error(Kind kind); // one with an error against a reference

enum class Verdict : uint8_t { avoidable, ill_conditioned, inherent, unknown };
std::string_view text(Verdict);
std::optional<Verdict> verdict_of(std::string_view text);

// A number as people paste it: shortest decimal that reads back as the same value, and hex.
struct Number {
  std::string decimal;
  std::string hex;
};

struct NamedNumber {
  std::string name; // of the input cell: x, A[3]
  Number value;
};

struct Output {
  std::string name;
  Number computed;
  Number reference; // decimal with the digits that are known; hex of the nearest value of the format; empty if there is
                    // none
};

struct Error {
  double relative = 0;
  double absolute = 0;
  double ulps = 0;
  double bits = 0;
};

struct Cause {
  std::string file;
  int line = 0;
  int column = 0;
  std::string function;
  std::string operation; // the table's name: fsub
  double condition = 0;
  double share = 0;
};

// Is this step of a chain an execution of the operation to blame?
bool is_at(const Step& step, const std::optional<Cause>& cause);

// A further input that shows the same thing.
struct Witness {
  std::vector<NamedNumber> input;
  Number computed;
  double relative = 0; // its errors
  double absolute = 0;
};

// The operation that ended an infinity or NaN.
struct Swallower {
  std::string file;
  int line = 0;
  std::string operation;
};

// What became of an exception (docs/exceptions.md).
struct Aftermath {
  bool reaches_output = false;
  std::optional<Swallower> swallowed_at; // who ended it, if it did not reach the output and somebody did
  std::string reported_by;               // status, errno, abort, exit, exception; empty: nothing told the caller
  bool consequence = false;              // an operand was an infinity or NaN already
  bool harmless = false;                 // an underflow of which nothing shows that it matters
  bool flags = true;            // the hardware raised its flag too; only conversions to narrow integers may do without
  bool after_underflow = false; // a division by a zero that an underflow left behind

  bool silent() const { return reported_by.empty(); }
};

// A comment in the source that asks not to be told of a finding (campaign/suppressions.h).
struct Suppression {
  std::string file;
  int line = 0; // of the comment
  std::string reason;
};

// Was it in the findings of an earlier hunt (--baseline)?
enum class Novelty : uint8_t { untold, fresh, known };

struct Finding {
  std::string id;          // a hash of function, kind, cause and input: stable
  std::string fingerprint; // of what does not change when other code does (campaign/fingerprint.h)
  Kind kind = Kind::inaccuracy;
  std::vector<NamedNumber> input;
  std::optional<Output> output;
  std::optional<Error> error;
  std::string oracle; // lifted, replay, reference, none
  std::string strategy;
  std::string found_by; // the means by which the strategy made the first input that shows it (an exception); or empty
  std::optional<Cause> cause;
  std::optional<Aftermath> aftermath; // of an exception
  Verdict verdict = Verdict::unknown;
  std::optional<Witness> avoidable_at; // where the verdict `avoidable` was made, if not at the worst input
  std::optional<Diagnosis> diagnosis;  // why the output is wrong, where a run of moderate length shows it
  std::optional<Witness> simplest;     // an input that is easier to read and shows an error at least half as large
  std::string detail;                  // one sentence: "called abort", "the exact comparison goes the other way"
  std::string replay;                  // the command that runs it again
  std::vector<Witness> also;           // largest error first: a few of those that were merged with it
  uint64_t merged = 0;                 // how many were
  std::optional<Suppression> suppressed;
  Novelty novelty = Novelty::untold;
  Plots plots; // not in the JSON: made for the reports that draw them (campaign/plots.h)

  // Is it a reason to say that something was found? What is harmless, suppressed or known is shown to those who ask
  // for it.
  bool counts() const { return !(aftermath && aftermath->harmless) && !set_aside(); }
  bool set_aside() const { return suppressed || novelty == Novelty::known; }
};

// The page of the documentation that tells about it, and its rule in SARIF: the class of the fault where there is one,
// else the kind.
std::string_view rule(const Finding& finding);

struct InputRange {
  std::string name;
  std::string format;
  std::string low, high; // decimal
  bool assumed = false;  // nobody gave it: an integer
};

// How the hunt in one target ended. `crashed` and `timed_out`: it found nothing else.
#define FAULTLINE_TARGET_OUTCOMES(X)                                                                                   \
  X(found, "found")                                                                                                    \
  X(none, "none") X(unknown, "unknown") X(timed_out, "timed-out") X(crashed, "crashed") X(interrupted, "interrupted")
enum class TargetOutcome : uint8_t {
#define FAULTLINE_TARGET_OUTCOME_ID(id, text) id,
  FAULTLINE_TARGET_OUTCOMES(FAULTLINE_TARGET_OUTCOME_ID)
#undef FAULTLINE_TARGET_OUTCOME_ID
};
std::string_view text(TargetOutcome);
std::optional<TargetOutcome> target_outcome_of(std::string_view text);

struct TargetReport {
  std::string function;
  std::string file;
  int line = 0;
  std::vector<InputRange> inputs;
  uint64_t sites = 0;
  uint64_t evaluations = 0;
  double seconds = 0;
  TargetOutcome outcome = TargetOutcome::none;
  std::string note;              // why the outcome is what it is, where that needs saying
  std::vector<Finding> findings; // largest error first, then crashes, then exceptions (campaign/collection.h)
  uint64_t folded = 0;           // harmless underflows that are not among them
  // With a configuration: all that applied to this function, as words of a command.
  std::vector<std::string> settings = {};

  size_t counted() const; // findings that count
};

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

struct Report {
  std::string version;
  std::vector<std::string> command; // what was typed, after the program's name
  uint64_t seed = 1;
  std::optional<ReadConfiguration> configuration;
  std::optional<ReadBaseline> baseline;
  std::vector<std::string> remarks; // on comments that suppress: unused ones, and those that are not obeyed
  std::vector<TargetReport> targets;
  std::string without_plots = {}; // why no finding has any, if they were wanted; not in the JSON
};

// 0 nothing found, 1 findings, 4 inconclusive (cli.md).
int exit_status(const Report& report);

} // namespace faultline::campaign
