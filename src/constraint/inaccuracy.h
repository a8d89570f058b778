// The constraint of goals of precision loss and cancellation (goal/inaccuracy.h) on a path: the decisions before the
// last of them as they went, and each goal in arithmetic form, for the operands a, b and the result r of an addition:
//
//   precision loss   |a| >= 2^bits * |b|, or the other way round
//   cancellation     |a| >= 2^bits * |r|, or with b instead of a
//
// Scaling up by a power of two is exact (an overflow makes the comparison false, as it should be), so there is no
// rounding in this. It was chosen because solvers answer it many times sooner than the difference of exponent fields.
//
// The arithmetic form implies the exponent form: if |x| >= 2^n |y| then exp x >= n + exp y. The converse holds with one
// bit more: exp x - exp y >= n + 1 implies |x| > 2^n |y|. So nothing is solved that is no goal, and what is missed lies
// within a factor of two of the threshold. The disjunction (which operand) is the caller's: one variant of it is a
// conjunction, which solvers like. For cancellation the two variants differ by next to nothing, since operands that
// cancel are equal but for a factor of 1 + 2^(1-bits).
#pragma once

#include "constraint/path_condition.h"
#include "goal/inaccuracy.h"

namespace faultline::constraint {

// Which operand is large.
enum class Large : uint8_t { first, second, either };
// What a cancellation may leave.
enum class Left : uint8_t { anything, nothing, something };

struct WantedInaccuracy {
  goal::Inaccuracy goal;
  Large large = Large::first;
  Left left = Left::anything;
};

// The arithmetic form alone, over terms of one format. The operands must be normal numbers.
Term inaccuracy(System& system, goal::Check check, int bits, Term a, Term b, Term result, Large large,
                Left left = Left::anything);

// All of them, on the path of this tape. Nothing if it takes more than `most_terms`, or the tape does not come to one.
std::optional<PathCondition> inaccuracy_condition(const tape::Tape& tape, std::span<const WantedInaccuracy> wanted,
                                                  std::span<const InputRange> inputs, Leaves leaves,
                                                  size_t most_terms = 20'000);

} // namespace faultline::constraint
