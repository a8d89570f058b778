// The one rounding that every operation ends with: to nearest, ties to even.
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

BitsFloat rounded(Gates& gates, const Unrounded& number, BinaryFormat format, const Extent& extent);

} // namespace faultline::solve
