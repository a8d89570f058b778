// The one rounding that every operation ends with.
#pragma once

#include "solve/bits/bits_float.h"

namespace faultline::solve {

// A number before rounding: its significand's first bit has the weight of an exponent field in the target format. The
// first bit is 1 unless the field is 1 (which makes it a subnormal), or one of the special cases holds; the field may
// lie below 1 or beyond the largest. `sticky`: something nonzero follows the last bit.
struct Unrounded {
  Gate nan, infinite, zero, sign;
  Ranged exponent;
  Word significand;
  Gate sticky;
};

BitsFloat rounded(Gates& gates, const Unrounded& number, BinaryFormat format, const Extent& extent, Rounding rounding);

// Is the last bit that is kept to be increased? `guard` is the bit behind it, `sticky` says whether more follow.
Gate goes_up(Gates& gates, Rounding rounding, Gate sign, Gate last, Gate guard, Gate sticky);

} // namespace faultline::solve
