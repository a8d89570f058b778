// Breakpoints at the entries of functions, set by the process itself: a recorded program needs no special compilation,
// and code that is not called costs nothing. The first byte of a function is replaced by int3. The handler of SIGTRAP
// notes the arguments, executes the first instruction (by emulation if it is a common one, otherwise by a single step),
// and restores the breakpoint. It misses calls by other threads in between, which does no harm.
//
// The handler allocates nothing and never waits for a lock.
#pragma once

#include "recorder/signatures.h"

#include <atomic>
#include <csignal>
#include <cstdint>

namespace faultline::recorder {

struct Breakpoint {
  uint8_t* address = nullptr;
  const ArgumentPlace* arguments = nullptr;
  uint32_t argument_count = 0;
  uint8_t first_byte = 0;
  std::atomic<bool> armed = false;
  std::atomic<bool> busy = false;  // a call is being noted
  std::atomic<uint32_t> calls = 0; // in this window (recorder/breakpoints.h)
  uint64_t random = 0;
  FunctionSeen* seen = nullptr;
};

// Returns false if the handler cannot be installed. Measures the cost of a call.
bool start_breakpoints();

// Takes permanent ownership of the breakpoints, sorted by address, and sets them. Returns false if the code cannot be
// written.
bool set_breakpoints(Breakpoint* first, uint32_t count);

// Called in the child of a fork: sets up a timer, and clears calls that other threads of the parent were noting.
void continue_in_child();

// Sets the program's own action for SIGTRAP, as in sigaction (Fortran's runtime handles all signals of this kind). Its
// traps are forwarded; it never sees ours.
void take_other_traps(const struct sigaction* action, struct sigaction* old);

} // namespace faultline::recorder
