// The classes of faults, that is, of what went wrong at the operation at fault. This header has only their names:
// explain/fault.h classifies, and findings carry the class without depending on tapes.
#pragma once

#include <optional>
#include <string_view>

namespace faultline::ops {

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
  X(branch_flip, "branch-flip", "branch flip")                                                                         \
  X(truncation, "truncation", "a loop that stops too early")                                                           \
  X(wrong_method, "wrong-method", "wrong method")

enum class Fault : unsigned char {
#define FAULTLINE_FAULT_ID(id, text, headline) id,
  FAULTLINE_FAULTS(FAULTLINE_FAULT_ID)
#undef FAULTLINE_FAULT_ID
};
std::string_view text(Fault);
std::string_view headline(Fault);
std::optional<Fault> fault_of(std::string_view text);

} // namespace faultline::ops
