// Replacements for functions of the C and C++ libraries that end the process, allocate, or keep state between calls.
// The JIT resolves these names to our versions.
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

// void(uint64_t mark): ends a run at a check of a memory access that failed (program/bounds_check.h).
inline constexpr const char* out_of_bounds_symbol = "faultline_out_of_bounds";

// The functions that end the process. Code that manages its own memory (a reference) gets only these.
std::vector<Replacement> ending_replacements();

// All replacements. Allocation functions use `heap`; running out of memory ends the guarded call.
std::vector<Replacement> replacements(Heap& heap);

// Resets the state of the replaced functions (random numbers, errno).
void reset_replacements();

// True if the code under test has used errno since then. Code must call a function to set or read errno; without such a
// call, libm set it.
bool errno_was_used();

// Missing symbols: those that neither the program nor a usable library defines. Each gets an inaccessible memory
// region. A call of the function or an access to the variable faults there, and the guard finds the symbol by its
// address. Until then the program runs as if the symbol existed, and a pointer to it is harmless. Rejected: stubs in
// the code, which cannot replace variables.
struct MissingSymbol {
  std::string symbol;
  bool is_function = true;
  uintptr_t begin = 0, end = 0;
};

// Returns the address of the symbol for all code of this process. `bytes` is the size of a variable, if its declaration
// has one. Throws std::runtime_error if no address space is left.
void* place_of_missing(const std::string& symbol, bool is_function, uint64_t bytes);

// The symbol whose region contains the address, or null. Safe in signal handlers.
const MissingSymbol* missing_at(const void* address);

// All missing symbols found so far.
std::vector<std::string> missing_symbols();

// The name for users: C++ names demangled, Fortran names without the underscore.
std::string shown_name(const MissingSymbol& missing);

} // namespace faultline::exec
