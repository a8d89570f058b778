// Operations over ranges of operands: all values that each has within a box, and all slopes, in either of the two
// arithmetics (ops/formulas.h). T is numeric::Interval or numeric::Range.
//
// Where nothing can be said (a divisor that may be 0, a logarithm that may be of a negative number, an operation
// without formulas), the result is not `known`.
#pragma once

#include "numeric/format.h"
#include "numeric/interval.h"
#include "numeric/range.h"
#include "ops/op.h"

#include <array>

namespace faultline::ops {

// As many as the operation takes; the others may be null.
template <class T>
using OperandRanges = std::array<const T*, 3>;

// The exact results. Of operations that jump (floor, conversions to integers): all between those of the ends. `same`:
// the first two operands are one value.
template <class T>
T range_of(Op op, const OperandRanges<T>& operands, bool same);

// In each operand; where there is a kink (fabs, fmax), all slopes between those on its sides. `result` holds the
// results at these operands.
template <class T>
std::array<T, 3> slopes_of(Op op, const OperandRanges<T>& operands, const T& result);

// How far the function of the C library may be from the exact value, in units in the last place of it: whole units that
// cover both the GNU C Library's manual (2.36, "Known Maximum Errors in Math Functions", x86_64) and the largest errors
// that Gladman, Innocente, Mather and Zimmermann have found in it ("Accuracy of Mathematical Functions in Single,
// Double, Double Extended, and Quadruple Precision", 2024). Infinity if there is no such bound, as for lgamma and
// Bessel's functions near their zeros.
double libm_ulps(Op op, numeric::Format format);

} // namespace faultline::ops
