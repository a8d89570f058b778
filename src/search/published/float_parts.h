// A value of a dimension as sign, exponent and significand, or as one string of bits: what the genetic algorithms
// work on. All from the order number, which is the magnitude's bits with the sign folded in (numeric/ordered.h).
#pragma once

#include "search/space.h"

namespace faultline::search {

struct Exponents {
  int first = 0, last = 0;
};

// As stored, biased: 0 for zero and subnormals.
int exponent_of(const Dimension& dimension, long double value);
bool is_negative(const Dimension& dimension, long double value);

// Those that values in the range have.
Exponents exponents_in_range(const Dimension& dimension);

// With this sign and exponent, the rest at random, in the range. Where the range has no such value, the sign gives way;
// the exponent is moved to the range's first or last.
long double random_significand(const Dimension& dimension, bool negative, int exponent, numeric::Rng& rng);

// The sign first, then the exponent, then the significand; of an integer, its distance from the low end.
numeric::Uint128 bits_of(const Dimension& dimension, long double value);
int bit_count(const Dimension& dimension);
// In the range: what lies beyond is mirrored at its ends.
long double value_of_bits(const Dimension& dimension, numeric::Uint128 bits);

} // namespace faultline::search
