// The outcome of one call of the target.
#pragma once

#include "exec/sandbox.h"
#include "model/target.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace faultline::exec {

// id, text. Only `returned` is a normal end.
#define FAULTLINE_OUTCOMES(X)                                                                                          \
  X(returned, "returned")                                                                                              \
  X(aborted, "called abort")                                                                                           \
  X(exited, "called exit")                                                                                             \
  X(segfault, "invalid memory access")                                                                                 \
  X(stack_overflow, "stack overflow")                                                                                  \
  X(arithmetic_trap, "arithmetic trap (integer division)")                                                             \
  X(illegal_instruction, "illegal instruction")                                                                        \
  X(overrun, "went beyond its arguments")                                                                              \
  X(out_of_bounds, "accessed memory outside of a variable")                                                            \
  X(threw, "uncaught exception")                                                                                       \
  X(timed_out, "timed out")                                                                                            \
  X(out_of_memory, "out of memory")                                                                                    \
  X(tape_full, "outgrew the tape")                                                                                     \
  X(killed, "killed the worker process")                                                                               \
  X(missing, "needs a function or variable that is missing")

enum class Outcome : uint8_t {
#define FAULTLINE_OUTCOME_ID(id, text) id,
  FAULTLINE_OUTCOMES(FAULTLINE_OUTCOME_ID)
#undef FAULTLINE_OUTCOME_ID
};

std::string_view text(Outcome);

// True for an abnormal end that the target caused. Not included: a time-out, which is its own kind; a full tape, which
// is our limit; a missing symbol, which is not a fault (exec/replacements.h).
constexpr bool is_crash(Outcome outcome) {
  return outcome != Outcome::returned && outcome != Outcome::timed_out && outcome != Outcome::tape_full &&
         outcome != Outcome::missing;
}

// Details of a run that did not return: the exception, the exit status, or the missing symbol. The text comes from
// untrusted code, so it is printable and short.
struct Ending {
  std::string thrown;       // the type of the exception; empty if none was thrown
  std::string words;        // its what(); "exit(2)"; "calls errmsg, which is missing"; "reads outside of t, ..."
  bool refuses = false;     // a standard exception for an argument or a result that is not in a domain
  std::string missing = {}; // the missing function, if it was called

  bool operator==(const Ending&) const = default;
};

inline constexpr size_t longest_words = 200; // of either text: a line or two of a report

// Record how the current guarded call ends. A later call overwrites an earlier one.
void note_exit(int status);
void note_stop(int status, bool is_error);
void note_stop(const char* message, size_t length, bool is_error);
void note_current_exception(); // call in a handler. Runs code under test: what()

// Call after the guarded call, with the address at which it ended. Finds the missing symbol at that address.
Ending ending_at_missing(const void* address);

const Ending& noted_ending();

// Describes the end of a call: the text of the outcome, the name of the missing symbol, or the memory access.
std::string end_words(Outcome outcome, const Ending& ending);

// The limits of calls of the code under test and of their processes.
using Limits = model::CallLimits;

// Wall-clock times, enforced by the supervisor whatever the code under test does.
struct WorkerLimits {
  uint64_t memory = uint64_t(1) << 31; // in addition to the supervisor's: the tape, the target's heap, the readers
  double silence_seconds = 30;         // the longest call, lifted or not
  // Limit on sleep. A worker computes, and sleeps only for milliseconds, while it waits for its supervisor to read. The
  // value is a guess with room for a busy machine, on which a worker waits for a processor but does not sleep.
  double asleep_seconds = 1;
  double compile_seconds = 300; // before the code under test first runs: our own work on hostile code
  double job_seconds = 600;     // after that, for a job without its own limit
  int restarts = 5;
  Confinement confinement = {};
};

} // namespace faultline::exec
