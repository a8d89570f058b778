// Calls of libm whose arguments are constants: sqrt(5.0), log(2.0).
//
// The optimiser replaces them by rounded numbers, which cannot be told apart from literals: the exact run would take
// them for exact. So the calls are marked before optimisation, and stay. Calls whose result needs no rounding
// (sqrt(4.0), pow(2.0, 10)) are left to the optimiser, as are those in initialisers of variables, which run before
// everything else.
//
// The compiler does this as its first optimisation step (constant_calls_plugin.cpp): stopping it after parsing,
// marking, and starting it again took twice as long for a small file.
//
// Rejected: -frounding-math, which also keeps them but turns all arithmetic into other instructions; -fno-builtin,
// which hides sqrt(x) from the optimiser. Not detected: numbers of the source that approximate others (M_PI), calls
// that get their constants by inlining (std::sqrt(5.0f)), and what flang folds while it parses.
#pragma once

#include <llvm/IR/Module.h>

namespace faultline::frontend {

// Marks the calls in a module that has not been optimised; true if there were any.
bool keep_constant_calls(llvm::Module& module);

} // namespace faultline::frontend
