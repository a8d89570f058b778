// Chooses the strategy, seed and number of evaluations of the next job in a function. The choice depends on the
// function's own history alone. So the same evaluations find the same, whatever the order of jobs is and however often
// a run was killed.
#pragma once

#include "campaign/store/finding_table.h"
#include "model/settings/settings.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::campaign {

// A way to search. Rounds alternate between several of them.
struct Arm {
  const char* name;
  const char* strategy;
  bool everyday;
};

// Returns the arms that these settings allow; if they name a strategy or a scope, only those with it. At least one.
std::vector<Arm> arms_for(const model::Settings& settings);

struct Round {
  int64_t number = 0;
  std::string arm;
  uint64_t seed = 0;
  uint64_t evaluations = 0;
};

// The history of a function, on which its rounds depend.
struct History {
  std::string symbol;
  uint64_t campaign_seed = 1;
  uint64_t rounds = 0;         // completed
  std::vector<PastRound> past; // the last of them
};

Round next_round(const History& history, const std::vector<Arm>& arms);

// True if there is an arm of this name.
bool is_arm(std::string_view name);

// Returns the settings of the hunt for a round. Throws std::logic_error for an unknown arm.
model::Settings settings_of(const Round& round, model::Settings settings);

// A guess: limits the operations of a job, in addition to its evaluations, to some seconds of the code
// (judge/tasks/target_hunt.cpp has the rate), so that jobs in slow functions do not delay the others.
inline constexpr uint64_t operations_of_job = 100'000'000;
// Of the first looks at 1,314 functions of GSL, 36 took 340 s of 485 s, because calls hang there; nine in ten took at
// most 0.3 s.
inline constexpr double seconds_of_first_look = 0.5;
// Without this limit, 51 diagnoses in GSL took 3.4 s on average, most of it for trying remedies on inputs.
inline constexpr double seconds_of_diagnosis = 1;
// The time limit of a job if evaluations are not counted, from the budget of the settings: as much per evaluation as in
// a first look, so that a function in which calls hang gets no more than its turn.
double seconds_of(int64_t round, uint64_t evaluations, double budget);
inline constexpr uint64_t operations_of_first_look = 2'000'000; // a second or less: all functions get theirs soon

} // namespace faultline::campaign
