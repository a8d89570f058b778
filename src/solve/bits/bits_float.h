// Floats made of gates, of any format.
//
// A float is kept unpacked, as its users want it: the exponent field (numeric/binary.h) as a number between bounds, 1
// for subnormals and zeros, and the significand with its leading bit, which is 0 in those alone. An infinity has the
// largest field and the significand of a power of two, so that magnitudes compare as (exponent, significand) without
// exceptions. Of a NaN nothing but `nan` means anything.
//
// Known bounds of a value (solve/bits/bits_float.h) come in as its Extent: cases that cannot occur have constant gates,
// and the exponent is as narrow as the extent.
#pragma once

#include "constraint/system.h"
#include "numeric/binary.h"
#include "solve/bits/words.h"

namespace faultline::solve {

// What is known of a term before its circuit is built, from interval propagation for instance.
//
// It must follow from the system: it holds of the term's value in every model. Circuits are built for such values only,
// and others are forbidden by clauses, so no model is lost and none is invented.

// A value between two, as numbers of BinaryFormat::order (both zeros have one), or NaN. low > high: a NaN, or nothing.
// Of a Boolean term: 0 and 1.
struct Known {
  numeric::Int128 low = 0, high = 0;
  bool nan = false;
};

constexpr Known anything(numeric::BinaryFormat format) { return {format.lowest(), format.highest(), true}; }

// Integers within bounds known beforehand: low plus an unsigned word that is just wide enough for high. Exponents are
// kept so: what is known of a value's size then makes every circuit that its exponent enters narrower, without a case
// distinction anywhere.
//
// The bounds hold for what the number stands for. Where it stands for nothing (the exponent of a NaN) the word is
// whatever it is.
struct Ranged {
  int low = 0, high = 0;
  Word word = {}; // of bit_count(high - low) bits
};

Ranged ranged(int value);
Ranged sum(Gates& gates, const Ranged& a, const Ranged& b);
Ranged difference(Gates& gates, const Ranged& a, const Ranged& b);
Ranged shifted(const Ranged& a, int constant);           // a + constant, free
Ranged plus(Gates& gates, const Ranged& a, Gate carry);  // a + carry
Ranged halved(Gates& gates, const Ranged& a, Gate& odd); // floor(a / 2)

// The same number with other bounds, within which it lies.
Ranged within(Gates& gates, const Ranged& a, int low, int high);
// max(a, bound), min(a, bound).
Ranged at_least(Gates& gates, const Ranged& a, int bound);
Ranged at_most(Gates& gates, const Ranged& a, int bound);
Ranged choose(Gates& gates, Gate condition, const Ranged& then, const Ranged& otherwise);

Gate less(Gates& gates, const Ranged& a, int bound);
Gate less(Gates& gates, const Ranged& a, const Ranged& b);
Gate equal(Gates& gates, const Ranged& a, const Ranged& b);

using numeric::BinaryFormat;
using numeric::Bits;
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
  // Bounds of BitsFloat::exponent.
  int low(BinaryFormat format) const;
  int high(BinaryFormat format) const;
};
Extent extent_of(const Known& known, BinaryFormat format);

constexpr int largest_field(BinaryFormat format) { return (1 << format.exponent_bits) - 1; }

BitsFloat constant(Bits bits, BinaryFormat format);
BitsFloat variable(Gates& gates, BinaryFormat format, const Known& known);

// Requires that the value keeps to the extent, and makes what follows from that constant.
BitsFloat narrowed(Gates& gates, BitsFloat value, const Extent& extent);

// The fraction with a leading one, exponents below 1 for subnormals. Zero looks like a small power of two.
struct Normalised {
  Ranged exponent;
  Word significand;
};
Normalised normalised(Gates& gates, const BitsFloat& value);

// Operations of one rounding each. The extent is the result's.
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
// op: one that rounds to an integer.
BitsFloat round_to_integer(Gates& gates, ops::Op op, const BitsFloat& a);
// IEEE 754's, which is exact: the quotient is computed bit by bit, so the circuit is as long as the exponents may be
// apart.
BitsFloat remainder(Gates& gates, const BitsFloat& a, const BitsFloat& b, const Extent& extent);

// Floats and words: the float that a word holds, the integer that it holds, rounded; and the word that holds an
// integer, 0 where the float is none, or none of the width.
BitsFloat float_of_pattern(Gates& gates, const Word& word, BinaryFormat format);
BitsFloat float_of_integer(Gates& gates, const Word& word, bool is_signed, BinaryFormat format, const Extent& extent,
                           Rounding rounding);
Word integer_of_float(Gates& gates, const BitsFloat& a, int width, bool is_signed);

// Exact ones.
BitsFloat negated(const BitsFloat& a);
BitsFloat absolute(const BitsFloat& a);
BitsFloat copy_sign(Gates& gates, const BitsFloat& a, const BitsFloat& b);
// fmin, fmax. Which zero is the smaller one is left open where the machine leaves it open.
BitsFloat minimum(Gates& gates, const BitsFloat& a, const BitsFloat& b);
BitsFloat maximum(Gates& gates, const BitsFloat& a, const BitsFloat& b);
BitsFloat choose(Gates& gates, Gate condition, const BitsFloat& then, const BitsFloat& otherwise);

// Relations.
Gate holds(Gates& gates, ops::Op comparison, const BitsFloat& a, const BitsFloat& b);
Gate same(Gates& gates, const BitsFloat& a, const BitsFloat& b);
Gate is(Gates& gates, constraint::Class tested, const BitsFloat& a);
Gate less_magnitude(Gates& gates, const BitsFloat& a, const BitsFloat& b);

// Over constants: the bits.
Bits bits_of(const BitsFloat& constant);

// The one rounding that every operation ends with.

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
