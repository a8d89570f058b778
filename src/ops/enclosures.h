// Operations over ranges of operands: all values of an operation within a box, and all slopes, in both arithmetics
// (ops/formulas.h). T is numeric::Interval or numeric::Range.
//
// Where a result is unknown (a divisor that may be 0, a logarithm whose argument may be negative, an operation without
// formulas), it is not `known`.
#pragma once

#include "numeric/format.h"
#include "numeric/interval.h"
#include "numeric/range.h"
#include "ops/op.h"

#include <arb.h>

#include <array>

namespace faultline::ops {

// Returns Arb's function of the operation; null if Arb lacks it, or if the operation is arithmetic.
void (*ball_of(Op op))(arb_t result, const arb_t a, const arb_t b, slong precision);

// The operands that the operation takes; the others may be null.
template <class T> using OperandRanges = std::array<const T*, 3>;

// Returns the exact results. For operations that jump (floor, conversions to integers), these include everything
// between the results at the ends. `same`: the first two operands are one value.
template <class T> T range_of(Op op, const OperandRanges<T>& operands, bool same);

// Returns the slopes in each operand; at a kink (fabs, fmax), all slopes between those on both sides. `result` holds
// the results at these operands.
template <class T> std::array<T, 3> slopes_of(Op op, const OperandRanges<T>& operands, const T& result);

// False if no range of operands has known results or slopes.
bool has_formulas(Op op);

// Returns the error of the C library's function in units in the last place of the exact value. Those below 1 are the
// worst cases that the GNU C Library's sources state (2.36, sysdeps/ieee754/dbl-64, without fma: exp 0.511, exp2 0.511,
// log 0.520, log2 0.550, pow 0.54, sin and cos 0.548), rounded up. The others cover both its manual (2.36, "Known
// Maximum Errors in Math Functions", x86_64) and the largest errors that Gladman, Innocente, Mather and Zimmermann have
// found in it ("Accuracy of Mathematical Functions in Single, Double, Double Extended, and Quadruple Precision", 2024).
// Infinity if there is no such bound, as for Bessel's functions near their zeros. Those of tgamma and lgamma are for
// positive operands.
double libm_ulps(Op op, numeric::Format format);

} // namespace faultline::ops
