// The classes of faults, that is, of what went wrong at the operation at fault. This header has only their names:
// explain/fault.h classifies, and findings carry the class without depending on tapes.
#pragma once

#include <optional>
#include <string_view>

namespace faultline::ops {

// id, text, headline, and the sentence about the expression.
#define FAULTLINE_FAULTS(X)                                                                                            \
  X(unclassified, "inaccuracy", "loss of accuracy", "{} loses accuracy")                                               \
  X(cancellation, "cancellation", "cancellation", "{} cancels")                                                        \
  X(absorption, "absorption", "absorption", "{} loses the smaller operand")                                            \
  X(sensitive_argument, "sensitive-argument", "ill-conditioned argument", "{} magnifies the error of its argument")    \
  X(large_argument, "large-argument", "large-argument reduction", "{} reduces a large argument")                       \
  X(accumulated_rounding, "accumulated-rounding", "accumulated rounding", "rounding errors add up in {}")              \
  X(intermediate_overflow, "intermediate-overflow", "overflow on the way", "{} overflows on the way")                  \
  X(intermediate_underflow, "intermediate-underflow", "underflow on the way", "{} underflows on the way")              \
  X(branch_flip, "branch-flip", "branch flip", "{} takes the wrong branch")                                            \
  X(truncation, "truncation", "a loop that stops too early", "the loop that {} ends stops too early")                  \
  X(wrong_method, "wrong-method", "wrong method", "{} is not what the function means")

enum class Fault : unsigned char {
#define FAULTLINE_FAULT_ID(id, text, headline, sentence) id,
  FAULTLINE_FAULTS(FAULTLINE_FAULT_ID)
#undef FAULTLINE_FAULT_ID
};
std::string_view text(Fault);
std::string_view headline(Fault);
std::string_view sentence(Fault); // "{} cancels"
std::optional<Fault> fault_of(std::string_view text);

} // namespace faultline::ops
