// How one call of the target ended.
#pragma once

#include "exec/sandbox.h"
#include "frontend/target.h"

#include <cstddef>
#include <cstdint>
#include <string>
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
// not here is nobody's fault (exec/replacements.h).
constexpr bool is_crash(Outcome outcome) {
  return outcome != Outcome::returned && outcome != Outcome::timed_out && outcome != Outcome::tape_full &&
         outcome != Outcome::missing;
}

// How a run that did not return ended, as far as it said so itself: what was thrown, the status of an exit, what it
// needed that is not here. The words are those of code that is not trusted: printable, and not many.
struct Ending {
  std::string thrown;       // the type of the exception; empty: none was thrown
  std::string words;        // its what(); "exit(2)", "STOP 1"; "calls errmsg, which is not here"
  bool refuses = false;     // a standard exception for an argument or a result that is out of range
  std::string missing = {}; // the function that is not here, if it was called

  bool operator==(const Ending&) const = default;
};

inline constexpr size_t longest_words = 200; // of either: a line or two of a report

// Called where it happens, inside of a guarded call; what they note is of the last such end.
void note_exit(int status);
void note_stop(int status, bool is_error);
void note_stop(const char* message, size_t length, bool is_error);
void note_current_exception(); // in a handler. Runs code under test: what()

// After the call: it ended at this address, where a symbol that is not here would be.
Ending ending_at_missing(const void* address);

const Ending& noted_ending();

// How a call ended, in words: those of the outcome, but for what is missing, which has a name.
std::string end_words(Outcome outcome, const Ending& ending);

// What calls of the code under test, and the processes they run in, may cost.
using Limits = frontend::CallLimits;

// Times are on the clock: the supervisor keeps them, whatever the code under test does.
struct WorkerLimits {
  uint64_t memory = uint64_t(1) << 31; // beyond what the supervisor has: the tape, the target's heap, the readers
  double silence_seconds = 30;         // one call, lifted or not, may not take longer than this
  // A worker computes, and sleeps only while it waits for its supervisor to read: in milliseconds. A guess, with room
  // for a busy machine, on which a worker that computes waits, too, but does not sleep.
  double asleep_seconds = 1;
  double compile_seconds = 300; // until the code under test runs for the first time: our own work, on hostile code
  double job_seconds = 600;     // of a job that names no limit of its own, from then on
  int restarts = 5;
  Confinement confinement = {};
};

} // namespace faultline::exec
