// The trial of one remedy on inputs, one after the other, with a condition if it is worse on some.
#pragma once

#include "explain/remedy.h"
#include "judge/diagnosis/comparison.h"
#include "numeric/random.h"
#include "search/space.h"

#include <functional>
#include <vector>

namespace faultline::judge {

// The inputs for trials of remedies: ordinary ones, round numbers, the whole searched space, the neighbourhood of
// inputs that show the problem, and the borders between inputs of two kinds. They depend only on the seed.
class TrialInputs {
public:
  // `everyday` is a part of `space`.
  TrialInputs(const search::Space& space, const search::Space& everyday, numeric::Rng rng)
      : space_(space), everyday_(everyday), rng_(rng) {}

  // All kinds, mixed, so that the first few represent all. `shown`: inputs that show the problem.
  std::vector<exec::Input> mixed(const std::vector<exec::Input>& shown, size_t count);
  // A neighbour: from another last digit to a thousand times as much, of one number or all.
  exec::Input near(const exec::Input& input);
  exec::Input ordinary();
  exec::Input any() { return rng_.coin() ? moderate() : space_.sample_floats(rng_); }
  // Two neighbours between the two inputs, one of each kind; the arguments are of different kinds.
  std::vector<exec::Input> border(const exec::Input& a, const exec::Input& b,
                                  const std::function<bool(const exec::Input&)>& is_like_a) const;
  numeric::Rng& rng() { return rng_; }

private:
  exec::Input within(exec::Input input) const; // of the space
  exec::Input round_numbers(const exec::Input& shown);
  exec::Input moderate();
  numeric::Value moved(const search::Dimension& dimension, numeric::Value value);

  const search::Space& space_;
  const search::Space& everyday_;
  numeric::Rng rng_;
};

// The setting of the trials of a finding's remedies.
struct Bench {
  Comparison& comparison;
  TrialInputs& draws;
  const search::Space& space;
  std::function<bool()> out_of_time;
  std::vector<TrialInput> inputs = {}; // for all remedies; the finding's own first
  size_t goal = 0;                     // the intended number of inputs
  size_t around_worst = 0;             // of these: near those at which the remedy did worst
  size_t extra = 0;                    // further inputs, to confirm a remedy before it is offered
  uint64_t allowance = 0;              // records that may be run for a remedy
};

struct TrialOutcome {
  size_t tried = 0; // inputs on which it did no harm
  std::optional<TrialCondition> condition;
};

// The minimum number of inputs: fewer prove nothing.
inline constexpr size_t fewest_tried = 40;
// The minimum cost of a run.
inline constexpr uint64_t least_of_trial = 400;

// Nothing if it does harm, does not help, or there is not enough time.
std::optional<TrialOutcome> evaluate_remedy(const explain::Remedy& remedy, Bench& bench);

} // namespace faultline::judge
