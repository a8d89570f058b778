// One remedy on trial: tried on inputs one after the other, and where it is worse, with a condition.
#pragma once

#include "explain/remedy.h"
#include "judge/diagnosis/comparison.h"
#include "judge/diagnosis/trial_condition.h"
#include "judge/diagnosis/trial_inputs.h"

#include <functional>

namespace faultline::judge {

// What the remedies of a finding are tried on.
struct Bench {
  Comparison& comparison;
  TrialInputs& draws;
  const search::Space& space;
  std::function<bool()> out_of_time;
  std::vector<TrialInput> inputs = {}; // for all remedies; the finding's own first
  size_t goal = 0;                     // how many inputs there are to be
  size_t around_worst = 0;             // of these: near those at which the remedy did worst
  size_t extra = 0;                    // how many more, to confirm one that is to be offered
  uint64_t allowance = 0;              // records that may be run for a remedy
};

struct Stood {
  size_t tried = 0; // inputs on which it did no harm
  std::optional<TrialCondition> condition;
};

// Inputs that it takes at least: fewer prove nothing.
inline constexpr size_t fewest_tried = 40;
// What a run counts for, however short it is.
inline constexpr uint64_t least_of_trial = 400;

// Nothing if it does harm, does not help, or there was not time enough to tell.
std::optional<Stood> tried_out(const explain::Remedy& remedy, Bench& bench);

} // namespace faultline::judge
