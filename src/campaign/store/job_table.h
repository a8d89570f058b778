// Jobs, as the store knows them. A job's row and its results are written in one transaction (library/recording.h), so
// that it is done or was never there.
#pragma once

#include "campaign/store/database.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace faultline::campaign {

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

} // namespace faultline::campaign
