// Findings, as the store knows them: their JSON, and the columns that people ask by. A row holds from one run until
// another, so that the state after each run can be asked for.
#pragma once

#include "campaign/store/database.h"
#include "finding/comparison.h"
#include "finding/finding.h"
#include "finding/problem.h"
#include "finding/report.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace faultline::campaign {

// The problem that a finding belongs to, as its function alone shows it.
struct ProblemKey {
  std::string problem, fault, file;
  int line = 0;
  bool folded = false; // reports leave it out
};

struct StoredFinding {
  int64_t row = 0;
  finding::Finding finding;
};

// Those of a target that hold now, in the order in which they came. Throws UserError for a row that is no finding.
std::vector<StoredFinding> findings_of(Database& database, int64_t target);

void add_finding(Database& database, int64_t target, const finding::Finding& finding, const ProblemKey& key,
                 int64_t run);
void update_finding(Database& database, int64_t row, const finding::Finding& finding, const ProblemKey& key,
                    int64_t run);
// One that never held at the end of a run leaves nothing behind.
void end_finding(Database& database, int64_t row, int64_t run);
// Those that a function had when it went, now that it is back.
void take_back_findings(Database& database, int64_t target, int64_t run);

// Of all targets, those that held after this run; none: those that hold now. In the order of their targets.
void for_each_finding(Database& database, std::optional<int64_t> after_run,
                      const std::function<void(int64_t target, finding::Finding)>& take);

// Problems that hold, by tier: those that reports show (library/shared_places.h).
struct ProblemCounts {
  uint64_t errors = 0, warnings = 0, notes = 0;
};
ProblemCounts count_problems(Database& database);

// Does any function have this problem?
bool is_problem_known(Database& database, const std::string& problem);

// One more job has seen it.
void note_incidence(Database& database, const std::string& problem, int64_t target, const std::string& tier);

// Jobs, as the store knows them. A job's row and its results are written in one transaction (library/recording.h), so
// that it is done or was never there.
inline constexpr int64_t diagnosis_round = -2, known_inputs_round = -1, first_look_round = 0;

struct JobRow {
  int64_t id = 0;
  int64_t target = 0, program = 0;
  int64_t round = 0;
  std::string arm;
  uint64_t seed = 0;
  uint64_t evaluations = 0;
  std::string killed = {}; // where somebody has killed its worker before
};

// Jobs that a run which was killed has left over, by target.
std::map<int64_t, JobRow> open_jobs(Database& database);

// A row in state running: a new one, or that of the same round if that was left over.
JobRow begin_job(Database& database, JobRow job, int64_t run);
void begin_again(Database& database, const JobRow& job, const std::string& killed);

struct JobEnd {
  double seconds = 0;
  uint64_t made = 0;
  std::string outcome;
  bool cut = false;
  double news = 0;
  uint64_t new_problems = 0;
};
void end_job(Database& database, const JobRow& job, const JobEnd& end);

// Of this version, the last ones that are done, the earliest first.
struct PastRound {
  std::string arm;
  double news = 0;
};
std::vector<PastRound> past_rounds(Database& database, int64_t target, int64_t program);

// Rows of jobs that are done, and points of the curve, beyond what anybody looks at.
void thin_out(Database& database, int64_t target);
inline constexpr int most_rounds_kept = 64;   // of a function: what the choice of arms looks at
inline constexpr int most_curve_points = 512; // of a campaign: more than a terminal or a page can show

struct CurvePoint {
  double seconds = 0;
  uint64_t jobs = 0, evaluations = 0, errors = 0, warnings = 0;
};
void add_point(Database& database, int64_t run, const CurvePoint& point);
std::vector<CurvePoint> curve_of(Database& database);

// The pages that were written of a campaign: what the last one showed, so that the next one can tell what is new.

// Problems that a page showed, and by what they are known again.
struct PastProblem {
  finding::PastProblem told;
  std::string id;
  std::vector<std::string> fingerprints;
};

struct PastPage {
  int64_t written = 0; // seconds since 1970
  int64_t run = 0;     // the last one then
  std::vector<PastProblem> problems;
};

// The last page of another state than the present one: a page that is written twice says the same. None: there is none.
std::optional<PastPage> last_page(Database& database);

// What tells states of the campaign apart: whatever changes what a page shows changes it.
std::string state_of_page(Database& database);

// To be called when a page is written, with the state that it shows. Nothing changes if that was noted before.
void note_page(Database& database, const std::string& state, const std::vector<finding::Problem>& problems);

// The functions of a campaign, as the store knows them.
enum class TargetState : uint8_t {
  open,        // to be hunted in
  known,       // what is known of it is tried again first: it has changed
  undiagnosed, // short rounds have found something, and only what it is
  refused,     // it cannot be hunted in
  gone,        // the program does not have it any more
};
std::string_view text(TargetState state);
std::optional<TargetState> target_state_of(std::string_view text);

// What tells versions of a function apart: hashes.
struct Version {
  std::string code, places, settings;

  bool operator==(const Version&) const = default;
};

struct TargetRow {
  int64_t id = 0;
  std::string function, symbol;
  TargetState state = TargetState::open;
  int64_t program = 0; // its version's row
  Version version;
  uint64_t rounds = 0, granted = 0;
  double seconds = 0, news = 0, news_seconds = 0;
  uint64_t quiet = 0, reached = 0;
  double everyday_error = 0;
  std::optional<finding::Largest> largest_everyday = {}, largest = {};
};

// In the order of their ids, which is that in which they were met.
std::vector<TargetRow> targets_of(Database& database);

// The everyday range of an input, where that was said or seen.
struct InputNote {
  std::string input, low, high;
  std::string everyday_low, everyday_high; // empty: nothing was
};

// The largest error in a column of the table. Throws UserError.
std::optional<finding::Largest> largest_in(const Database& database, const Rows& rows, int column);

// What the program says of a function now.
struct TargetNow {
  std::string symbol;
  Version version;
  finding::TargetReport head; // without findings
  std::vector<InputNote> inputs;
};

// A new one, or a new version. What was counted begins anew with `starts_over`.
int64_t add_target(Database& database, const TargetNow& now, int64_t run);
void update_target(Database& database, int64_t target, const TargetNow& now, int64_t run, TargetState state,
                   bool starts_over);
void note_place(Database& database, int64_t target, const TargetNow& now); // nothing else has changed
// The proof of the report, if it has one. It is kept until the function changes.
void store_proof(Database& database, int64_t target, const finding::TargetReport& report);
void mark_gone(Database& database, int64_t target, int64_t run);

// After a job: all that the row counts.
struct TargetEnd {
  finding::TargetOutcome outcome = finding::TargetOutcome::none;
  std::string note;
  uint64_t evaluations = 0, sites = 0;
};
void store_progress(Database& database, const TargetRow& row, const TargetEnd& end, double seconds);

} // namespace faultline::campaign
