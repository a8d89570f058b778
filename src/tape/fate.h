// Reader: what became of a value that an exception made. An infinity or NaN is followed forward as long as what is
// computed from it is an infinity or NaN too; either it reaches an output, or somebody ended it. An underflow leaves a
// number like any other: all that is computed from it counts.
//
// A value that is dropped by a choice (a conditional expression) leaves no record. The comparison that decided does, so
// it is named.
#pragma once

#include "tape/tape.h"

#include <vector>

namespace faultline::tape {

enum class End : uint8_t {
  output,     // it reaches an output that is judged
  unjudged,   // it reaches an output that is not
  arithmetic, // an operation made a finite number of it
  comparison, // it was compared, and that was all
  conversion, // it was converted to an integer, and that was all
  unused,     // nobody wanted it
};

struct Fate {
  End end = End::unused;
  size_t output = 0;    // of the first two: which, as the target counts its outputs
  uint32_t record = 0;  // of the others: the operation that ended it,
  uint32_t operand = 0; // and the operand that it did this to
};

class Fates {
public:
  // `judged`: indices of outputs.
  Fates(const Tape& tape, const std::vector<size_t>& judged);

  // Of the infinity or NaN that this record made.
  Fate of_nonfinite(uint32_t record) const;
  // Of the number that this record made. It never ends in arithmetic.
  Fate of_number(uint32_t record) const;

private:
  template <class Passes>
  Fate follow(uint32_t record, Passes passes) const;

  const Tape& tape_;
  const std::vector<size_t>& judged_;
  std::vector<bool> wanted_; // records that a judged output depends on
};

// Where an infinity or NaN came from: the record that made it of finite operands, or the input or leaf that was one; 0
// if it was a constant.
uint32_t source_of_nonfinite(const Tape& tape, uint32_t record);

// The underflow behind a pole: the operation that made the zero which this record divides by or takes the logarithm of,
// where that zero should be a small number; 0 if there is none.
uint32_t underflow_behind(const Tape& tape, uint32_t record);

// The operand of the record that is an infinity or NaN, as the record names it; 0 if there is none.
uint32_t nonfinite_operand(const Tape& tape, uint32_t record);

} // namespace faultline::tape
