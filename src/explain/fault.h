// The classes of faults: what kind of thing went wrong at the operation that is to blame.
#pragma once

#include "explain/cause.h"

#include <optional>
#include <string_view>
#include <vector>

namespace faultline::explain {

// id, text, headline.
#define FAULTLINE_FAULTS(X)                                                                                            \
  X(unclassified, "inaccuracy", "loss of accuracy")                                                                    \
  X(cancellation, "cancellation", "cancellation")                                                                      \
  X(absorption, "absorption", "absorption")                                                                            \
  X(sensitive_argument, "sensitive-argument", "ill-conditioned argument")                                              \
  X(large_argument, "large-argument", "large-argument reduction")                                                      \
  X(accumulated_rounding, "accumulated-rounding", "accumulated rounding")                                              \
  X(intermediate_overflow, "intermediate-overflow", "overflow on the way")                                             \
  X(intermediate_underflow, "intermediate-underflow", "underflow on the way")                                          \
  X(branch_flip, "branch-flip", "branch flip")

enum class Fault : unsigned char {
#define FAULTLINE_FAULT_ID(id, text, headline) id,
  FAULTLINE_FAULTS(FAULTLINE_FAULT_ID)
#undef FAULTLINE_FAULT_ID
};
std::string_view text(Fault);
std::string_view headline(Fault);
std::optional<Fault> fault_of(std::string_view text);

struct Classified {
  Fault fault = Fault::unclassified;
  int cancelled = 0;      // leading bits that an addition lost, by its operands' and its result's exponents
  uint32_t absorber = 0;  // the addition that lost most of its smaller operand, if that is what happened
  bool over_many = false; // the bits were lost over many executions, from the largest partial sum down to the last
};

// `way` and `blame` are those of one output.
//
//   overflow, underflow   the result is out of range, the exact one is not, or loses digits there
//   absorption            a sum lost most of its smaller term, and its larger term was taken away again
//   cancellation          an addition whose result is much smaller than its operands
//   large argument        sin and the like, fmod: the argument's size makes the condition, not a zero nearby
//   sensitive argument    any other function with a large condition (log near 1, acos near 1, pow)
//   branch flip           floor and the like jump at another place
//   accumulated rounding  none of them: many operations, each adding little
Classified classify(const tape::Tape& tape, const std::vector<Link>& way, const Blame& blame,
                    const tape::Replay& exact);

} // namespace faultline::explain
