// The condition of a path, read from a tape: the decisions that a run took, as constraints on its inputs.
//
// A tape is straight-line code in static-single-assignment form, so its operations become terms one by one. Decisions
// are comparisons and conversions to integers; each is asserted as it went, up to one that is to go another way.
//
// Leaves are values from outside the tape. Those that a path determines (constants in memory, loop counters) are the
// same in every run along it. Of others nobody knows how they depend on the input: to look for an input they are taken
// as they were, to prove that there is none they may be anything.
#pragma once

#include "constraint/system.h"
#include "numeric/format.h"
#include "tape/path.h"

#include <optional>
#include <span>

namespace faultline::constraint {

struct InputRange {
  std::string name;
  bool floating = true;
  numeric::Format cell = numeric::Format::binary64;   // of the program's parameter
  numeric::Format values = numeric::Format::binary64; // that may be used
  long double low = 0, high = 0;                      // both included
};

enum class Leaves : uint8_t { as_they_were, anything };

struct PathCondition {
  System system;       // variable i is input i; others are leaves
  bool leaves = false; // values of unknown origin matter here
};

// What is to become of the decision that comes after those that stay.
struct Turn {
  size_t place = 0;                   // of the decision
  std::span<const int64_t> not_these; // outcomes
  std::optional<int64_t> to = {};     // the one to have, if it matters
};

// The decisions before the turn as they went, and the turn. Integer conditions are part of it where they compare inputs
// and constants; of others it says nothing. Nothing is returned if it takes more than `most_terms`, or if the turn
// itself cannot be expressed.
std::optional<PathCondition> path_condition(const tape::Tape& tape, std::span<const tape::Branch> decisions,
                                            const Turn& turn, std::span<const InputRange> inputs, Leaves leaves,
                                            size_t most_terms = 20'000);

// An input as a model, and back. Values of inputs that the condition does not speak of come from `otherwise`.
Model model_of(const PathCondition& condition, std::span<const InputRange> inputs, std::span<const long double> values);
std::vector<long double> input_of(const PathCondition& condition, std::span<const InputRange> inputs,
                                  const Model& model, std::span<const long double> otherwise);

} // namespace faultline::constraint
