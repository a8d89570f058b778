// The operations of a tape as terms over its inputs: what the conditions of paths and of goals are built from.
//
// A tape is straight-line code in static-single-assignment form, so its records become terms one by one; only those
// that somebody asks for. An input whose range is one value is that value, a constant, and what depends on such inputs
// alone is folded.
#pragma once

#include "constraint/system.h"
#include "goal/exception.h"
#include "numeric/format.h"
#include "tape/path.h"

#include <optional>
#include <span>

namespace faultline::constraint {

// The condition of a path, read from a tape: the decisions that a run took, as constraints on its inputs.
//
// A tape is straight-line code in static-single-assignment form, so its operations become terms one by one. Decisions
// are comparisons and conversions to integers; each is asserted as it went, up to one that is to go another way.
//
// Leaves are values from outside the tape. Those that a path determines (constants in memory, loop counters) are the
// same in every run along it. Of others nobody knows how they depend on the input: to look for an input they are taken
// as they were, to prove that there is none they may be anything.
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

class TapeTerms {
public:
  TapeTerms(const tape::Tape& tape, std::span<const InputRange> inputs, Leaves leaves);

  // Every record that these depend on becomes a term; decisions themselves do not. False if that takes more terms.
  bool read(std::span<const uint32_t> records, size_t most_terms);

  // The same for these records and for the decisions before the last of them, which go as they went: the path there.
  bool read_path_to(std::span<const uint32_t> records, size_t most_terms);

  // A decision goes this way. Nothing if it is an integer condition that cannot be expressed.
  std::optional<Term> condition(const tape::Branch& decision, int64_t outcome);

  // An operand of a record, or a record, that was read.
  Term operand(uint32_t operand, numeric::Format format);

  // At the end: the inputs that were used are in their ranges.
  void restrict_inputs();

  PathCondition& result() { return condition_; }
  System& system() { return condition_.system; }

private:
  Term input(size_t which);
  Term leaf(uint32_t index, numeric::Format format);
  Term term_of(uint32_t index);
  Term operation(uint32_t index);
  Term number(long double value, BinaryFormat format);
  std::optional<Term> power_of_two(uint32_t exponent, numeric::Format format);
  std::optional<Term> integer_condition(const tape::Site& site, const tape::Record& record, int64_t outcome);
  Term one_of_cases(Term a, const std::vector<int64_t>& cases, int64_t outcome);
  bool expressible(uint32_t integer) const;
  Term becomes(Term a, const tape::Site& site, int64_t integer);

  const tape::Tape& tape_;
  std::span<const InputRange> inputs_;
  Leaves leaves_;
  PathCondition condition_;
  std::vector<Term> variables_, terms_;
  std::vector<char> used_;
};

// Of the values of an input, as its variable has them.
BinaryFormat format_of(const InputRange& input);

// The constraint of an exception (goal/exception.h) at one execution on a path: the decisions before it as they went,
// and one of the operation's triggers (ops/table.h), as terms over floats.
//
// The path ends there: what the program decides afterwards does not matter. Operands must be finite, so what made them
// has raised no exception that a value remembers.

// The conditions of one trigger, over the terms of the operands and of the result.
Term exception(System& system, const goal::Trigger& trigger, std::span<const Term> operands, Term result);

// Nothing if it takes more than `most_terms`, or if the operation cannot raise it.
std::optional<PathCondition> exception_condition(const tape::Tape& tape, uint32_t record, ops::Exception kind,
                                                 std::span<const InputRange> inputs, Leaves leaves,
                                                 size_t most_terms = 20'000);

// The constraint of goals of precision loss and cancellation (goal/exception.h) on a path: the decisions before the
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
