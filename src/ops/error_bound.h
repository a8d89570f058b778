// The error of a high-precision value: a running first-order error analysis in parallel with MPFR evaluation.
//
// Two precisions can agree on a wrong answer: 1 - cos(1e-100) is exactly 0 with 128 bits and with 256. So every value
// carries the exponent of its absolute error, and a result counts only if its error is far below its last required bit.
// Errors of operands pass through the derivatives of the table. Only the largest contribution is kept, not the sum; the
// margin that users of the bound leave covers the rest.
#pragma once

#include "ops/op.h"

#include <cstdint>
#include <mpfr.h>
#include <span>

namespace faultline::ops {

// The absolute error is below 2^exponent. `no_error` for exact values, `any_error` for unknown errors.
using ErrorExponent = int64_t;
inline constexpr ErrorExponent no_error = INT64_MIN / 4;
inline constexpr ErrorExponent any_error = INT64_MAX / 4;

struct Operand {
  mpfr_srcptr value = nullptr;
  ErrorExponent error = no_error;
};

// Returns the error of `result`, which was evaluated from the operands; `inexact` if that evaluation rounded.
ErrorExponent error_exponent(Op op, mpfr_srcptr result, bool inexact, std::span<const Operand> operands);

// Returns the number of correct leading bits of a value: large for exact values, 0 or less if there are none.
int64_t good_bits(mpfr_srcptr value, ErrorExponent error);

} // namespace faultline::ops
