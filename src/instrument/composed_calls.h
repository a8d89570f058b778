// Calls that are operations, but not one with the call's arguments as its operands:
//
//   complex   a function of a complex number: one operation for each part of the result
//   scaled    the argument times a power of two that the machine found (significand, Fortran's fraction and
//             set_exponent): an ldexp, exact, and consistent with the machine's exponent
//   moved     the argument plus a step that the machine found (nextafter, Fortran's nearest): an addition that rounds
//             nothing, as wrong as the argument is
//   constant  a number that belongs to the format and not to the digits of the argument (Fortran's spacing): a leaf
#pragma once

#include "ops/op.h"

#include <llvm/IR/InstrTypes.h>
#include <optional>

namespace faultline::instrument {

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
