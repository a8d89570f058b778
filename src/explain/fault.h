// The class of a fault (ops/fault_kind.h), from the run that shows it.
#pragma once

#include "explain/cause.h"
#include "ops/fault_kind.h"

#include <vector>

namespace faultline::explain {

using ops::Fault;

struct Classification {
  Fault fault = Fault::unclassified;
  int cancelled = 0;      // leading bits that an addition lost, by the exponents of operands and result
  uint32_t absorber = 0;  // the addition that lost most of its smaller operand, if any
  bool over_many = false; // the bits were lost over many executions, from the largest partial sum down to the last
};

// `path` and `blame` belong to one output.
//
//   overflow, underflow   the result is out of range, and the exact one is not, or loses digits there
//   absorption            a sum lost most of its smaller term, and its larger term was subtracted again
//   cancellation          an addition whose result is much smaller than its operands
//   large argument        sin and the like, fmod: the argument's size makes the condition, not a zero nearby
//   sensitive argument    any other function with a large condition (log near 1, acos near 1, pow)
//   branch flip           floor and the like jump at another place
//   accumulated rounding  none of these: many operations, each adding little
Classification classify(const tape::Tape& tape, const std::vector<Link>& path, const Blame& blame,
                        const tape::Replay& exact);

} // namespace faultline::explain
