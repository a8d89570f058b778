// Outputs that a lifted run leaves as they are. Memory that is an output and no input holds zeros before a call, and so
// an output of zero may be one that nothing was stored to: its value means nothing then.
//
// In lifted runs that memory has a mark: the zero is negative, and its shadow a leaf of our own. Whatever is stored
// there is told from it, be it as a float, as an integer or by code that is not instrumented. Code that reads it, as it
// should not, still finds a zero.
#pragma once

#include "frontend/target.h"
#include "runtime/lift.h"

#include <map>
#include <vector>

namespace faultline::exec {

class UnsetOutputs {
public:
  explicit UnsetOutputs(const frontend::Target& target);

  // Before a call, in the argument block and in the lifter's memory.
  void mark(char* block, runtime::Lifter& lifter);

  // After it: is this shadow of the output the mark, whatever became of the memory? And is the memory as it was?
  bool is_mark(const frontend::Cell& cell, uint32_t shadow, const runtime::Lifter& lifter) const;
  bool is_unset(const frontend::Cell& cell, uint32_t shadow, long double native, const runtime::Lifter& lifter) const;

private:
  std::vector<frontend::Cell> cells_;
  std::map<uint64_t, uint32_t> marks_; // by offset
};

} // namespace faultline::exec
