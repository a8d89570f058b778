// The classes of faults, that is, of what went wrong at the operation at fault. This header has only their names:
// explain/fault.h classifies, and findings carry the class without depending on tapes.
#pragma once

#include <optional>
#include <string_view>

namespace faultline::ops {

// id, text, headline: a sentence about the expression.
#define FAULTLINE_FAULTS(X)                                                                                            \
  X(unclassified, "inaccuracy", "{} loses accuracy")                                                                   \
  X(cancellation, "cancellation", "{} cancels")                                                                        \
  X(absorption, "absorption", "{} loses the smaller operand")                                                          \
  X(sensitive_argument, "sensitive-argument", "{} magnifies the error of its argument")                                \
  X(large_argument, "large-argument", "{} reduces a large argument")                                                   \
  X(accumulated_rounding, "accumulated-rounding", "rounding errors add up in {}")                                      \
  X(intermediate_overflow, "intermediate-overflow", "{} overflows on the way")                                         \
  X(intermediate_underflow, "intermediate-underflow", "{} underflows on the way")                                      \
  X(branch_flip, "branch-flip", "{} takes the wrong branch")                                                           \
  X(truncation, "truncation", "the loop that {} ends stops too early")                                                 \
  X(wrong_method, "wrong-method", "{} is not what the function means")

enum class Fault : unsigned char {
#define FAULTLINE_FAULT_ID(id, text, headline) id,
  FAULTLINE_FAULTS(FAULTLINE_FAULT_ID)
#undef FAULTLINE_FAULT_ID
};
std::string_view text(Fault);
std::string_view headline(Fault);
std::optional<Fault> fault_of(std::string_view text);

} // namespace faultline::ops
