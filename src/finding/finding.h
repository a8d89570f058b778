// A finding: one input that breaks the code, verified, with all that is known of it. Plain data.
#pragma once

#include "finding/plot.h"
#include "finding/settings/settings.h"
#include "ops/fault_kind.h"
#include "ops/op.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::finding {

// Why an output is wrong, as a report tells it: the class of the fault, the sentence, the path of the error from where
// it arose to the output, the part that each source line has in it, and the remedy that was tried out. Plain data: made
// by the layer explain, and put into words and numbers by judge/diagnose.
using ops::Fault;
using ops::fault_of;
using ops::headline;
using ops::text;

// An operation that the error passes through.
struct ChainLink {
  std::string file;
  int line = 0;
  int column = 0;
  std::string function;
  std::string operation; // the table's name: fsub
  std::string text;      // with the values it had: "1 - 0.99999999999999500 = 4.996003610813204e-15"
  std::string reference; // what exact arithmetic makes of it on this path, decimal
  double error = 0;      // relative, of its result
  size_t skipped = 0;    // operations on the way that were left out before this one
};

// A source line's part in the error of the output. The parts of all lines have the sum 1.
struct LineShare {
  std::string file;
  int line = 0;
  std::string function;
  double share = 0;  // signed: roundings of different lines may make up for each other
  double growth = 1; // the factor by which the relative error grew at most at an operation of this line
};

struct Remedy {
  std::string name;           // log1p
  std::string advice;         // "write log1p(x) for log(1 + x)"
  double relative = 0;        // the error of the output with it, on the same input
  uint64_t tried = 0;         // inputs on which it was found to do no harm
  std::string condition = {}; // for which it is meant: |x| < 0.1; empty: everywhere. The advice says it, too
};

struct Diagnosis {
  Fault fault = Fault::unclassified;
  std::string why = {};              // one sentence, or two
  std::vector<ChainLink> chain = {}; // from where the error arose to the output
  std::vector<LineShare> lines = {}; // largest part first; the smallest are left out
  double accounted = 1;              // the part of the oracle's error that these roundings make, on the path of the run
  std::optional<Remedy> remedy = {};
};

// What a kind says of a run.
enum class KindFamily : uint8_t {
  error,     // an output differs from a reference
  range,     // an exception of IEEE 754: a result is beyond the range of its format
  undefined, // the same: arithmetic has no finite result
  ending,    // the call did not return
};

// The one list of kinds:
//   id, text,
//   family,
//   rank: kinds of a smaller one come first,
//   level: the tier of most problems of the kind, as far as they are at everyday inputs,
//   title: what happens at {}, of an exception.
#define FAULTLINE_FINDING_KINDS(X)                                                                                     \
  X(inaccuracy, "inaccuracy", error, 0, "error", "")                                                                   \
  X(overflow, "overflow", range, 4, "warning", "{} overflows")                                                         \
  X(underflow, "underflow", range, 5, "note", "{} underflows")                                                         \
  X(invalid, "invalid", undefined, 3, "warning", "{} is invalid")                                                      \
  X(divide_by_zero, "divide-by-zero", undefined, 3, "warning", "division by zero in {}")                               \
  X(crash, "crash", ending, 1, "error", "")                                                                            \
  X(timeout, "timeout", ending, 2, "error", "")                                                                        \
  X(branch_flip, "branch-flip", error, 0, "warning", "")                                                               \
  X(bound_violated, "bound-violated", error, 0, "error", "")                                                           \
  X(exception, "exception", ending, 1, "error", "")

enum class Kind : uint8_t {
#define FAULTLINE_KIND_ID(id, ...) id,
  FAULTLINE_FINDING_KINDS(FAULTLINE_KIND_ID)
#undef FAULTLINE_KIND_ID
};

struct KindInfo {
  Kind kind;
  std::string_view text;
  KindFamily family;
  int rank;
  std::string_view level, title;
};

inline constexpr KindInfo all_kinds[] = {
#define FAULTLINE_KIND_INFO(id, text, family, rank, level, title)                                                      \
  {Kind::id, text, KindFamily::family, rank, level, title},
    FAULTLINE_FINDING_KINDS(FAULTLINE_KIND_INFO)
#undef FAULTLINE_KIND_INFO
};

constexpr const KindInfo& info(Kind kind) { return all_kinds[size_t(kind)]; }
std::string_view text(Kind);
std::optional<Kind> kind_of(std::string_view text);
constexpr bool is_error(Kind kind) { return info(kind).family == KindFamily::error; }
constexpr bool is_ending(Kind kind) { return info(kind).family == KindFamily::ending; }
constexpr bool is_exception(Kind kind) { return !is_error(kind) && !is_ending(kind); }
Kind kind_of(ops::Exception exception); // not none

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
  std::string norm = {}; // that of a whole array is measured by: inf or 2; empty: it is the output's own
};

// What becomes of the error against a meaning (--means) when it is taken apart by what the code gives in exact
// arithmetic. Both are measured against the meaning's value, so that together they are at least the error.
struct ErrorPart {
  double relative = 0;
  double absolute = 0;
};
struct ErrorParts {
  ErrorPart method;   // exact arithmetic against the meaning: formulas, constants, branches, truncation
  ErrorPart rounding; // the result against exact arithmetic

  bool is_wrong_method() const { return method.absolute > rounding.absolute; }
};

struct Cause {
  std::string file;
  int line = 0;
  int column = 0;
  std::string function = {};
  std::string operation = {}; // the table's name: fsub
  double condition = 0;
  double share = 0;
  std::string source = {}; // the expression as it stands in the source: b * b; empty if it cannot be read
  int end_column = 0;      // behind its last character
};

