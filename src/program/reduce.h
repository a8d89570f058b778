// The part of a module that some roots reach.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/Module.h>

namespace faultline::program {

// Moves everything that the roots reach, and the static constructors, to a new module in the same order. Lazily loaded
// functions are read as they are reached. The rest is not destroyed but cannot be used any more: destroying it would
// take longer than everything else, since in a large library it is nearly all of the memory, which a worker shares with
// its supervisor until it writes to it. Debug information moves along as far as functions refer to it.
std::unique_ptr<llvm::Module> take_reachable(llvm::Module& module, llvm::ArrayRef<llvm::GlobalValue*> roots);

// Makes everything except the roots private to the module, so that the instrumentation knows all callers.
void internalize(llvm::Module& module, llvm::ArrayRef<llvm::GlobalValue*> roots);

// Returns a message about the first use of an unsupported float format; empty if there is none.
std::string unsupported_format(const llvm::Module& module);

// Removes needless entries from the module's lists of constructors and destructors. Most static constructors of a
// library belong to parts that a target does not use. Running them would require all of the library, and the libraries
// that it links with, to compute a sine.
//
// A constructor matters if it can reach a variable of the program that a root, or a constructor that matters, can also
// reach, or if its source file has one of the targets. Effects inside external libraries are unknown and do not count.
// Calls restore the floating-point environment, so changes of it do not count either.
void drop_needless_constructors(llvm::Module& module, llvm::ArrayRef<llvm::GlobalValue*> roots,
                                llvm::ArrayRef<const llvm::Function*> targets);

// Removes the assembly between functions, unless the part that the roots reach contains assembly itself or needs a
// symbol whose name the text contains.
void drop_needless_assembly(llvm::Module& module, llvm::ArrayRef<llvm::GlobalValue*> roots);

} // namespace faultline::program
