// A finding: one verified input on which the code fails, and everything known about it. Plain data.
#pragma once

#include "model/settings/settings.h"
#include "ops/fault_kind.h"
#include "ops/op.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace faultline::model {

// How an output and its error change with one input while the others keep the values of the finding. Plain data, filled
// by hunt/reruns.h.
//
// Plots are not in the findings' JSON: the number of points depends on how fast the samples are, and equal hunts must
// give equal files.
struct PlotPoint {
  std::string value; // of the input, decimal
  double offset = 0; // distance from the finding's value in floats
  // Relative, by the oracle of the finding. NaN: the call did not return, or the oracle has no result.
  double error = std::numeric_limits<double>::quiet_NaN();
  double ulps = std::numeric_limits<double>::quiet_NaN();   // the same error
  double remedy = std::numeric_limits<double>::quiet_NaN(); // relative, with the diagnosis's remedy; NaN: unknown
  // Of the output, decimal, a few digits; empty: unknown. The exact value may be outside of all formats: "1.2e+400".
  std::string computed = {}, exact = {};
};

struct Plot {
  std::string input;
  std::vector<PlotPoint>
      around; // the neighbours one by one, then with growing distances, to about twice and half the value
  std::vector<PlotPoint> range; // the whole search range, denser at everyday numbers
};

struct Plots {
  std::vector<Plot> inputs;
  std::string note;        // what is missing, and why
  std::string output = {}; // the output whose values are plotted
};

// Why an output is wrong: the class of the fault, a sentence, the path of the error from its cause to the output, the
// share of each source line, and the remedy that was tried. Plain data, made by the layer explain and put into words
// and numbers by judge/diagnose.
using ops::Fault;
using ops::fault_of;
using ops::headline;
using ops::sentence;
using ops::text;

// An operation that the error passes through.
struct ChainLink {
  std::string file;
  int line = 0;
  int column = 0;
  std::string function;
  std::string operation; // name in the table of operations: fsub
  std::string text;      // with its values: "1 - 0.99999999999999500 = 4.996003610813204e-15"
  std::string reference; // the exact result on this path, decimal
  double error = 0;      // relative, of its result
  size_t skipped = 0;    // operations on the path left out before this one
};

// A source line's share of the output's error. The shares of all lines add up to 1.
struct LineShare {
  std::string file;
  int line = 0;
  std::string function;
  double share = 0;  // signed: roundings of different lines may cancel
  double growth = 1; // the largest factor by which an operation of this line multiplied the relative error
};

struct Remedy {
  std::string name;           // log1p
  std::string advice;         // "write log1p(x) for log(1 + x)"
  double relative = 0;        // error of the output with the remedy, on the same input
  uint64_t tried = 0;         // number of inputs on which it does no harm
  std::string condition = {}; // where it applies: |x| < 0.1; empty: everywhere. The advice repeats it
};

struct Diagnosis {
  Fault fault = Fault::unclassified;
  std::string why = {};              // one or two sentences
  std::vector<ChainLink> chain = {}; // from the cause of the error to the output
  std::vector<LineShare> lines = {}; // largest share first; the smallest are left out
  double accounted = 1;              // share of the oracle's error that these roundings cause, on the path of the run
  std::optional<Remedy> remedy = {};
};

// What a kind describes.
enum class KindFamily : uint8_t {
  error,     // an output differs from a reference
  range,     // an exception of IEEE 754: a result outside the range of its format
  undefined, // an exception of IEEE 754: no finite result exists
  ending,    // the call did not return
};

// The only list of kinds:
//   id, text,
//   family,
//   rank: kinds with a smaller rank come first,
//   level: the tier of most problems of the kind at everyday inputs,
//   title: what happens at {}, for an exception.
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

// A number that can be pasted: the shortest decimal that reads back as the same value, and hex.
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
  Number reference; // decimal with the known digits; hex of the nearest value of the format; empty if unknown
};

