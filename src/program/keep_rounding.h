// Roundings that a compiler would do itself: 5.0 / 9.0, sqrt(5.0), a loop over constants that is unrolled.
//
// The compiler replaces them by rounded numbers, which look like literals: the exact run would take them for exact. So
// the compiler runs with a plugin (keep_rounding_plugin.cpp) and emits constrained operations, which it does not fold
// while it parses. keep_rounding() writes them as plain operations before the first optimisation. It hides a constant
// from the optimiser where an operation could otherwise have constant operands only, and the initial values of tables
// and structs of numbers. release_constants() runs after the last optimisation. Operations whose result is exact (1.0
// / 2.0, sqrt(4.0)) fold as usual.
//
// Rejected: stopping the compiler after parsing and starting it again, which took twice as long for a small file;
// constrained operations in the optimiser, which then optimises next to nothing. Not kept: numbers of the source that
// approximate others (M_PI); what flang folds while it parses.
#pragma once

#include <llvm/IR/Module.h>

namespace faultline::program {

// Replaces constrained intrinsics by plain operations, except those that need another rounding mode than the current or
// the default one. Calls under test begin in the default mode, in which both are equal. Folds nothing.
void write_constrained_plainly(llvm::Function& function);

// A note of named_constants_plugin.cpp in the debug information of a variable: its initialiser rounds.
inline constexpr const char* rounded_initialiser = "faultline: rounded";
bool has_rounded_initialiser(const llvm::GlobalVariable& variable);

void keep_rounding(llvm::Module& module);     // of a module that has not been optimised
void release_constants(llvm::Module& module); // of an optimised module

} // namespace faultline::program
