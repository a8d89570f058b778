// Where a change of the code helps and does no harm: a condition on one input, `x < t`, `x > t`, `|x| < t` or
// `|x| > t`, with a round bound, or everyday inputs only, or both. From inputs of which it is known what the change
// does there.
#pragma once

#include "judge/diagnosis/comparison.h"
#include "search/space.h"

#include <optional>
#include <string>
#include <vector>

namespace faultline::judge {

// On one input.
struct Bound {
  size_t input = 0;
  bool of_magnitude = false; // of |x|
  bool below = false;        // else above
  long double value = 0;     // a number of one digit

  bool holds(const exec::Input& at) const;
};

struct TrialCondition {
  std::optional<Bound> bound = {};
  bool everyday = false; // every input is (search/everyday.h)

  bool holds(const exec::Input& at, const search::Space& space) const;
  std::string text(const search::Space& space) const; // |x| < 0.1
};

// The bound that a text begins with, on one of these inputs.
std::optional<Bound> parsed_bound(const std::string& text, const std::vector<std::string>& inputs);

struct TrialResult {
  exec::Input input;
  Effect effect = Effect::none;
};

// The one that holds for the most inputs where the change is better, among them the first; and for none where it is
// worse, with a margin. It tells two sorts of inputs apart: beyond it the change is worse at more than a few. Nothing
// if there is none.
std::optional<TrialCondition> condition_for(const std::vector<TrialResult>& results, const search::Space& space);

} // namespace faultline::judge
