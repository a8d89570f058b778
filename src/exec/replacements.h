// The functions of the C and C++ libraries that code under test must not have as they are: those that end the process,
// allocate, or keep state from call to call. The JIT resolves these names to our own versions.
#pragma once

#include "exec/heap.h"

#include <vector>

namespace faultline::exec {

struct Replacement {
  const char* name;
  void* address;
};

// Those that end the process. Code that is trusted with its own memory (a reference) gets these alone.
std::vector<Replacement> ending_replacements();

// All of them. The heap that the replaced allocation functions use; out of memory ends the guarded call.
std::vector<Replacement> replacements(Heap& heap);

// Brings the replaced functions' state (random numbers, errno) back to the start.
void reset_replacements();

// Did the code under test ask where errno is since then? It must, to set or to read it. What it never asked for, libm
// has set.
bool errno_was_used();

} // namespace faultline::exec
