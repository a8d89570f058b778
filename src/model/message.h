// Messages from a worker to its supervisor. Each message is one line of JSON whose first key is its type. Reading
// checks every field: a missing or wrong one fails that job and no other.
#pragma once

#include "model/bound_report.h"
#include "model/certificate.h"
#include "model/explanation.h"
#include "model/finding.h"
#include "model/job.h"
#include "model/report.h"
#include "model/vectors/vector.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace faultline::model {

// { "progress": evaluations, "reached": ..., "sites": ..., "phase": ... }
struct SearchProgress {
  static constexpr size_t longest_phase = 40;
  uint64_t evaluations = 0;
  uint64_t reached = 0, sites = 0; // operations of the program executed so far, and how many there are
  std::string phase = {};          // "judging"; empty: searching
};

// { "finding": {...} } and similar.
enum class FindingRole : uint8_t {
  found,     // "finding"
  sighted,   // "sighting": sent at once during the search, and used if the worker dies
  again,     // "again": a known cause, not worse than before: counted, not diagnosed
  retried,   // "retried": the same for an input that was tried again
  judged,    // "judged": the result at the requested input, right or wrong
  uncounted, // "uncounted": an error at the requested input that is not a finding
};
struct FindingMessage {
  FindingRole role = FindingRole::found;
  Finding finding;
};

// { "done": {...} }: the last message of a hunt in a target.
struct HuntDone {
  static constexpr size_t longest_note = 10'000;
  uint64_t sites = 0;
  uint64_t evaluations = 0;
  double seconds = 0;
  uint64_t unknown = 0; // candidates that the oracle could not decide
  uint64_t judged = 0;  // everyday inputs at which the oracle judged a result
  bool out_of_time = false;
  bool stopped = false;     // stopped on request
  uint64_t folded = 0;      // harmless underflows that are not reported
  std::string note;         // one line
  double total_seconds = 0; // including judging and diagnosis
  bool cut = false;         // the time limit ended a part of it
  std::optional<Largest> largest_everyday, largest;
};

// { "error": {...} }: the job failed.
struct Failure {
  static constexpr size_t longest = 10'000; // of each text
  int status = 0;                           // of the program, if this is its only job
  std::string what, hint;
};

// { "death": {...} }: sent by the supervisor.

// { "end": completed, "calls": ... }: no more messages follow. Sent by the supervisor.
struct JobEnd {
  bool completed = false;
  uint64_t calls = 0; // that the worker has counted in the memory that it shares: a hint
};

// { "outcome": ... }, { "unknown": ... }, { "note": ... }, { "printed": ... }: sentences of an explanation, and lines
// of output of the code.
enum class SentenceRole : uint8_t { outcome, unknown, note, printed };
struct Sentence {
  SentenceRole role = SentenceRole::note;
  std::string text;
};

// { "row": {...} }: an operation of the explained run.
struct RowMessage {
  OperationRow row;
};

// { "rows": number of rows, ... }: the last message of an explanation.
struct RowsDone {
  uint64_t rows = 0;
  uint64_t sites = 0;
  bool too_long = false;
};

// A claim of a finding that is not true (replay --strict).
struct Violation {
  std::string what; // "computed value"
  std::string expected, found;

  bool operator==(const Violation&) const = default;
};

// { "reproduced": ..., "what": ..., "violations": [...] }
struct ReplayResult {
  bool reproduced = false;
  std::string what;                       // one line: the failure seen now
  std::vector<Violation> violations = {}; // found by a strict replay
};

// { "plots": {...} }
struct PlotsMessage {
  Plots plots;
};

// { "expected": {...} } or { "left_out": why }
struct ExaminationResult {
  std::optional<Expectation> expected;
  std::string left_out;
};

// { "branch": {...} }
struct BranchMessage {
  uint32_t site = 0;
  int64_t outcome = 0;
  Input input;
  CoveredBranch branch;
};

// { "explored": {...} }
struct ExplorationDone {
  uint64_t paths = 0;
  bool complete = false;
  uint64_t bounded = 0, questions = 0, unanswered = 0;
  uint64_t evaluations = 0;
  double seconds = 0;
};

// { "run": {...} }: the result of running an input again.
struct RunMessage {
  uint64_t input = 0; // its position in the job
  std::string ending;
  bool returned = false;
  std::vector<std::pair<uint32_t, int64_t>> decisions; // site and outcome, sorted
  std::vector<numeric::Value> outputs;
  bool missing = false; // the run needed an unresolved symbol
};

