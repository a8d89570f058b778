// Which function has the next turn: first looks for all, then those where something new is still coming, by what they
// brought of late a second; in between those whose problems are still to be diagnosed; and now and then the one that
// has had least, so that nobody is forgotten.
#pragma once

#include "campaign/store/target_table.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace faultline::campaign {

// What a job has brought, for the choice: how much it weighs.
struct News {
  uint64_t problems = 0;     // of tiers error and warning
  uint64_t notes = 0;        // problems that are told beside them
  bool larger_error = false; // at everyday inputs, at least twice as large
  double new_sites = 0;      // operations that had not been executed before, as a share of all
};
double weight_of(const News& news);

// After a job: news of long ago fade.
void add_news(TargetRow& row, double weight, double seconds);

// What a function's next job is: the number of a round, or one of those that stand for no search (store/job_table.h).
// As long as its rounds bring something new they are short; then what they have found is diagnosed, all at once.
// `evaluations`: of each function, in all runs together.
int64_t next_job_of(const TargetRow& row, std::optional<uint64_t> evaluations);
// Is a round of this number short? Then it tells what is wrong and where, and no more.
bool is_short(const TargetRow& row, int64_t round);

struct Candidate {
  const TargetRow* row = nullptr;
  bool busy = false;    // a job of it is under way, or it has had all that it may
  int64_t next_job = 0; // next_job_of
};

// `turn`: jobs that were begun so far. None: nobody can have a turn now.
std::optional<size_t> choose(const std::vector<Candidate>& candidates, uint64_t turn);

} // namespace faultline::campaign
