// What code under test finds outside of itself: the C, C++ and Fortran libraries and those of references (MPFR, GMP).
// Faultline's other libraries are none of its business: a program's own `compress` that was left out is missing, and
// not zlib's.
#pragma once

#include <cstdint>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/Module.h>
#include <map>
#include <string>

namespace faultline::exec {

// Variables that a module declares and does not define, with their sizes in bytes; 0 where the declaration has none.
std::map<std::string, uint64_t> variables_outside(const llvm::Module& module);

// Lets the code use these libraries of the process.
void add_libraries(llvm::orc::LLJIT& jit);

// To be called last: what is nowhere is guarded (exec/symbols/missing_symbols.h). It is a function unless it is among
// these.
void add_missing_symbols(llvm::orc::LLJIT& jit, std::map<std::string, uint64_t> variables);

} // namespace faultline::exec
