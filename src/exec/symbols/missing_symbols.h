// Symbols that nobody defines: neither the program nor a library that code under test may use. Each gets a stretch of
// memory of its own that cannot be read, written or executed: a call of the function, or a touch of the variable,
// faults there, and the guard knows by the address what is missing. Until then the program runs as if all were there,
// and a function that is only pointed to does no harm. Rejected: stubs in the code, which cannot stand in for
// variables.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace faultline::exec {

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
