// Sessions that ask for the integer conditions of a run.
#pragma once

#include "reading.h"

namespace faultline::test {

inline exec::Session open_deciding(const std::string& text, model::Sizes sizes = {}, const std::string& ending = ".c") {
  Options options;
  options.sizes = std::move(sizes);
  options.recording.decisions = true;
  return open_text(text, ending, "f", options);
}

// The leaf that an operation took as an operand; multiplications and sums have it on either side.
inline uint32_t leaf_of(const tape::Tape& tape, ops::Op op) {
  const uint32_t record = find(tape, op);
  for (int which : {0, 1})
    if (const uint32_t operand = tape.operand(record, which);
        !runtime::is_constant(operand) && tape.site(operand).op == ops::Op::leaf)
      return operand;
  ADD_FAILURE() << ops::name(op) << " has no leaf";
  return 0;
}

} // namespace faultline::test
