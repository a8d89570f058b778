// Which of LLVM's intrinsics are operations.
#pragma once

#include "ops/op.h"

#include <llvm/IR/Intrinsics.h>

namespace faultline::instrument {

// Op::none if it is none. Constrained comparisons are not in this list: their predicate is an argument.
ops::Op operation_of_intrinsic(llvm::Intrinsic::ID id);

} // namespace faultline::instrument