// { "bounds": {...} }: the last message of a bound task.
struct BoundsMessage {
  Bounds bounds;
};

// { "proof": {...} }: the result of a proof with a fixed number of boxes.
struct ProofMessage {
  Proof proof;
};

// { "certificate": {...} }: the proof of the bounds. The supervisor adds the function.
struct CertificateMessage {
  Certificate certificate;
};

// { "path": number, "code": {...} } or { "path": number, "obstacle": reason }: the code of an input's path.
struct PathMessage {
  uint64_t input = 0;
  uint64_t inputs = 0; // of the target: they are the first slots
  std::optional<CertifiedPath> code;
  std::string obstacle;
};

// { "extents": {...} }: the lengths of the target's arrays.
struct ExtentsMessage {
  FoundExtents extents;
};

// { "larger_helps": ..., "needed": [...] }: the result for a run that exceeded its arrays.
struct OverrunJudgement {
  bool larger_helps = false;
  std::vector<FoundExtent> needed; // the exceeded arrays and their lengths
};

// { "candidate": {...} }: a candidate for a test vector.
struct CandidateMessage {
  Region region = Region::ordinary;
  Input input;
  std::vector<std::pair<uint32_t, int64_t>> decisions; // outcomes of branches, sorted
};

// { "candidates": number, "cut": ... }: the last message of a candidates task.
struct CandidatesDone {
  uint64_t candidates = 0;
  bool cut = false; // the time limit ended it: another run may find others
};

// { "measured": [...], "ending": ... }: the judged outputs.
struct MeasuredOutput {
  uint64_t output = 0; // number of the target's output
  numeric::Value computed = 0;
  std::optional<numeric::Value> reference; // rounded to the output's format
  double ulps = 0;
  std::string reference_by;
};
struct Measurement {
  std::string ending; // empty: it returned
  std::vector<MeasuredOutput> outputs;
};

// { "differs": ... }: how the machine code of the user's build differs at a finding; empty if it fails in the same way.
struct BuiltAnswer {
  static constexpr size_t longest = 1000;
  std::string differs;
};

// { "trial": {...} }: how a changed version of a function compares with the original.
struct TrialErrors {
  double first = 0;                  // the largest relative error at the inputs that were given
  double everyday = 0, anywhere = 0; // the largest relative error that conditioning does not explain
  double bits = 0;                   // lost on average at everyday inputs
};
struct TrialDone {
  static constexpr size_t longest = 1000; // of the text
  uint64_t tried = 0, unknown = 0;        // inputs; of them without a reference where one was needed
  uint64_t worse = 0, better = 0;
  bool exhaustive = false; // every value of the only input
  bool shown = false;      // the original is wrong at one of the inputs that were given
  TrialErrors before, after;
  double cost = 1;                    // run time against the original's
  std::vector<Input> counterexamples; // the first few inputs that are worse
  std::string why;                    // in what way the first one is worse
};

using Message =
    std::variant<SearchProgress, FindingMessage, HuntDone, Failure, WorkerDeath, JobEnd, Sentence, RowMessage, RowsDone,
                 ReplayResult, PlotsMessage, ExaminationResult, BranchMessage, ExplorationDone, RunMessage,
                 BoundsMessage, ProofMessage, CertificateMessage, PathMessage, ExtentsMessage, OverrunJudgement,
                 CandidateMessage, CandidatesDone, Measurement, BuiltAnswer, TrialDone>;

// Returns the message as one line, without a line break.
std::string message_text(const Message& message);
// True for messages that only the supervisor makes.
bool is_of_supervisor(const Message& message);
// Throws UserError that names the place.
Message parse_message(std::string_view text);

// The state of a hunt, for a progress line.
struct Progress {
  std::string function; // the target with the latest progress
  size_t targets_done = 0;
  size_t targets = 0;
  uint64_t evaluations = 0; // of all targets
  uint64_t reached = 0;     // operations of that target's program that have been executed, of `sites`
  uint64_t sites = 0;
  double seconds = 0;      // since the hunt began
  double worst_error = 0;  // verified, so far
  std::string worst_where; // function, file:line
  std::string phase = {};  // the current phase in the function: "judging"; empty: searching
};

} // namespace faultline::model
