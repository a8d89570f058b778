// Inline assembly that is one operation: a square root or an absolute value by the processor's own instruction, as musl
// and others write them. In its place comes the intrinsic, which is followed as any other; all other assembly is
// foreign code.
#pragma once

#include <llvm/IR/Function.h>

namespace faultline::instrument {

void write_assembly_plainly(llvm::Function& function);

} // namespace faultline::instrument
