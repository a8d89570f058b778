#include "search/scorer.h"

#include <algorithm>
#include <map>

namespace faultline::search {

namespace {

bool better(const Candidate& a, const Candidate& b) {
  return a.score != b.score ? a.score > b.score : a.input < b.input;
}

// Guesses.
constexpr size_t most_over_claim = 16; // candidates for the oracle that exceed a claim
constexpr double worth_a_look = 3;     // times a claim: less than --bound-factor's 10, as estimates are off by some
constexpr size_t most_kept = 4096;     // of the scored inputs: more than any strategy hands over
constexpr double worth_it = 1e-10;     // error, from which on a wrong path is looked for: the bound of bench_estimate

// The list may grow for a while before it is cut.
void keep_best(std::vector<Candidate>& candidates, size_t most) {
  if (candidates.size() < 2 * most)
    return;
  std::partial_sort(candidates.begin(), candidates.begin() + ptrdiff_t(most), candidates.end(), better);
  candidates.resize(most);
}

} // namespace

tape::EstimatedError Scorer::error(const tape::Tape& tape) {
  quest_.evaluator.charge(sweep_cost * tape.size());
  tape::EstimatedError error = tape::estimated_error(tape, quest_.outputs, residues_, quest_.claims);
  if (quest_.counted_in == ErrorMeasure::absolute) // what strategies compare
    error.relative = error.absolute;
  return error;
}

Scorer::Scored Scorer::score(const exec::Input& input) {
  tape::Tape tape = run(input);
  if (!usable())
    return {tape, false, {}};
  const tape::EstimatedError found = error(tape);
  if (found.over_claim > worth_a_look) {
    over_claim_.push_back({input, 0, found.over_claim, strategy_});
    keep_best(over_claim_, most_over_claim);
  }
  return {tape, true, found};
}

uint64_t Scorer::affordable() const {
  const Evaluator& evaluator = quest_.evaluator;
  const uint64_t left = limit_ - std::min(limit_, evaluator.records());
  const uint64_t cost = evaluator.records() / std::max<uint64_t>(evaluator.evaluations(), 1) + 1;
  return std::min(left / cost, evaluator.evaluations_left().value_or(~uint64_t(0)));
}

void Scorer::keep(const exec::Input& input, uint32_t site, double error) {
  if (!(error > 0))
    return;
  if (error > largest_ && error > quest_.threshold && quest_.on_promising)
    quest_.on_promising(input, error);
  largest_ = std::max(largest_, error);
  kept_.push_back({input, site, error, strategy_});
  keep_best(kept_, most_kept);
}

void Scorer::insist(const exec::Input& input, uint32_t site, double error) {
  if (error > 0)
    insisted_.push_back({input, site, error, strategy_});
}

std::vector<Candidate> Scorer::best_so_far(size_t most) const {
  std::vector<Candidate> best = kept_;
  most = std::min(most, best.size());
  std::partial_sort(best.begin(), best.begin() + ptrdiff_t(most), best.end(), better);
  best.resize(most);
  return best;
}

// What residues say of a run on the wrong path is put right where that can be done. A candidate stays one, whatever its
// score.
void Scorer::look_twice(std::vector<Candidate>& candidates) {
  for (Candidate& candidate : candidates)
    if (candidate.score > worth_it)
      if (const std::optional<double> error = exact_paths_.error(candidate.input))
        candidate.score = std::max(*error, least_score);
}

std::vector<Candidate> Scorer::best(size_t most, size_t most_of_a_site) {
  std::sort(kept_.begin(), kept_.end(), better);
  kept_.erase(std::unique(kept_.begin(), kept_.end(),
                          [](const Candidate& a, const Candidate& b) { return a.input == b.input; }),
              kept_.end());
  std::map<uint32_t, size_t> of_site;
  most -= std::min(most, insisted_.size());
  std::vector<Candidate> chosen, rest;
  for (Candidate& candidate : kept_)
    (of_site[candidate.site]++ < most_of_a_site ? chosen : rest).push_back(std::move(candidate));
  kept_.clear();
  if (chosen.size() > most)
    chosen.resize(most);
  for (Candidate& candidate : rest)
    if (chosen.size() < most)
      chosen.push_back(std::move(candidate));
  look_twice(chosen);
  look_twice(insisted_);
  std::sort(over_claim_.begin(), over_claim_.end(), better);
  over_claim_.resize(std::min(over_claim_.size(), most_over_claim));
  for (std::vector<Candidate>* list : {&insisted_, &over_claim_}) {
    std::move(list->begin(), list->end(), std::back_inserter(chosen));
    list->clear();
  }
  std::sort(chosen.begin(), chosen.end(), better);
  chosen.erase(std::unique(chosen.begin(), chosen.end(),
                           [](const Candidate& a, const Candidate& b) { return a.input == b.input; }),
               chosen.end());
  return chosen;
}

} // namespace faultline::search
