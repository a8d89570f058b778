// Filtering by ULP-max (Marre and Michel 2010; FPSE, "Filtering by ULP-Maximum"): a small result bounds operands whose
// own domains do not.
//
// A large x has coarse neighbours, so x + y can be a small number other than zero only if that number is a coarse
// multiple: if 2^E <= |x| < 2^(E+1), the floats x, y and x (+) y of precision p make x (+) y a multiple of 2^(E-p). (Is
// |y| >= 2^(E-1), then both terms are such multiples; else the sum is above 2^(E-1), where floats are.) So with 2^q the
// coarsest power of two that divides some result z, z not zero, |x| < 2^(q+p+1). If x lies in the last of these
// binades, y lies below 2^(q+p), else the sum would be a multiple of 2^(q+1); so |x| <= 2^(q+p) - 2^q + |x + y|, and |x
// + y| is below the successor of the largest |z|. The slides' alpha and beta are lost; this is what they say.
//
// For products and quotients the bounds are those of the smallest and the largest float: |x| <= |z| / smallest, and |x|
// <= |z| * largest.
#pragma once

#include "solve/interval/projection.h"

namespace faultline::solve {

// Narrows the operands of a sum, difference, product or quotient whose result is a number and not zero.
void filter_by_ulp_max(ops::Op op, constraint::BinaryFormat format, Scope& scope);

} // namespace faultline::solve
