// Discovery: the inputs and outputs of a function from its debug information.
//
// (A) float, double and long double by value: inputs.         (B) integers by value: inputs over a small range.
// (A') reference to const scalar: as the scalar.
// (C) pointer to const scalar, or to a scalar the function only reads: an array, needs a size.
// (D) pointer to a scalar: an output; with a size, an array that is read and written.
// (E) pointer to a struct: its float fields are outputs; if const, all its scalar fields are inputs.
// (F) Fortran scalars by reference: inputs where only read, outputs where only written, else both.
// (G) Fortran arrays of explicit shape: as (D), with constant bounds known; assumed shape needs a harness.
// (H) return: a float, a struct of floats (by value or through a hidden pointer), or an integer (kept, not judged).
// Everything else makes the function unsuitable, and the reason says what to do.
#pragma once

#include "frontend/target.h"

#include <llvm/IR/Function.h>

namespace faultline::frontend {

Target discover(const llvm::Function& function, const Sizes& sizes);

} // namespace faultline::frontend
