// What operations on words of bits mean: SMT-LIB's theory of bit-vectors, up to 128 bits.
#pragma once

#include "constraint/system.h"

namespace faultline::constraint {

constexpr Bits word_mask(int width) { return width >= most_word_bits ? ~Bits{0} : (Bits{1} << width) - 1; }

// `width` is the result's, `first` the first operand's; an extraction begins at bit `low`.
Bits apply(WordOp op, int width, int first, int low, Bits a, Bits b);
bool less(Bits a, Bits b, int width, bool is_signed);

} // namespace faultline::constraint
