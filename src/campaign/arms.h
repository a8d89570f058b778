// What the next job in a function does: which strategy, from which seed, with how many evaluations. It depends on the
// function's own history and on nothing else, so that the same evaluations find the same whatever else goes on, in
// whatever order, and however often it was killed.
#pragma once

#include "campaign/store/finding_table.h"
#include "finding/settings/settings.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::campaign {

// A way to search: one of several that rounds take turns with.
struct Arm {
  const char* name;
  const char* strategy;
  bool everyday;
};

// Those that these settings leave room for; where they name a strategy or a scope, what they name. At least one.
std::vector<Arm> arms_for(const finding::Settings& settings);

struct Round {
  int64_t number = 0;
  std::string arm;
  uint64_t seed = 0;
  uint64_t evaluations = 0;
};

// What a function's rounds depend on.
struct History {
  std::string symbol;
  uint64_t campaign_seed = 1;
  uint64_t rounds = 0;         // that are done
  std::vector<PastRound> past; // the last of them
};

Round next_round(const History& history, const std::vector<Arm>& arms);

// Is there one of this name?
bool is_arm(std::string_view name);

// The settings of a hunt that carries it out. Throws std::logic_error for an arm that there is not.
finding::Settings settings_of(const Round& round, finding::Settings settings);

// A guess: operations that a job may take beside its evaluations, some seconds of the code (judge/tasks/target_hunt.cpp
// has the rate), so that jobs in slow functions do not keep the others waiting.
inline constexpr uint64_t operations_of_job = 100'000'000;
// Of first looks at 1,314 functions of GSL, 36 took 340 s of 485 s, as calls hang there; nine in ten took 0.3 s or
// less.
inline constexpr double seconds_of_first_look = 0.5;
// Of 51 diagnoses in GSL without it, the average took 3.4 s, most of it for trying remedies on inputs.
inline constexpr double seconds_of_diagnosis = 1;
// Where no evaluations are counted, what the clock leaves a job, of the budget that the settings give: as much for each
// evaluation as in a first look, so that a function in which calls hang waits its turn as the others do.
double seconds_of(int64_t round, uint64_t evaluations, double budget);
inline constexpr uint64_t operations_of_first_look = 2'000'000; // a second or less, so that all have theirs soon

} // namespace faultline::campaign
