// The names of the functions that are operations: those of libm in its three formats, and of Fortran's runtime library.
#pragma once

#include "ops/op.h"

#include <llvm/ADT/StringRef.h>

namespace faultline::instrument {

// The operation that a function is; `none` for all other names. Its arguments begin with the operands, but for jn and
// yn, whose order comes first.
ops::Op operation_named(llvm::StringRef name);

} // namespace faultline::instrument
