// The driver: `void faultline_driver(ptr block)`, which calls the target with arguments from the argument block and
// leaves its results there. It is instrumented like everything else, so inputs enter the tape and outputs leave it as
// ordinary loads and stores of the block.
#pragma once

#include "frontend/target.h"

#include <llvm/IR/Function.h>

namespace faultline::frontend {

llvm::Function* add_driver(llvm::Function& function, const Target& target, llvm::StringRef name);

} // namespace faultline::frontend
