// What a worker tells its supervisor: one value a message, with one written form, a line of JSON. The first key tells
// messages apart. Reading checks every field: a message with a missing or wrong one is that job's failure, and nobody
// else's.
#pragma once

#include "finding/bound/bound_report.h"
#include "finding/certificate.h"
#include "finding/explanation.h"
#include "finding/extents.h"
#include "finding/finding.h"
#include "finding/job.h"
#include "finding/plot.h"
#include "finding/report.h"
#include "finding/vectors/vector.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace faultline::finding {

// { "progress": evaluations, "reached": ..., "sites": ..., "phase": ... }
struct SearchProgress {
  uint64_t evaluations = 0;
  uint64_t reached = 0, sites = 0; // operations of the program that have been executed, of how many
  std::string phase = {};          // "judging"; empty: searching
};

// { "finding": {...} } and its kin.
enum class FindingRole : uint8_t {
  found,     // "finding"
  sighted,   // "sighting": while the search goes on; told at once, and kept for the case that the worker dies
  again,     // "again": of a cause that the job knows, and not worse: counted, not diagnosed
  retried,   // "retried": the same of an input that was tried again, and no news
  judged,    // "judged": the result at the input that was asked for, right or wrong
  uncounted, // "uncounted": an error there that is no finding
};
struct FindingMessage {
  FindingRole role = FindingRole::found;
  Finding finding;
};

// { "done": {...} }: the last message of a worker: the hunt in the target has come to its end.
struct HuntDone {
  uint64_t sites = 0;
  uint64_t evaluations = 0;
  double seconds = 0;
  uint64_t unknown = 0; // candidates that the oracle could not judge
  bool out_of_time = false;
  bool stopped = false; // it was asked to
  uint64_t folded = 0;  // harmless underflows that are not told
  std::string note;
  double total_seconds = 0; // with judging and diagnosing
  bool cut = false;         // the clock ended some of it
  std::optional<Largest> largest_everyday, largest;
};

// { "error": {...} }: the job cannot be done.
struct Failure {
  int status = 0; // of the program, if this is all there is to do
  std::string what, hint;
};

// { "death": {...} }: sent by the supervisor.
using frontend::WorkerDeath;

// { "end": completed }: no more messages come. Sent by the supervisor.
struct JobEnd {
  bool completed = false;
};

// { "outcome": ... }, { "unknown": ... }, { "note": ... }, { "printed": ... }: sentences of an explanation, and lines
// that the code printed.
enum class SentenceRole : uint8_t { outcome, unknown, note, printed };
struct Sentence {
  SentenceRole role = SentenceRole::note;
  std::string text;
};

// { "row": {...} }: an operation of the run that is explained.
struct RowMessage {
  OperationRow row;
};

// { "rows": how many there are, ... }: the last message of an explanation.
struct RowsDone {
  uint64_t rows = 0;
  uint64_t sites = 0;
  bool too_long = false;
};

// Something that a finding says, and that is not so (replay --strict).
struct Violation {
  std::string what; // "computed value"
  std::string expected, found;

  bool operator==(const Violation&) const = default;
};

// { "reproduced": ..., "what": ..., "violations": [...] }
struct ReplayResult {
  bool reproduced = false;
  std::string what;                       // one line: what was seen now
  std::vector<Violation> violations = {}; // those that a strict replay sees
};

// { "plots": {...} }
struct PlotsMessage {
  Plots plots;
};

// { "expected": {...} } or { "left_out": why }
struct Examined {
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

// { "run": {...} }: what an input does when it is run again.
struct RunMessage {
  uint64_t input = 0; // which of the job's
  std::string ending;
  bool returned = false;
  std::vector<std::pair<uint32_t, int64_t>> decisions; // site and outcome, sorted
  std::vector<long double> outputs;
  bool missing = false; // it needed what is not here
};

// { "bounds": {...} }: the last message of a worker that looks for them.
struct BoundsMessage {
  Bounds bounds;
};

// { "proof": {...} }: what a fixed number of boxes proves.
struct ProofMessage {
  Proof proof;
};

// { "certificate": {...} }: the proof of the bounds; who asked for it knows what function it is about.
struct CertificateMessage {
  Certificate certificate;
};

// { "path": number, "code": {...} } or { "path": number, "obstacle": why }: what an input of the job runs.
struct PathMessage {
  uint64_t input = 0;
  uint64_t inputs = 0; // of the target: the first slots
  std::optional<CertifiedPath> code;
  std::string obstacle;
};

// { "extents": {...} }: how long the target's arrays are.
struct ExtentsMessage {
  FoundExtents extents;
};

// { "larger_helps": ..., "needed": [...] }: of a run that went beyond its arrays.
struct OverrunJudged {
  bool larger_helps = false;
  std::vector<FoundExtent> needed; // the arrays that it went beyond, and how far
};

// { "candidate": {...} }: an input that a test vector can be made of.
struct CandidateMessage {
  Region region = Region::ordinary;
  Input input;
  std::vector<std::pair<uint32_t, int64_t>> decisions; // outcomes of branches, sorted
};

// { "candidates": number, "cut": ... }: there are no more.
struct CandidatesDone {
  uint64_t candidates = 0;
  bool cut = false; // the clock ended it: another run may find others
};

// { "measured": [...], "ending": ... }: of the outputs that are judged.
struct MeasuredOutput {
  uint64_t output = 0; // of the target
  long double computed = 0;
  std::optional<long double> reference; // rounded to the output's format
  double ulps = 0;
  std::string reference_by;
};
struct Measured {
  std::string ending; // empty: it returned
  std::vector<MeasuredOutput> outputs;
};

using Message = std::variant<SearchProgress, FindingMessage, HuntDone, Failure, WorkerDeath, JobEnd, Sentence,
                             RowMessage, RowsDone, ReplayResult, PlotsMessage, Examined, BranchMessage, ExplorationDone,
                             RunMessage, BoundsMessage, ProofMessage, CertificateMessage, PathMessage, ExtentsMessage,
                             OverrunJudged, CandidateMessage, CandidatesDone, Measured>;

// One line, without its end.
std::string message_text(const Message& message);
// Is it one that the supervisor makes, and no worker sends?
bool is_of_supervisor(const Message& message);
// Throws UserError that names the place.
Message parse_message(std::string_view text);

// What is going on in a hunt, for a progress line.
struct Progress {
  std::string function; // of the target that made progress last
  size_t targets_done = 0;
  size_t targets = 0;
  uint64_t evaluations = 0; // all targets
  uint64_t reached = 0;     // operations of the program of that target that have been executed, of `sites`
  uint64_t sites = 0;
  double seconds = 0;      // since the hunt began
  double worst_error = 0;  // verified, so far
  std::string worst_where; // function, file:line
  std::string phase = {};  // what is done in the function: "judging"; empty: searching
};

} // namespace faultline::finding
