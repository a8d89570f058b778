// Writes out calls of the compiler's library as arithmetic before instrumentation, because no record has room for their
// four operands: the division of complex numbers (__divdc3 and similar functions, which a / b calls), cpow, and
// Fortran's complex ** integer with a constant exponent.
//
// The code under test runs this arithmetic instead of the library's: a division scaled by the exponent of the divisor,
// as in C's Annex G, and cpow(z, w) = cexp(w clog(z)), which is also glibc's definition. Results may differ from the
// library's in the last bits. If a result is not a number, as for infinities and zero divisors, the library is called.
#pragma once

#include "ops/op.h"

#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>
#include <optional>

namespace faultline::instrument {

void write_out_calls(llvm::Module& module);

// Fortran's matmul, a call of the runtime library, is written out as loops: cancellation happens in its sums, and the
// library's work is invisible.
//
// The library's call remains, because it checks the shapes and allocates the result. The loops then recompute the
// elements in place, in the library's order (each a sum over k, from 0 upwards), so that they get the same values.

// Supports floats of one format, and the transpose of the first factor. Other calls remain foreign.
void write_out_matmul(llvm::Module& module);

// True if the module itself does all the work of this call.
bool is_written_out(const llvm::CallBase& call);

// Calls that are operations, but with operands other than the call's arguments:
//
//   complex   a function of a complex number: one operation for each part of the result
//   scaled    the argument times a power of two that the machine found (significand, Fortran's fraction and
//             set_exponent): an ldexp, exact, and consistent with the machine's exponent
//   moved     the argument plus a step that the machine found (nextafter, Fortran's nearest): an addition without
//             rounding, as inaccurate as the argument
//   constant  a number that belongs to the format and not to the digits of the argument (Fortran's spacing): a leaf
enum class Composed { none, complex, scaled, moved, constant };
Composed composed(const llvm::CallBase& call);

// The operations of a complex function. Their operands are the real and the imaginary part of the argument, in this or
// the reverse order.
struct ComplexParts {
  struct Half {
    ops::Op op = ops::Op::none; // of a real result's imaginary part
    bool swapped = false;
  };
  Half real, imaginary;
};
std::optional<ComplexParts> complex_parts(llvm::StringRef name);

} // namespace faultline::instrument
