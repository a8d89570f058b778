// Where an instruction stands in the user's source.
#pragma once

#include "runtime/site.h"

#include <llvm/IR/Instruction.h>

namespace faultline::instrument {

// Fills file, function, line and column. An instruction that the optimiser left without a location (hoisted out of a
// loop, say) takes that of its nearest user; code inlined from a system header that of the user's line it was inlined
// into.
void locate(const llvm::Instruction& instruction, runtime::Site& site);

} // namespace faultline::instrument
