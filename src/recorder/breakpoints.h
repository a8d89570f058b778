// Breakpoints at the entries of functions, in the process itself: a program that is recorded needs no special
// compilation, and code that is not called costs nothing. The first byte of a function is int3; the handler of SIGTRAP
// notes the arguments, has the first instruction carried out (by itself where it is one of the usual ones, otherwise
// by a single step), and puts the breakpoint back. A call by another thread in between is missed, which does no harm.
//
// The handler allocates nothing and takes no lock that it would wait for.
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
  std::atomic<bool> busy = false;  // somebody is noting a call
  std::atomic<uint32_t> calls = 0; // in this window (recorder/breakpoints.h)
  uint64_t random = 0;
  FunctionSeen* seen = nullptr;
};

// False if the handler cannot be installed. Measures what a call costs.
bool start_breakpoints();

// Takes them over, sorted by their addresses, for good, and sets them. False if the code cannot be written.
bool set_breakpoints(Breakpoint* first, uint32_t count);

// The child of a fork has a timer of its own, and nobody else's calls under way.
void continue_in_child();

// What the program wants done with traps of its own, as sigaction tells it (Fortran's runtime handles all signals of
// this kind). They are handed on; ours it never sees.
void take_other_traps(const struct sigaction* action, struct sigaction* old);

} // namespace faultline::recorder
