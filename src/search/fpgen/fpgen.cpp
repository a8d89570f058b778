// The search for targets with many inputs (FPGen, ICSE 2020). Samples give base values. Cancellations are constructed
// from them and refined on the true error. In the middle, with the best input so far as the base, the paper's Algorithm
// 1 solves inputs for inaccuracy: its models rarely have a large error themselves, but they are starting points that no
// other means finds.
#include "search/fpgen/cancelling.h"
#include "search/fpgen/refinement.h"
#include "search/fpgen/symbolic.h"
#include "search/strategy.h"

#include <algorithm>
#include <cmath>

namespace faultline::search {
namespace {

// Guesses unless noted; `faultline bench fpgen` shows what they find (docs/fpgen.md).
constexpr int samples = 2000, constructions = 400;
constexpr double before_solving = 0.4, after_solving = 0.55; // of the budget: Algorithm 1 gets the part in between
constexpr size_t resting_part = 4; // the largest part of the inputs that is zero in a construction

// The number of fruitless moves that end a climb: a base, and an amount for each of up to 64 inputs.
struct Patience {
  int least, of_an_input;
  int with(int inputs) const { return least + of_an_input * inputs; }
};
constexpr Patience short_climb{60, 10}, long_climb{400, 40};
constexpr int patience_with_models = 20; // climbs from the many models of Algorithm 1
constexpr size_t most_patient = 64;      // inputs
// One in this many refinements climbs by the absolute error first; ends with a long climb from an elite; takes an elite
// of any exact result although it aims at a nonzero one.
constexpr uint64_t absolute_one_in = 3, elite_one_in = 3, any_one_in = 4;

class FpgenSearch {
public:
  explicit FpgenSearch(Quest& quest)
      : quest_(quest), errors_(quest), cancelling_(quest, errors_), refinement_(quest, errors_, cancelling_) {}

  std::vector<Candidate> run() {
    if (std::ranges::all_of(quest_.space.dimensions, &Dimension::held)) { // the only input
      try_out(base(0));
      return candidates();
    }
    for (int i = 0; i < samples && !quest_.evaluator.spent(); ++i)
      try_out(base(i));
    for (int i = 0; i < constructions && !quest_.evaluator.spent(); ++i)
      construct();
    while (!quest_.evaluator.spent(before_solving))
      refine();
    solve();
    while (!quest_.evaluator.spent())
      refine();
    return candidates();
  }

private:
  exec::Input base(int i) {
    switch (i % 4) {
    case 0:
      return quest_.space.sample_floats(quest_.rng);
    case 1:
      return quest_.space.sample_reals(quest_.rng);
    case 2:
      return quest_.space.sample_alike(quest_.rng);
    default:
      return sample_structured(quest_.space, quest_.rng);
    }
  }

  ScoredInput try_out(exec::Input input) {
    ScoredInput found{std::move(input), {}};
    found.error = errors_.measure(found.input);
    note(found);
    return found;
  }

  ScoredInput construct() {
    ScoredInput found = try_out(base(int(quest_.rng.below(4))));
    if (!found.error.usable)
      return found;
    const size_t output = quest_.outputs[quest_.rng.below(quest_.outputs.size())];
    const double floor = errors_.floor() * above_floor, targets[] = {0, floor, -floor};
    found.error = cancelling_.solve(found.input, output, targets[quest_.rng.below(3)],
                                    quest_.rng.below(1 + quest_.space.dimensions.size() / resting_part));
    note(found);
    return found;
  }

  // Algorithm 1 of the paper, from the best input so far.
  void solve() {
    const Elites::Elite* best = (quest_.nonzero ? not_zero_ : any_).next_of_best();
    const exec::Input start = best ? best->found.input : quest_.space.sample_reals(quest_.rng);
    solve_for_inaccuracy(quest_, start, after_solving, [&](const exec::Input& input) {
      const ScoredInput found = try_out(input);
      const Aim aim = quest_.nonzero ? Aim::not_zero : Aim::any;
      if (found.error.usable && !quest_.evaluator.spent())
        climb(found, aim, patience_with_models);
    });
  }

  // A short climb from a new start, then a long one from the elite with the least attention.
  void refine() {
    // Also when zero is not wanted: the smallest exact results lie next to inputs whose exact result is zero.
    const Aim aim = quest_.rng.coin() ? Aim::not_zero : Aim::any;
    const auto inputs = int(std::min<size_t>(quest_.space.dimensions.size(), most_patient));
    ScoredInput start = quest_.rng.coin() ? construct() : try_out(base(int(quest_.rng.below(4))));
    if (start.error.usable && quest_.rng.below(absolute_one_in) == 0)
      start = climb(std::move(start), Aim::absolute, short_climb.with(inputs));
    if (start.error.usable)
      climb(std::move(start), aim, short_climb.with(inputs));
    Elites& elites = aim == Aim::any || quest_.rng.below(any_one_in) == 0 ? any_ : not_zero_;
    if (quest_.rng.below(elite_one_in) != 0)
      return;
    if (Elites::Elite* elite = quest_.rng.coin() ? elites.next_of_best() : elites.next_of_kinds()) {
      ++elite->worked_on;
      climb(elite->found, aim, long_climb.with(inputs));
    }
  }

  ScoredInput climb(ScoredInput from, Aim aim, int patience) {
    const ScoredInput end =
        refinement_.climb(std::move(from), aim, patience, [&](const ScoredInput& found) { note(found); });
    if (!end.error.usable || quest_.evaluator.spent())
      return end;
    errors_.measure(end.input); // the last run was a failed move
    const uint32_t suspect = errors_.suspect(end.error.output);
    any_.add(end, suspect);
    not_zero_.add(end, suspect);
    return end;
  }

  void note(const ScoredInput& found) {
    if (!found.error.usable)
      return;
    any_.add(found);
    not_zero_.add(found);
  }

  // The largest by both measures, and the best of each suspect, which may be another cause.
  std::vector<Candidate> candidates() const {
    std::vector<Candidate> all;
    auto add = [&](const ScoredInput& found, uint32_t suspect) {
      all.push_back({found.input, suspect, found.error.any, "fpgen"});
    };
    for (const Elites* elites : {&not_zero_, &any_}) {
      if (elites == &any_ && quest_.nonzero)
        continue;
      for (const Elites::Elite& elite : elites->best())
        add(elite.found, 0);
      for (const auto& [suspect, found] : elites->best_of_suspects())
        add(found, suspect);
    }
    std::sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
      return a.score != b.score ? a.score > b.score : a.input < b.input;
    });
    all.erase(
        std::unique(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) { return a.input == b.input; }),
        all.end());
    return all;
  }

  Quest& quest_;
  TrueErrors errors_;
  Cancelling cancelling_;
  Refinement refinement_;
  Elites any_{Aim::any}, not_zero_{Aim::not_zero};
};

} // namespace

std::vector<Candidate> search_fpgen(Quest& quest) { return FpgenSearch(quest).run(); }

} // namespace faultline::search
