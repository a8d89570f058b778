// Findings, as the store knows them: their JSON, and the columns that people ask by. A row holds from one run until
// another, so that the state after each run can be asked for.
#pragma once

#include "campaign/store/database.h"
#include "finding/finding.h"

#include <functional>
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

} // namespace faultline::campaign
