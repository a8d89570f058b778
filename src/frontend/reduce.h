// The part of a module that some roots reach.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/Module.h>

namespace faultline::frontend {

// Moves what the roots reach, and the static constructors, to a module of its own, in the same order; functions that
// are loaded lazily are read as they are reached. What stays behind is not destroyed, which would take longer than all
// the rest: of a large library it is nearly everything, in memory that a worker shares with its supervisor until it
// writes to it. It is of no further use. Debug information comes along as far as functions refer to it.
std::unique_ptr<llvm::Module> take_reachable(llvm::Module& module, llvm::ArrayRef<llvm::GlobalValue*> roots);

// Everything but the roots becomes private to the module, so that the instrumentation knows all callers.
void internalize(llvm::Module& module, llvm::ArrayRef<llvm::GlobalValue*> roots);

// The first use of a float format that is not supported, as text for the user; empty if there is none.
std::string unsupported_format(const llvm::Module& module);

// Static constructors of a whole library: those of its other parts are none of a target's business. They would draw in
// all of the library, and the libraries that it is linked with, to compute a sine.
//
// A constructor matters if it can reach a variable of the program that the target, or a constructor that matters, can
// reach, too; or if it can change the floating-point environment. What it does inside of foreign libraries is not
// known, and does not count.

// Takes the others off the module's lists of constructors and destructors.
void drop_needless_constructors(llvm::Module& module, llvm::ArrayRef<llvm::GlobalValue*> roots);

} // namespace faultline::frontend