struct Error {
  double relative = 0;
  double absolute = 0;
  double ulps = 0;
  double bits = 0;
  std::string norm = {}; // inf or 2 if the error is that of a whole array; empty: of this output
};

// The error against a meaning (--means), divided by the result of the code in exact arithmetic. Both parts are measured
// against the meaning's value, so their sum is at least the error.
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
  std::string operation = {}; // name in the table of operations: fsub
  double condition = 0;
  double share = 0;
  std::string source = {}; // the expression in the source: b * b; empty if it cannot be read
  int end_column = 0;      // after its last character
  std::string within = {}; // where in a library that this line calls: eigen3/Eigen/src/Core/Redux.h:300; usually empty
};

// True if this step of a chain executes the operation at fault.
bool is_at(const ChainLink& step, const std::optional<Cause>& cause);

// A further input with the same failure.
struct Witness {
  std::vector<NamedNumber> input;
  Number computed;
  double relative = 0; // errors at this input
  double absolute = 0;
};

// The operation at which an infinity or NaN disappeared.
struct AbsorbingOperation {
  std::string file;
  int line = 0;
  std::string operation;
};

// The exception that another one follows from.
struct Origin {
  Cause place;
  Kind kind = Kind::overflow;
};

// State of the outputs of a run with an exception.
enum class Result : uint8_t {
  unknown,
  right, // within an ulp, or the same infinity, NaN or zero as in exact arithmetic
  wrong,
};
std::string_view text(Result);
std::optional<Result> result_of(std::string_view text);

// The consequences of an exception (docs/exceptions.md).
struct Aftermath {
  bool reaches_output = false;
  std::optional<AbsorbingOperation> swallowed_at = {}; // where it disappeared; none if it reached the output
  std::string reported_by = {}; // status, errno, rejected, abort, exit, exception; empty: not reported to the caller
  bool consequence = false;     // an operand was an infinity or NaN already
  bool harmless = false;        // an underflow without a known effect
  bool flags = true;            // the hardware raised its flag too; not required of conversions to narrow integers
  bool after_underflow = false; // a division by a zero that is the result of an underflow
  Result result = Result::unknown;
  std::optional<Origin> origin = {}; // of a consequence, or of an effect of an underflow

  bool silent() const { return reported_by.empty(); }
};

// A C++ exception that left the function.
struct Thrown {
  std::string type; // std::runtime_error
  std::string what; // empty if it has none
};

// A comment in the source that suppresses a finding (model/set_aside.h).
struct Suppression {
  std::string file;
  int line = 0; // of the comment
  std::string reason;
};

// Whether an earlier hunt has the finding (--baseline).
enum class Novelty : uint8_t { untold, fresh, known };

// The share of inputs that show a problem.
struct Share {
  bool of_range = false; // of inputs in the given ranges instead of everyday inputs
  double low = 0, high = 1;

  bool operator==(const Share&) const = default;
};

