// Static constructors of a whole library: those of its other parts are none of a target's business. They would draw in
// all of the library, and the libraries that it is linked with, to compute a sine.
//
// A constructor matters if it can reach a variable of the program that the target, or a constructor that matters, can
// reach, too; or if it can change the floating-point environment. What it does inside of foreign libraries is not
// known, and does not count.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/Module.h>

namespace faultline::frontend {

// Takes the others off the module's lists of constructors and destructors.
void drop_needless_constructors(llvm::Module& module, llvm::ArrayRef<llvm::GlobalValue*> roots);

} // namespace faultline::frontend
