#include "search/published/trials.h"

#include "search/published/measured_error.h"

#include <algorithm>
#include <cmath>

namespace faultline::search {

namespace {

constexpr size_t kept = 24; // candidates for the oracle: a guess

// A population that has converged is full of near-duplicates; one of them is enough.
bool same_binades(const exec::Input& a, const exec::Input& b) {
  return std::equal(a.begin(), a.end(), b.begin(), [](long double x, long double y) {
    return std::signbit(x) == std::signbit(y) && std::logb(x) == std::logb(y);
  });
}

} // namespace

Trials::Trials(Quest& quest, uint64_t published)
    : quest_(quest), planned_(quest.evaluator.evaluations_left().value_or(published)) {}

bool Trials::over() const { return made_ >= planned_ || quest_.evaluator.spent(); }

double Trials::fitness_of(const exec::Input& input) {
  ++made_;
  const auto [error, fitness] = measure(quest_, input, residues_);
  if (!(error > 0) || (best_.size() == kept && error <= best_.back().error))
    return fitness;
  const auto alike =
      std::find_if(best_.begin(), best_.end(), [&](const Trial& other) { return same_binades(other.input, input); });
  if (alike != best_.end()) {
    if (alike->error >= error)
      return fitness;
    best_.erase(alike);
  } else if (best_.size() == kept) {
    best_.pop_back();
  }
  auto place = std::find_if(best_.begin(), best_.end(), [&](const Trial& other) { return other.error < error; });
  best_.insert(place, {error, input});
  return fitness;
}

std::vector<Candidate> Trials::best(const char* strategy) const {
  std::vector<Candidate> candidates;
  for (const Trial& trial : best_)
    candidates.push_back({trial.input, 0, trial.error, strategy});
  return candidates;
}

} // namespace faultline::search
