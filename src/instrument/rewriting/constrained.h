// Code that was compiled to be safe with any rounding mode (-frounding-math, -ffp-model=strict) computes by constrained
// intrinsics. Calls under test begin in the default mode, where these are the plain operations.
#pragma once

#include <llvm/IR/Function.h>

namespace faultline::instrument {

// Writes plain operations in their place. Those that ask for another rounding mode than the current or the default one
// stay.
void write_constrained_plainly(llvm::Function& function);

} // namespace faultline::instrument
