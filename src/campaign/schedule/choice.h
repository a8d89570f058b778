// Which function has the next turn: first looks for all, then those where something new is still coming, by what they
// brought of late a second; and now and then the one that has had least, so that nobody is forgotten.
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

struct Candidate {
  const TargetRow* row = nullptr;
  bool busy = false; // a job of it is under way, or it has had all that it may
};

// `turn`: jobs that were begun so far. None: nobody can have a turn now.
std::optional<size_t> choose(const std::vector<Candidate>& candidates, uint64_t turn);

} // namespace faultline::campaign
