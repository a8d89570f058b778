// A function as it can be written as FPCore: in one piece, with values instead of memory.
#pragma once

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <memory>
#include <string>

namespace faultline::frontend::fpcore {

struct Prepared {
  std::unique_ptr<llvm::LLVMContext> context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> module; // goes before its context does
  llvm::Function* function = nullptr;
};

// The bitcode has all that the function calls, as far as the program has it. Throws UserError.
Prepared read_module(const std::string& bitcode, const std::string& symbol);
void simplify(Prepared& prepared);

} // namespace faultline::frontend::fpcore
