// Converts the operations of a tape to terms over its inputs, the basis of the conditions of paths and goals.
//
// A tape is straight-line code in static-single-assignment form, so its records become terms one by one, on demand. An
// input whose range is a single value is a constant, and terms over such inputs are folded.
#pragma once

#include "constraint/system.h"
#include "goal/exception.h"
#include "numeric/format.h"
#include "tape/path.h"

#include <optional>
#include <span>

namespace faultline::constraint {

// The condition of a path: the decisions of a run as constraints on its inputs.
//
// Decisions are comparisons and conversions to integers. Each is asserted with its outcome, up to the decision that is
// to change.
//
// Leaves are values from outside the tape. Leaves that a path determines (constants in memory, loop counters) are the
// same in every run along it. How other leaves depend on the input is unknown: a search for an input assumes their
// recorded values; a proof that none exists permits any value.
struct InputRange {
  std::string name;
  bool floating = true;
  numeric::Format cell = numeric::Format::binary64;   // of the program's parameter
  numeric::Format values = numeric::Format::binary64; // permitted values
  numeric::Value low = 0, high = 0;                   // inclusive
};

enum class Leaves : uint8_t { as_they_were, anything };

struct PathCondition {
  System system;       // variable i is input i; the others are leaves
  bool leaves = false; // values of unknown origin are relevant
};

// The change of the decision after those that stay.
struct Turn {
  size_t place = 0;                   // index of the decision
  std::span<const int64_t> not_these; // excluded outcomes
  std::optional<int64_t> to = {};     // the wanted outcome, if any
};

// Returns the decisions before the turn with their outcomes, and the turn. It includes integer conditions on inputs and
// constants, and omits others. None if it needs more than `most_terms` or the turn cannot be expressed.
std::optional<PathCondition> path_condition(const tape::Tape& tape, std::span<const tape::Branch> decisions,
                                            const Turn& turn, std::span<const InputRange> inputs, Leaves leaves,
                                            size_t most_terms = 20'000);

// Converts an input to a model and back. Inputs that the condition does not mention take their values from `otherwise`.
Model model_of(const PathCondition& condition, std::span<const InputRange> inputs,
               std::span<const numeric::Value> values);
std::vector<numeric::Value> input_of(const PathCondition& condition, std::span<const InputRange> inputs,
                                     const Model& model, std::span<const numeric::Value> otherwise);

// The format of the values of an input, as its variable has them.
BinaryFormat format_of(const InputRange& input);

// The constraint of an exception (goal/exception.h) at one execution on a path: the earlier decisions with their
// outcomes, and one of the operation's triggers (ops/table.h), as terms over floats.
//
// The path ends at the exception: later decisions do not matter. Operands must be finite, so earlier operations have
// raised no exception that their value shows.

// The conditions of one trigger, over the terms of the operands and of the result.
Term exception(System& system, const goal::Trigger& trigger, std::span<const Term> operands, Term result);

// None if it needs more than `most_terms` or the operation cannot raise the exception.
std::optional<PathCondition> exception_condition(const tape::Tape& tape, uint32_t record, ops::Exception kind,
                                                 std::span<const InputRange> inputs, Leaves leaves,
                                                 size_t most_terms = 20'000);

// The constraint of goals of precision loss and cancellation (goal/exception.h) on a path: the decisions before the
// last goal with their outcomes, and each goal in arithmetic form, for the operands a, b and the result r of an
// addition:
//
//   precision loss   |a| >= 2^bits * |b|, or with a and b swapped
//   cancellation     |a| >= 2^bits * |r|, or with b instead of a
//
// Scaling by a power of two is exact (an overflow correctly makes the comparison false), so the form contains no
// rounding. Solvers answer it many times faster than a difference of exponent fields.
//
// The arithmetic form implies the exponent form: if |x| >= 2^n |y| then exp x >= n + exp y. The converse needs one more
// bit: exp x - exp y >= n + 1 implies |x| > 2^n |y|. So every solution is a goal, and missed goals lie within a factor
// of two of the threshold. The caller chooses the operand: each variant is a conjunction, which solvers prefer to the
// disjunction. For cancellation the variants hardly differ, because operands that cancel are equal up to a factor of 1
// + 2^(1-bits).

// The larger operand.
enum class Large : uint8_t { first, second, either };
// The permitted result of a cancellation.
enum class Left : uint8_t { anything, nothing, something };

struct WantedInaccuracy {
  goal::Inaccuracy goal;
  Large large = Large::first;
  Left left = Left::anything;
};

// Returns the arithmetic form over terms of one format. The operands must be normal numbers.
Term inaccuracy(System& system, goal::Check check, int bits, Term a, Term b, Term result, Large large,
                Left left = Left::anything);

// Returns the constraint of all goals on the path of this tape. None if it needs more than `most_terms` or the tape
// lacks a goal.
std::optional<PathCondition> inaccuracy_condition(const tape::Tape& tape, std::span<const WantedInaccuracy> wanted,
                                                  std::span<const InputRange> inputs, Leaves leaves,
                                                  size_t most_terms = 20'000);

} // namespace faultline::constraint
