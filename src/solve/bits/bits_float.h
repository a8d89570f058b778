// Floats of any format made of gates.
//
// A float is unpacked: the exponent field (numeric/binary.h) is a number between bounds, 1 for subnormals and zeros,
// and the significand includes its leading bit, which is 0 only for these. An infinity has the largest field and the
// significand of a power of two, so magnitudes compare as (exponent, significand) without special cases. For a NaN only
// `nan` has a meaning.
//
// Known bounds of a value become its Extent: impossible cases have constant gates, and the exponent is as narrow as the
// extent.
#pragma once

#include "numeric/binary.h"
#include "solve/bits/words.h"
#include "solve/solver.h"

namespace faultline::solve {

// The bounds of a term before its circuit is built, for instance from interval propagation.
//
// They must follow from the system, so that they hold in every model. Circuits handle only values within the bounds,
// and clauses exclude all others, so no model is lost or added.

// A value between two numbers of BinaryFormat::order (both zeros are equal), or NaN. low > high: only NaN, or nothing.
// For a Boolean term: 0 and 1.
struct Known {
  numeric::Int128 low = 0, high = 0;
  bool nan = false;
};

constexpr Known anything(BinaryFormat format) { return {format.lowest(), format.highest(), true}; }

// An integer with known bounds: low plus an unsigned word just wide enough for high. Exponents use this form: known
// bounds then make all circuits with the exponent narrower, without case distinctions.
// distinction anywhere.
// The bounds hold only where the number has a meaning. Otherwise (the exponent of a NaN) the word is arbitrary.
// whatever it is.
struct Ranged {
  int low = 0, high = 0;
  Word word = {}; // of bit_count(high - low) bits
};

Ranged ranged(int value);
Ranged sum(Gates& gates, const Ranged& a, const Ranged& b);
Ranged difference(Gates& gates, const Ranged& a, const Ranged& b);
Ranged shifted(const Ranged& a, int constant);           // a + constant, without gates
Ranged plus(Gates& gates, const Ranged& a, Gate carry);  // a + carry
Ranged halved(Gates& gates, const Ranged& a, Gate& odd); // floor(a / 2)

// The same number with other bounds, which must contain it.
Ranged within(Gates& gates, const Ranged& a, int low, int high);
// max(a, bound), min(a, bound).
Ranged at_least(Gates& gates, const Ranged& a, int bound);
Ranged at_most(Gates& gates, const Ranged& a, int bound);
Ranged choose(Gates& gates, Gate condition, const Ranged& then, const Ranged& otherwise);

Gate less(Gates& gates, const Ranged& a, int bound);
Gate less(Gates& gates, const Ranged& a, const Ranged& b);
Gate equal(Gates& gates, const Ranged& a, const Ranged& b);

using numeric::Rounding;

struct BitsFloat {
  BinaryFormat format;
  Gate nan, infinite, zero, sign;
  Ranged exponent;
  Word significand; // of format.significand_bits
};

// Known bounds as bounds of sign and magnitude.
struct Extent {
  bool nan = true, negative = true, positive = true;
  Bits least = 0, most = 0; // magnitudes
  Known known = {};

  bool subnormal(BinaryFormat format) const { return least < format.smallest_normal(); } // or zero
  bool infinite(BinaryFormat format) const { return most == format.infinity(); }
  // The bounds of BitsFloat::exponent.
  int low(BinaryFormat format) const;
  int high(BinaryFormat format) const;
};
Extent extent_of(const Known& known, BinaryFormat format);

constexpr int largest_field(BinaryFormat format) { return (1 << format.exponent_bits) - 1; }

BitsFloat constant(Bits bits, BinaryFormat format);
BitsFloat variable(Gates& gates, BinaryFormat format, const Known& known);

// Requires that the value is within the extent, and replaces implied gates by constants.
BitsFloat narrowed(Gates& gates, BitsFloat value, const Extent& extent);

// A significand with a leading one; subnormals have exponents below 1. Zero looks like a small power of two.
struct Normalised {
  Ranged exponent;
  Word significand;
};
Normalised normalised(Gates& gates, const BitsFloat& value);

// Operations with one rounding. The extent is the result's.
BitsFloat add(Gates& gates, const BitsFloat& a, const BitsFloat& b, const Extent& extent,
              Rounding rounding = Rounding::nearest_even);
BitsFloat multiply(Gates& gates, const BitsFloat& a, const BitsFloat& b, const Extent& extent,
                   Rounding rounding = Rounding::nearest_even);
BitsFloat divide(Gates& gates, const BitsFloat& a, const BitsFloat& b, const Extent& extent,
                 Rounding rounding = Rounding::nearest_even);
BitsFloat fma(Gates& gates, const BitsFloat& a, const BitsFloat& b, const BitsFloat& c, const Extent& extent,
              Rounding rounding = Rounding::nearest_even);
BitsFloat square_root(Gates& gates, const BitsFloat& a, const Extent& extent,
                      Rounding rounding = Rounding::nearest_even);
BitsFloat convert(Gates& gates, const BitsFloat& a, BinaryFormat to, const Extent& extent,
                  Rounding rounding = Rounding::nearest_even);
// `op`: an operation that rounds to an integer.
BitsFloat round_to_integer(Gates& gates, Op op, const BitsFloat& a);
// IEEE 754's remainder, which is exact. The quotient is computed bit by bit, so the length of the circuit is the
// largest distance of the exponents.
BitsFloat remainder(Gates& gates, const BitsFloat& a, const BitsFloat& b, const Extent& extent);

// Conversions between floats and words: the float that a word encodes; the integer in a word, rounded; and the word
// with the value of a float, 0 if it is not an integer or does not fit.
BitsFloat float_of_pattern(Gates& gates, const Word& word, BinaryFormat format);
BitsFloat float_of_integer(Gates& gates, const Word& word, bool is_signed, BinaryFormat format, const Extent& extent,
                           Rounding rounding);
Word integer_of_float(Gates& gates, const BitsFloat& a, int width, bool is_signed);

// Exact operations.
BitsFloat negated(const BitsFloat& a);
BitsFloat absolute(const BitsFloat& a);
BitsFloat copy_sign(Gates& gates, const BitsFloat& a, const BitsFloat& b);
// fmin and fmax. The choice between zeros is open where the machine leaves it open.
BitsFloat minimum(Gates& gates, const BitsFloat& a, const BitsFloat& b);
BitsFloat maximum(Gates& gates, const BitsFloat& a, const BitsFloat& b);
BitsFloat choose(Gates& gates, Gate condition, const BitsFloat& then, const BitsFloat& otherwise);

// Comparisons.
Gate holds(Gates& gates, Op comparison, const BitsFloat& a, const BitsFloat& b);
Gate same(Gates& gates, const BitsFloat& a, const BitsFloat& b);
Gate is(Gates& gates, Class tested, const BitsFloat& a);
Gate less_magnitude(Gates& gates, const BitsFloat& a, const BitsFloat& b);

// The bits of a constant.
Bits bits_of(const BitsFloat& constant);

// The rounding at the end of every operation.

// A number before rounding. The first bit of its significand has the weight of an exponent field in the target format.
// The first bit is 1 unless the field is 1 (a subnormal) or a special case holds. The field may be below 1 or above the
// largest. `sticky`: a nonzero bit follows the last one.
struct Unrounded {
  Gate nan, infinite, zero, sign;
  Ranged exponent;
  Word significand;
  Gate sticky;
};

BitsFloat rounded(Gates& gates, const Unrounded& number, BinaryFormat format, const Extent& extent, Rounding rounding);

} // namespace faultline::solve
