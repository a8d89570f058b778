// Operations in any of IEEE 754's five rounding directions, exact by MPFR: what `rounded` terms mean.
#pragma once

#include "constraint/system.h"

namespace faultline::constraint {

// + - * / fma sqrt of floats of one format, and conversions (fptrunc), which alone have another one for the result.
Bits apply_rounded(ops::Op op, numeric::Rounding rounding, BinaryFormat from, BinaryFormat to, Bits a, Bits b = 0,
                   Bits c = 0);

// An integer that a word holds, as a float.
Bits rounded_integer(Bits word, int width, bool is_signed, BinaryFormat format, numeric::Rounding rounding);

// The word that holds the integer; 0 if the float is no integer, or none that the word can hold.
Bits integer_in_word(Bits value, BinaryFormat format, int width, bool is_signed);

} // namespace faultline::constraint
