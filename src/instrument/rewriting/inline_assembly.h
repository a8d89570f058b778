// Inline assembly that is one operation, or none: a square root or an absolute value by the processor's own
// instruction, as musl and others write them, in whose place comes the intrinsic, which is followed as any other; and
// assembly without text, a barrier to the optimiser (Eigen's), whose results are its operands. All other assembly is
// foreign code.
#pragma once

#include <llvm/IR/Function.h>

namespace faultline::instrument {

void write_assembly_plainly(llvm::Function& function);

} // namespace faultline::instrument
