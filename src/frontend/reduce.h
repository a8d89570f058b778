// Keeps what some roots reach and drops the rest of a module, reading lazily loaded functions only where they are
// needed.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/Module.h>

namespace faultline::frontend {

void keep_reachable(llvm::Module& module, llvm::ArrayRef<llvm::GlobalValue*> roots);

// Everything but the roots becomes private to the module, so that the instrumentation knows all callers.
void internalize(llvm::Module& module, llvm::ArrayRef<llvm::GlobalValue*> roots);

// The first use of a float format that is not supported, as text for the user; empty if there is none.
std::string unsupported_format(const llvm::Module& module);

} // namespace faultline::frontend
