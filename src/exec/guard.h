// Guarded calls: code under test may crash, abort, exit, throw, overflow the stack or never return, and the caller gets
// an outcome and continues. Use them only in a worker process: an interrupted call leaks its resources.
//
// Signal handlers run on their own stack and jump back to the guarded call. The clock is CPU time, so a busy machine
// causes no time-outs; the supervisor handles code that sleeps for ever (exec/worker.h). Each call restores the
// rounding mode, the masks and the flags of SSE and x87.
#pragma once

#include "exec/outcome.h"

#include <cstdint>

namespace faultline::exec {

// Installs the handlers and starts the clock. Call once per process.
void install_guard();

// A fault between these addresses counts as an overrun of the arguments.
void set_argument_guard(const void* low, const void* high);
bool is_argument(const void* address); // between these addresses

// Sets the CPU seconds that one call may take.
void set_call_limit(double seconds);

// The hardware's sticky flags: invalid, (denormal,) divide-by-zero, overflow, underflow, (inexact).
inline constexpr uint32_t flag_invalid = 1, flag_divide_by_zero = 4, flag_overflow = 8, flag_underflow = 16;
inline constexpr uint32_t exception_flags = flag_invalid | flag_divide_by_zero | flag_overflow | flag_underflow;

struct GuardedResult {
  Outcome outcome = Outcome::returned;
  uint32_t flags = 0;               // the sticky exception flags of SSE and x87 that the call raised
  int error_number = 0;             // errno when the call ended; it was 0 before
  Ending ending;                    // how a throw, an exit or a missing symbol ended the call
  const void* overrun_at = nullptr; // the address of an overrun
};

GuardedResult guarded_call(void (*function)(void*), void* argument);

// Ends the current guarded call with this outcome. Used for abort(), exit() and failed allocations of the target.
[[noreturn]] void leave_call(Outcome outcome);

// While our own code (a hook of lifted execution) runs inside a guarded call, a time-out must not jump out of it. The
// time-out takes effect when the hook returns.
void enter_own_code();
void leave_own_code();

} // namespace faultline::exec
