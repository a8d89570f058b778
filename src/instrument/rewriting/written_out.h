// Calls of the compiler's library that are written out as arithmetic before anything is instrumented, since no record
// has room for their four operands: the division of complex numbers (__divdc3 and its kin, which a / b calls), cpow,
// and Fortran's complex ** integer with a constant exponent.
//
// The code under test runs what stands here, not the library's version: a division scaled by the exponent of the
// divisor, as C's Annex G shows it, and cpow(z, w) = cexp(w clog(z)), which is glibc's definition too. Results may
// differ from the library's in the last bits. Where a result is not a number, which is how infinities and zero divisors
// show, the library is asked.
#pragma once

#include <llvm/IR/Module.h>

namespace faultline::instrument {

void write_out_calls(llvm::Module& module);

} // namespace faultline::instrument
