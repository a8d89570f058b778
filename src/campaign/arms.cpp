#include "campaign/arms.h"

#include "numeric/random.h"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

namespace faultline::campaign {

using model::Scope;
using model::Settings;

namespace {

// After the first, ordered by yield in the whole of GSL: new errors and warnings per second were 1.1 (ariadne), 0.6,
// 0.5 and 0.3.
constexpr Arm all_arms[] = {
    {"auto", "auto", false},       // the portfolio
    {"ariadne", "ariadne", false}, // exceptions
    {"bracket", "bracket", false}, // cheap, and finds most inaccuracies
    {"fpgen", "fpgen", false},     // arrays, and conditions that lines through the space do not meet
    {"everyday", "auto", true},    // the portfolio at everyday inputs
};
constexpr const char* from_settings = "said"; // the arm with the strategy that the settings name

// `faultline hunt gsl.bc --evals N` in 65 special functions: 35 errors and warnings in 180 s with 300, 47 in 326 s with
// 1,000. Larger N were not tried. The search itself is a fourteenth of this time.
constexpr uint64_t first_evaluations = 1'000;
constexpr uint64_t most_evaluations = 32'000; // a guess: a second or so of the search
// Rounds grow, because the remaining problems are rarer and each round has a fixed cost: a worker, a compilation, a
// diagnosis.
constexpr uint64_t rounds_of_a_size = 2;

constexpr uint64_t arm_interval = 6;   // a guess: a sixth of a function's rounds keeps all arms in use
constexpr double expected_yield = 0.1; // a guess: the expected yield of an untried arm

uint64_t evaluations_of(uint64_t round) {
  const uint64_t doublings = std::min<uint64_t>((round + rounds_of_a_size - 1) / rounds_of_a_size, 20);
  return std::min(first_evaluations << doublings, most_evaluations);
}

// Returns the seed of a round. The first look uses the campaign's seed, so it equals a hunt with --seed and --evals.
uint64_t seed_of(const History& history, uint64_t round) {
  if (round == 0)
    return history.campaign_seed;
  return numeric::Rng(history.campaign_seed).fork(fmt::format("{} round {}", history.symbol, round)).next() >> 1;
}

struct Record {
  uint64_t rounds = 0, last = 0; // last: position of the last one in the known history
  double news = 0;
};

Record record_of(const Arm& arm, const std::vector<PastRound>& past) {
  constexpr double fading = 0.9; // a guess: news of ten rounds ago count a third
  Record record;
  for (size_t i = 0; i < past.size(); ++i) {
    record.news *= fading;
    if (past[i].arm != arm.name)
      continue;
    record.news += past[i].news;
    record.last = i + 1;
    ++record.rounds;
  }
  return record;
}

} // namespace

std::vector<Arm> arms_for(const Settings& settings) {
  const bool errors = settings.wanted.error || settings.wanted.branches || !settings.bounds.empty();
  if (settings.strategy != "auto")
    return {{from_settings, "", false}};
  std::vector<Arm> arms;
  for (const Arm& arm : all_arms) {
    const std::string_view strategy = arm.strategy;
    const bool fits = strategy == "auto" || (strategy == "ariadne" ? settings.wanted.exceptions : errors);
    if (fits && !(arm.everyday && settings.scope == Scope::everyday))
      arms.push_back(arm);
  }
  return arms;
}

// Each arm gets one round. Then the arm with the best yield is next, and now and then the one that has waited longest.
Round next_round(const History& history, const std::vector<Arm>& arms) {
  const auto least = [&](auto&& key) {
    return *std::ranges::min_element(arms, {}, [&](const Arm& arm) { return key(record_of(arm, history.past)); });
  };
  Arm arm = arms[0];
  if (history.rounds < arms.size())
    arm = arms[history.rounds];
  else if (history.rounds % arm_interval == 0)
    arm = least([](const Record& record) { return double(record.last); });
  else
    arm = least([](const Record& record) { return -(record.news + expected_yield) / double(record.rounds + 1); });
  return {int64_t(history.rounds), arm.name, seed_of(history, history.rounds), evaluations_of(history.rounds)};
}

double seconds_of(int64_t round, uint64_t evaluations, double budget) {
  if (round == known_inputs_round)
    return budget;
  const double wanted = round == diagnosis_round
                            ? seconds_of_diagnosis
                            : seconds_of_first_look * double(evaluations) / double(first_evaluations);
  return std::min(wanted, budget);
}

bool is_arm(std::string_view name) {
  return name == from_settings || std::ranges::any_of(all_arms, [&](const Arm& each) { return name == each.name; });
}

Settings settings_of(const Round& round, Settings settings) {
  settings.seed = round.seed;
  settings.evaluations = round.evaluations;
  if (round.arm == from_settings)
    return settings;
  const auto* arm = std::ranges::find_if(all_arms, [&](const Arm& each) { return round.arm == each.name; });
  if (arm == std::end(all_arms))
    throw std::logic_error(fmt::format("there is no arm {}", round.arm));
  settings.strategy = arm->strategy;
  if (arm->everyday)
    settings.scope = Scope::everyday;
  return settings;
}

} // namespace faultline::campaign
