// Units in the last place, and the error of a computed value against a reference.
//
// Definition. ulp(x) is the spacing of the format's values at x: 2^(e - p + 1) for 2^e <= |x| < 2^(e+1), at a power of
// two the spacing above it, and for zero and subnormal x the smallest subnormal. A correctly rounded result is
// therefore at most half an ulp (of its exact value) from it.
//
// Computed values are carried as Value, which holds those of each format exactly. References are BigFloats:
// they are rounded nowhere, and differences are taken exactly before they become a double.
//
// Special values, for every measure of error:
//   both NaN, or infinities of the same sign                     -> 0
//   exactly one NaN, exactly one infinite, opposite infinities   -> infinity
// so an error is never NaN and can be compared and sorted.
#pragma once

#include "numeric/bigfloat.h"
#include "numeric/format.h"

namespace faultline::numeric {

// x need not be a value of the format. The exponent of ulp(x): ulp is a power of two.
int ulp_exponent(Value x, Format format);
Value ulp(Value x, Format format); // infinity for infinities, NaN for NaN

// The smallest normal number: below it there are fewer digits, by design.
Value smallest_normal(Format format);
Value largest(Format format);

// |computed - reference|.
double absolute_error(Value computed, const BigFloat& reference);

// |computed - reference| / |reference|; infinity if only the reference is zero, 0 if both are.
double relative_error(Value computed, const BigFloat& reference);

// |computed - reference| / ulp(reference).
double ulp_error(Value computed, const BigFloat& reference, Format format);

// log2(1 + ulps): roughly, how many of the trailing bits are wrong.
double bits_of_error(double ulps);

} // namespace faultline::numeric
