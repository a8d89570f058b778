// Fortran's matmul, a call of the runtime library, written out as loops: its sums are what cancels, and the library's
// work is invisible.
//
// The library's call stays, for it checks the shapes and allocates the result; the loops then compute the elements
// again, in place, in the library's order (each a sum over k, from 0 upwards), so that they get the same values.
#pragma once

#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

namespace faultline::instrument {

// Of floats of one format; also of the transpose of the first factor. Others stay foreign calls.
void write_out_matmul(llvm::Module& module);

// Is there nothing of this call's work that its module does not do, too?
bool is_written_out(const llvm::CallBase& call);

} // namespace faultline::instrument
