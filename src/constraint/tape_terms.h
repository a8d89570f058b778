// The operations of a tape as terms over its inputs: what the conditions of paths and of goals are built from.
//
// A tape is straight-line code in static-single-assignment form, so its records become terms one by one; only those
// that somebody asks for. An input whose range is one value is that value, a constant, and what depends on such inputs
// alone is folded.
#pragma once

#include "constraint/path_condition.h"

namespace faultline::constraint {

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

} // namespace faultline::constraint
