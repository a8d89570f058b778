#include "campaign/schedule/choice.h"

#include "campaign/store/job_table.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace faultline::campaign {
namespace {

constexpr uint64_t fairness_interval = 5;  // a guess: a fifth of the time makes sure that nobody gets nothing
constexpr uint64_t diagnosis_interval = 3; // a guess: a third of the jobs tells more about what is known already
// A guess: a function that goes on bringing something new is diagnosed after so many rounds all the same.
constexpr uint64_t most_short_rounds = 4;
constexpr double fading = 0.6; // a guess: three rounds ago counts a fifth
// What a function is thought to bring before anything is known of it: one thing in so many seconds. It keeps those that
// had a single look in the race with those that were lucky once.
constexpr double hope = 0.2, hope_seconds = 1;

double rate(const TargetRow& row) { return (row.news + hope) / (row.news_seconds + hope_seconds); }

// Who comes first of those that are nobody's choice but the order's.
int order_of(const TargetRow& row) {
  if (row.state == TargetState::known)
    return 0;
  return row.rounds == 0 ? 1 : 2;
}

} // namespace

double weight_of(const News& news) {
  // Guesses, in problems that count: a note is worth a quarter of one.
  constexpr double note = 0.25, larger = 0.25, all_sites = 1;
  return double(news.problems) + note * double(news.notes) + (news.larger_error ? larger : 0) +
         all_sites * news.new_sites;
}

void add_news(TargetRow& row, double weight, double seconds) {
  row.news = fading * row.news + weight;
  row.news_seconds = fading * row.news_seconds + seconds;
  row.seconds += seconds;
  row.quiet = weight > 0 ? 0 : row.quiet + 1;
}

int64_t next_job_of(const TargetRow& row, std::optional<uint64_t> evaluations) {
  if (row.state == TargetState::known)
    return known_inputs_round;
  const bool has_had_all = evaluations && row.granted >= *evaluations;
  if (row.state == TargetState::undiagnosed && (row.quiet > 0 || row.rounds >= most_short_rounds || has_had_all))
    return diagnosis_round;
  return int64_t(row.rounds);
}

bool is_short(const TargetRow& row, int64_t round) {
  return round == first_look_round || (round > first_look_round && row.state == TargetState::undiagnosed);
}

std::optional<size_t> choose(const std::vector<Candidate>& candidates, uint64_t turn) {
  const bool neglected = turn % fairness_interval == 0, diagnosing = turn % diagnosis_interval == 0;
  std::optional<size_t> best;
  auto best_key = std::tuple(3, true, std::numeric_limits<double>::infinity());
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (candidates[i].busy)
      continue;
    const TargetRow& row = *candidates[i].row;
    const int order = order_of(row);
    const bool waits = order == 2 && !neglected && diagnosing != (candidates[i].next_job == diagnosis_round);
    const auto key = std::tuple(order, waits, order < 2 ? 0.0 : neglected ? row.seconds : -rate(row));
    if (key < best_key) {
      best = i;
      best_key = key;
    }
  }
  return best;
}

} // namespace faultline::campaign