struct Finding {
  std::string id;          // a hash of function, kind, cause and input: stable
  std::string fingerprint; // a hash of what stays the same when other code changes (model/set_aside.h)
  Kind kind = Kind::inaccuracy;
  std::vector<NamedNumber> input;
  std::vector<numeric::Value> values; // of the input: its texts are made from them
  bool everyday = false;              // an input that is common in practice (search/space.h)
  bool half_digits = false;           // the error counts only because it is avoidable and the input is everyday
  bool handles_extremes = false;      // the code claims to work at magnitudes that are not everyday (judge/judge.h)
  bool doubtful = false;              // a crash that may be caused by a guess or a limit of Faultline (judge/judge.h)
  std::optional<Output> output;
  std::optional<Error> error;
  std::optional<ErrorParts> parts; // of the error, if there is a meaning and a result in exact arithmetic
  std::string oracle;              // lifted, replay, reference, meaning, none
  std::string strategy;
  std::string found_by; // the means by which the strategy made the first input with this exception; or empty
  std::optional<Cause> cause;
  std::optional<Aftermath> aftermath; // of an exception
  // The place of the cause, and of the operations whose results meet there ("fit.c:12:9"). Of a sum that cancels, and
  // of a NaN or division by zero that rounding caused: problems with a common root are one.
  std::vector<std::string> roots;
  std::optional<Thrown> thrown; // Kind::exception, unless it is an exit or STOP
  Verdict verdict = Verdict::unknown;
  std::optional<Diagnosis> diagnosis; // why the output is wrong, if a run of moderate length shows it
  std::optional<Share> share;         // how frequent it is
  std::string when;                   // the condition on one input that decides: |x| < 1.2e-4; empty if there is none
  std::string seen;          // where the input lies beside recorded runs (--seen): inside, near, outside; or empty
  std::string built;         // how the machine code of the user's build differs; empty: not known to differ
  std::string detail;        // one sentence: "called abort", "the exact comparison goes the other way"
  std::string replay;        // the command that runs the input again
  std::string explain;       // the command that explains the finding; not in the JSON
  std::vector<Witness> also; // largest error first: a few of the merged findings
  uint64_t merged = 0;       // number of merged findings
  std::optional<Suppression> suppressed;
  Novelty novelty = Novelty::untold;
  Plots plots; // not in the JSON: made for reports that draw them (hunt/reruns.h)

  // True if the finding affects the outcome. Harmless, suppressed and known findings do not, and are shown on request.
  bool counts() const { return !(aftermath && aftermath->harmless) && !set_aside(); }
  bool set_aside() const { return suppressed || novelty == Novelty::known; }
  // True if a loop stopped too early. The reference is the limit of its result.
  bool is_truncated() const { return diagnosis && diagnosis->fault == Fault::truncation; }
};

// Returns the page of the documentation and the rule in SARIF: the class of the fault if there is one, else the kind.
std::string_view rule(const Finding& finding);

// Returns a stable id: a hash of function, kind, place and input. It includes the name of the file without its path,
// which depends on the current folder of the hunt.
std::string identify(const std::string& function, const Finding& finding);

// How much a finding matters to the maintainers of the code. Order, exit status, levels in SARIF and failures in JUnit
// depend on it.
//
//   error    an avoidable failure at everyday inputs
//   warning  an avoidable failure at other inputs; at everyday inputs also half of the digits lost avoidably, a
//            failure that may or may not be avoidable, or one that may be caused by a wrong guess of Faultline
//   note     a failure that the code can do little about or that does not matter: ill-conditioned, inherent, reported
//            to the caller, without effect on an output, not in the user's own build, or unknown at other inputs; and
//            overflow and underflow there, unless the code claims to handle such magnitudes
enum class Tier : uint8_t { error, warning, note }; // most important first
std::string_view text(Tier);
std::optional<Tier> tier_of(std::string_view text);

Tier tier_of(const Finding& finding);

// True for an overflow or underflow, or what follows from one, at an input that is not everyday, in code that does not
// claim to handle such magnitudes: almost every product overflows somewhere.
bool is_far_out(const Finding& finding);

// True for an exception after which the result is right. It is shown with --all only.
bool is_folded(const Finding& finding);

// True if --for selects this kind of finding.
bool is_wanted(Kind kind, const WantedKinds& wanted);

// A list of ids and their texts, and conversions between them.
template <class Id, size_t N> using Names = std::array<std::pair<Id, std::string_view>, N>;

template <class Id, size_t N> std::string_view name_of(const Names<Id, N>& names, Id id) {
  const auto entry = std::ranges::find(names, id, &std::pair<Id, std::string_view>::first);
  return entry == names.end() ? std::string_view("unknown") : entry->second;
}

template <class Id, size_t N> std::optional<Id> id_of(const Names<Id, N>& names, std::string_view name) {
  const auto entry = std::ranges::find(names, name, &std::pair<Id, std::string_view>::second);
  return entry == names.end() ? std::nullopt : std::optional(entry->first);
}

} // namespace faultline::model
