// Guarded calls: code under test may crash, abort, exit, throw, overflow the stack or never return; the caller gets an
// outcome and goes on. Only to be used in a worker process: a guarded call that is cut short leaks what it held.
//
// Signals come in on a stack of their own and jump back to the guarded call. The clock is CPU time, so that a busy
// machine does not cause time-outs; code that sleeps for ever is the supervisor's business (exec/worker.h). The
// rounding mode, the masks and the flags of SSE and x87 are as they were after each call.
#pragma once

#include "exec/outcome.h"

#include <cstdint>

namespace faultline::exec {

// Installs the handlers and starts the clock. Once a process.
void install_guard();

// A fault between these addresses is an overrun of the arguments.
void set_argument_guard(const void* low, const void* high);

// CPU seconds that one call may take.
void set_call_limit(double seconds);

// The hardware's sticky flags: invalid, (denormal,) divide-by-zero, overflow, underflow, (inexact).
inline constexpr uint32_t flag_invalid = 1, flag_divide_by_zero = 4, flag_overflow = 8, flag_underflow = 16;
inline constexpr uint32_t exception_flags = flag_invalid | flag_divide_by_zero | flag_overflow | flag_underflow;

struct GuardedResult {
  Outcome outcome = Outcome::returned;
  uint32_t flags = 0;               // the sticky exception flags of SSE and x87 that the call raised
  int error_number = 0;             // errno when the call ended; it was 0 before
  Ending ending;                    // of one that threw or exited, or needed what is not here
  const void* overrun_at = nullptr; // where an overrun went to
};

GuardedResult guarded_call(void (*function)(void*), void* argument);

// Ends the guarded call under way with this outcome. What abort(), exit() and a failed allocation of the target become.
[[noreturn]] void leave_call(Outcome outcome);

// While our own code runs inside a guarded call (a hook of lifted execution), a time-out must not jump out of it: it is
// carried out when the hook is left.
void enter_own_code();
void leave_own_code();

} // namespace faultline::exec
