// The functions of the C and C++ libraries that code under test must not have as they are: those that end the process,
// allocate, or keep state from call to call. The JIT resolves these names to our own versions.
#pragma once

#include "exec/heap.h"

#include <cstdint>
#include <string>
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

// Symbols that nobody defines: neither the program nor a library that code under test may use. Each gets a stretch of
// memory of its own that cannot be read, written or executed: a call of the function, or a touch of the variable,
// faults there, and the guard knows by the address what is missing. Until then the program runs as if all were there,
// and a function that is only pointed to does no harm. Rejected: stubs in the code, which cannot stand in for
// variables.
struct MissingSymbol {
  std::string symbol;
  bool is_function = true;
  uintptr_t begin = 0, end = 0;
};

// Where the symbol is from now on: the same place for all code of this process. `bytes`: of a variable, as far as its
// declaration tells. Throws std::runtime_error if there is no address space left.
void* place_of_missing(const std::string& symbol, bool is_function, uint64_t bytes);

// The one whose place the address lies in, or null. For signal handlers, too.
const MissingSymbol* missing_at(const void* address);

// All that were found missing so far.
std::vector<std::string> missing_symbols();

// The name as people write it: C++'s demangled, Fortran's without the underscore.
std::string shown_name(const MissingSymbol& missing);

} // namespace faultline::exec
