// Calls of libm whose arguments are constants: sqrt(5.0), log(2.0).
//
// The optimiser puts a number in their place, rounded, and from then on nobody can tell it from a number that was meant
// as it stands: the exact run would take it for exact. So the calls are marked before anything is optimised, and stay.
// Those whose result needs no rounding (sqrt(4.0), pow(2.0, 10)) are left to the optimiser, and so are those in the
// initialisers of variables, which run before everything else.
//
// The compiler does it itself, as the first step of optimising (constant_calls_plugin.cpp): to stop it after parsing,
// mark, and start it again took twice as long for a small file.
//
// Rejected: -frounding-math, which keeps them too, but turns all arithmetic into other instructions; -fno-builtin,
// which keeps the optimiser from knowing sqrt(x) at all. Not seen: numbers of the source that stand for others (M_PI),
// calls that get their constants by inlining (std::sqrt(5.0f)), and what flang folds while it parses.
#pragma once

#include <llvm/IR/Module.h>

namespace faultline::frontend {

// Of a module that has not been optimised. Were there any?
bool keep_constant_calls(llvm::Module& module);

} // namespace faultline::frontend
