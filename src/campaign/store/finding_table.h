// The findings in the store: their JSON, and columns for queries. A row is valid from one run until another, so that
// the state after each run can be queried.
#pragma once

#include "campaign/store/database.h"
#include "model/comparison.h"
#include "model/finding.h"
#include "model/problem.h"
#include "model/report.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace faultline::campaign {

// The problem that a finding belongs to, by the findings of its function alone.
struct ProblemKey {
  std::string problem, fault, file;
  int line = 0;
  bool folded = false; // omitted from reports
};

struct StoredFinding {
  int64_t row = 0;
  model::Finding finding;
};

// Returns the current findings of a target in the order of their arrival. Throws UserError for a row that is no
// finding.
std::vector<StoredFinding> findings_of(Database& database, int64_t target);

void add_finding(Database& database, int64_t target, const model::Finding& finding, const ProblemKey& key, int64_t run);
void update_finding(Database& database, int64_t row, const model::Finding& finding, const ProblemKey& key, int64_t run);
// Ends the validity of a finding. Deletes it if it was not valid at the end of any run.
void end_finding(Database& database, int64_t row, int64_t run);
// Restores the findings that a function had when it was removed.
void take_back_findings(Database& database, int64_t target, int64_t run);

// Visits the findings of all targets that were valid after this run (none: now), in the order of their targets.
void for_each_finding(Database& database, std::optional<int64_t> after_run,
                      const std::function<void(int64_t target, model::Finding)>& take);

// The numbers of current problems by tier, as reports show them (join_shared_places()).
struct ProblemCounts {
  uint64_t errors = 0, warnings = 0, notes = 0;
};
ProblemCounts count_problems(Database& database);

// True if any function has this problem.
bool is_problem_known(Database& database, const std::string& problem);

// Counts one more job that has seen the problem.
void note_incidence(Database& database, const std::string& problem, int64_t target, const std::string& tier);

// The jobs in the store. A job's row and its results are written in one transaction (campaign/recording.h), so that it
// is either done or was never there. These constants are instead of a round's number.
inline constexpr int64_t diagnosis_round = -2, known_inputs_round = -1, first_look_round = 0;

struct JobRow {
  int64_t id = 0;
  int64_t target = 0, program = 0;
  int64_t round = 0;
  std::string arm;
  uint64_t seed = 0;
  uint64_t evaluations = 0;
  std::string killed = {}; // the input at which another process has killed its worker before
};

// Returns the unfinished jobs of a killed run by target.
std::map<int64_t, JobRow> open_jobs(Database& database);

// Returns a row in state running: a new one, or the unfinished one of the same round.
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

// A completed round.
struct PastRound {
  std::string arm;
  double news = 0;
};

// Returns the last completed rounds of this version, the earliest first.
std::vector<PastRound> past_rounds(Database& database, int64_t target, int64_t program);

// Deletes the rows of completed jobs and the points of the curve that nothing reads.
void thin_out(Database& database, int64_t target);
inline constexpr int most_rounds_kept = 64;   // per function: input of the choice of arms
inline constexpr int most_curve_points = 512; // per campaign: more than a terminal or a page can show

struct CurvePoint {
  double seconds = 0;
  uint64_t jobs = 0, evaluations = 0, errors = 0, warnings = 0;
};
void add_point(Database& database, int64_t run, const CurvePoint& point);
std::vector<CurvePoint> curve_of(Database& database);

// The store keeps the contents of the last page of a campaign, so that the next page can mark what is new.

// A problem on a page, and the ids that identify it later.
struct PastProblem {
  model::PastProblem told;
  std::string id;
  std::vector<std::string> fingerprints;
};

struct PastPage {
  int64_t written = 0; // seconds since 1970
  int64_t run = 0;     // the last one at that time
  std::vector<PastProblem> problems;
};

// Returns the last page of a state other than the present one, so that a page that is written twice stays the same.
std::optional<PastPage> last_page(Database& database);

// Returns an id of the campaign's state. It changes with everything that a page shows.
std::string state_of_page(Database& database);

// Must be called when a page is written, with the state that it shows. Has no effect if that state was noted before.
void note_page(Database& database, const std::string& state, const std::vector<model::Problem>& problems);

// The state of a function in the store.
enum class TargetState : uint8_t {
  open,        // to be searched
  known,       // it has changed: its known inputs are tried again first
  undiagnosed, // short rounds have found something that is not diagnosed yet
  refused,     // it cannot be tested
  gone,        // it is no longer in the program
};
std::string_view text(TargetState state);
std::optional<TargetState> target_state_of(std::string_view text);

// The hashes that identify a version of a function.
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
  std::optional<model::Largest> largest_everyday = {}, largest = {};
};

// Returns the targets by id, the order in which they were added.
std::vector<TargetRow> targets_of(Database& database);

// The range of an input, and its everyday range if one was given or seen.
struct InputNote {
  std::string input, low, high;
  std::string everyday_low, everyday_high; // empty: none
};

// Returns the largest error in a column of the table. Throws UserError.
std::optional<model::Largest> largest_in(const Database& database, const Rows& rows, int column);

// The current facts about a function in the program.
struct TargetNow {
  std::string symbol;
  Version version;
  model::TargetReport head; // without findings
  std::vector<InputNote> inputs;
};

// add_target() stores a new function; update_target() stores a new version. `starts_over` resets its counters.
int64_t add_target(Database& database, const TargetNow& now, int64_t run);
void update_target(Database& database, int64_t target, const TargetNow& now, int64_t run, TargetState state,
                   bool starts_over);
void note_place(Database& database, int64_t target, const TargetNow& now); // if nothing else has changed
// Stores the proof of the report, if it has one. It is kept until the function changes.
void store_proof(Database& database, int64_t target, const model::TargetReport& report);
void mark_gone(Database& database, int64_t target, int64_t run);

// The results of a job that the row counts.
struct TargetEnd {
  model::TargetOutcome outcome = model::TargetOutcome::none;
  std::string note;
  uint64_t evaluations = 0, sites = 0;
};
void store_progress(Database& database, const TargetRow& row, const TargetEnd& end, double seconds);

} // namespace faultline::campaign
