// Assignments of whole arrays, y = x * x - 1, in Fortran: flang computes the right side into a temporary array and has
// its runtime library copy that. The library is not instrumented, so the data flow would end there.
//
// After every such call, the elements are copied once more, by an instruction that is instrumented. It changes no bit
// of memory. It is left out (its length is 0) if the elements are not floats, the two arrays have different types or
// shapes, are not contiguous or overlap, or an allocatable array was allocated anew: the right side may have been a
// part of the old one, which is gone.
#pragma once

#include <llvm/IR/Module.h>

namespace faultline::frontend {

void follow_array_assignments(llvm::Module& module);

} // namespace faultline::frontend
