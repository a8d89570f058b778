// Calls of the compiler's library that are written out as arithmetic before anything is instrumented, since no record
// has room for their four operands: the division of complex numbers (__divdc3 and its kin, which a / b calls), cpow,
// and Fortran's complex ** integer with a constant exponent.
//
// The code under test runs what stands here, not the library's version: a division scaled by the exponent of the
// divisor, as C's Annex G shows it, and cpow(z, w) = cexp(w clog(z)), which is glibc's definition too. Results may
// differ from the library's in the last bits. Where a result is not a number, which is how infinities and zero divisors
// show, the library is asked.
#pragma once

#include "ops/op.h"

#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>
#include <optional>

namespace faultline::instrument {

void write_out_calls(llvm::Module& module);

// Fortran's matmul, a call of the runtime library, written out as loops: its sums are what cancels, and the library's
// work is invisible.
//
// The library's call stays, for it checks the shapes and allocates the result; the loops then compute the elements
// again, in place, in the library's order (each a sum over k, from 0 upwards), so that they get the same values.

// Of floats of one format; also of the transpose of the first factor. Others stay foreign calls.
void write_out_matmul(llvm::Module& module);

// Is there nothing of this call's work that its module does not do, too?
bool is_written_out(const llvm::CallBase& call);

// Calls that are operations, but not one with the call's arguments as its operands:
//
//   complex   a function of a complex number: one operation for each part of the result
//   scaled    the argument times a power of two that the machine found (significand, Fortran's fraction and
//             set_exponent): an ldexp, exact, and consistent with the machine's exponent
//   moved     the argument plus a step that the machine found (nextafter, Fortran's nearest): an addition that rounds
//             nothing, as wrong as the argument is
//   constant  a number that belongs to the format and not to the digits of the argument (Fortran's spacing): a leaf
enum class Composed { none, complex, scaled, moved, constant };
Composed composed(const llvm::CallBase& call);

// The operations of a complex function. Their operands are the real and the imaginary part of the argument, or the
// other way round.
struct ComplexParts {
  struct Half {
    ops::Op op = ops::Op::none; // of a real result's imaginary part
    bool swapped = false;
  };
  Half real, imaginary;
};
std::optional<ComplexParts> complex_parts(llvm::StringRef name);

} // namespace faultline::instrument