// Is this step of a chain an execution of the operation to blame?
bool is_at(const ChainLink& step, const std::optional<Cause>& cause);

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

// The exception that another one follows from.
struct Origin {
  Cause place;
  Kind kind = Kind::overflow;
};

// What the outputs of a run with an exception are.
enum class Result : uint8_t {
  unknown,
  right, // within an ulp, or the same infinity, NaN or zero as in exact arithmetic
  wrong,
};
std::string_view text(Result);
std::optional<Result> result_of(std::string_view text);

// What became of an exception (docs/exceptions.md).
struct Aftermath {
  bool reaches_output = false;
  std::optional<Swallower> swallowed_at = {}; // who ended it, if it did not reach the output and somebody did
  std::string reported_by = {}; // status, errno, rejected, abort, exit, exception; empty: nothing told the caller
  bool consequence = false;     // an operand was an infinity or NaN already
  bool harmless = false;        // an underflow of which nothing shows that it matters
  bool flags = true;            // the hardware raised its flag too; only conversions to narrow integers may do without
  bool after_underflow = false; // a division by a zero that an underflow left behind
  Result result = Result::unknown;
  std::optional<Origin> origin = {}; // of a consequence, and of what comes after an underflow

  bool silent() const { return reported_by.empty(); }
};

// A C++ exception that left the function.
struct Thrown {
  std::string type; // std::runtime_error
  std::string what; // empty if it has none
};

// A comment in the source that asks not to be told of a finding (finding/set_aside.h).
struct Suppression {
  std::string file;
  int line = 0; // of the comment
  std::string reason;
};

// Was it in the findings of an earlier hunt (--baseline)?
enum class Novelty : uint8_t { untold, fresh, known };

// The share of inputs that show a problem.
struct Share {
  bool of_range = false; // of those in ranges that were given, not of everyday ones
  double low = 0, high = 1;

  bool operator==(const Share&) const = default;
};

struct Finding {
  std::string id;          // a hash of function, kind, cause and input: stable
  std::string fingerprint; // of what does not change when other code does (finding/set_aside.h)
  Kind kind = Kind::inaccuracy;
  std::vector<NamedNumber> input;
  std::vector<long double> values; // of the input: what its texts are made of
  bool everyday = false;           // one that people use code on (search/space.h)
  bool half_digits = false;        // the error counts only because it is avoidable and the input an everyday one
  bool doubtful = false;           // a crash that a guess or a limit of our own may have made (judge/judge.h)
  std::optional<Output> output;
  std::optional<Error> error;
  std::optional<ErrorParts> parts; // of the error, where a meaning is given and exact arithmetic has a word
  std::string oracle;              // lifted, replay, reference, meaning, none
  std::string strategy;
  std::string found_by; // the means by which the strategy made the first input that shows it (an exception); or empty
  std::optional<Cause> cause;
  std::optional<Aftermath> aftermath; // of an exception
  std::optional<Thrown> thrown;       // Kind::exception, if it is no exit or STOP
  Verdict verdict = Verdict::unknown;
  std::optional<Diagnosis> diagnosis; // why the output is wrong, where a run of moderate length shows it
  std::optional<Share> share;         // how often it is like this
  std::string when;          // the condition on one input that decides it: |x| < 1.2e-4; empty if there is none
  std::string detail;        // one sentence: "called abort", "the exact comparison goes the other way"
  std::string replay;        // the command that runs it again
  std::string explain;       // the one that tells all about it; not in the JSON
  std::vector<Witness> also; // largest error first: a few of those that were merged with it
  uint64_t merged = 0;       // how many were
  std::optional<Suppression> suppressed;
  Novelty novelty = Novelty::untold;
  Plots plots; // not in the JSON: made for the reports that draw them (hunt/plots.h)

  // Is it a reason to say that something was found? What is harmless, suppressed or known is shown to those who ask
  // for it.
  bool counts() const { return !(aftermath && aftermath->harmless) && !set_aside(); }
  bool set_aside() const { return suppressed || novelty == Novelty::known; }
  // A loop stopped too early: the reference is what its result tends to.
  bool is_truncated() const { return diagnosis && diagnosis->fault == Fault::truncation; }
};

// The page of the documentation that tells about it, and its rule in SARIF: the class of the fault where there is one,
// else the kind.
std::string_view rule(const Finding& finding);

// A stable name for a finding: what it is and where, and the input. Of the file its name counts, not its path: that
// depends on the folder that the hunt ran in.
std::string identify(const std::string& function, const Finding& finding);

// How much a finding matters to those who maintain the code. Order, exit status, levels in SARIF and failures in JUnit
// go by it.
//
//   error    an avoidable failure at everyday inputs
//   warning  an avoidable failure at other inputs; at everyday ones also half of the digits lost avoidably, or a
//            failure of which nobody knows whether it is avoidable, or whether a wrong guess of ours makes it
//   note     what the code can do little about, or does not matter: ill-conditioned, inherent, reported to the caller,
//            without effect on an output, and what is unknown at other inputs
enum class Tier : uint8_t { error, warning, note }; // what matters most comes first
std::string_view text(Tier);
std::optional<Tier> tier_of(std::string_view text);

Tier tier_of(const Finding& finding);

// An exception after which the result is right: nobody needs to hear of it, but those who ask (--all).
bool is_folded(const Finding& finding);

// Which kinds of findings --for asks for.
bool is_wanted(Kind kind, const Wanted& wanted);

} // namespace faultline::finding
