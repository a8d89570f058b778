// How one call of the target ended.
#pragma once

#include <cstdint>
#include <string_view>

namespace faultline::exec {

// id, text. `returned` is the only good end.
#define FAULTLINE_OUTCOMES(X)                                                                                          \
  X(returned, "returned")                                                                                              \
  X(aborted, "called abort")                                                                                           \
  X(exited, "called exit")                                                                                             \
  X(segfault, "invalid memory access")                                                                                 \
  X(stack_overflow, "stack overflow")                                                                                  \
  X(arithmetic_trap, "arithmetic trap (integer division)")                                                             \
  X(illegal_instruction, "illegal instruction")                                                                        \
  X(overrun, "went beyond its arguments")                                                                              \
  X(threw, "uncaught exception")                                                                                       \
  X(timed_out, "timed out")                                                                                            \
  X(out_of_memory, "out of memory")                                                                                    \
  X(tape_full, "outgrew the tape")                                                                                     \
  X(killed, "killed the worker process")                                                                               \
  X(missing, "needs a function or variable that is not here")

enum class Outcome : uint8_t {
#define FAULTLINE_OUTCOME_ID(id, text) id,
  FAULTLINE_OUTCOMES(FAULTLINE_OUTCOME_ID)
#undef FAULTLINE_OUTCOME_ID
};

std::string_view text(Outcome);

// A crash is a bad end that is the target's own doing; a time-out is filed on its own, a full tape is ours, and what is
// not here is nobody's fault (exec/symbols/missing_symbols.h).
constexpr bool is_crash(Outcome outcome) {
  return outcome != Outcome::returned && outcome != Outcome::timed_out && outcome != Outcome::tape_full &&
         outcome != Outcome::missing;
}

} // namespace faultline::exec
