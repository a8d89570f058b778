// The comparisons of floats by which loops end: `while (fabs(dx) > 1e-15 * fabs(x))`, `if (term < eps) break;`.
#pragma once

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instruction.h>

namespace faultline::instrument {

// Those that a branch out of a loop hangs on, be it together with other conditions.
llvm::DenseSet<const llvm::Instruction*> loop_exits(llvm::Function& function);

} // namespace faultline::instrument
