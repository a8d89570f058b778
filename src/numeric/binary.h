// Binary floats of any size, as bit patterns: SMT-LIB's (_ FloatingPoint eb sb), or IEEE 754 section 3.4's interchange
// formats. Constraints use them because SMT-LIB files use all sizes, and because a format of 8 bits can be tested
// exhaustively.
//
// A value is a bit pattern of at most 128 bits: sign, exponent, fraction, with no integer bit. x87's extended format is
// (15, 64) here; the formats of programs convert without loss.
#pragma once

#include "numeric/bigfloat.h"
#include "numeric/format.h"

#include <optional>

namespace faultline::numeric {

using Bits = Uint128;

struct BinaryFormat {
  int exponent_bits = 11;
  int significand_bits = 53; // with the leading one

  bool operator==(const BinaryFormat&) const = default;

  static constexpr int least_exponent_bits = 2, most_exponent_bits = 15;
  static constexpr int least_significand_bits = 2, most_significand_bits = 113;
  constexpr bool valid() const {
    return exponent_bits >= least_exponent_bits && exponent_bits <= most_exponent_bits &&
           significand_bits >= least_significand_bits && significand_bits <= most_significand_bits;
  }

  constexpr int width() const { return exponent_bits + significand_bits; }
  constexpr int fraction_bits() const { return significand_bits - 1; }
  constexpr int max_exponent() const { return (1 << (exponent_bits - 1)) - 1; } // also the bias
  constexpr int min_exponent() const { return 1 - max_exponent(); }
  constexpr Layout layout() const { return {exponent_bits, fraction_bits(), false}; }

  constexpr Bits sign() const { return Bits{1} << (width() - 1); }
  constexpr Bits infinity() const { return ((Bits{1} << exponent_bits) - 1) << fraction_bits(); }
  constexpr Bits nan() const { return infinity() | Bits{1} << (fraction_bits() - 1); } // the canonical NaN
  constexpr Bits largest() const { return infinity() - 1; }
  constexpr Bits smallest_normal() const { return Bits{1} << fraction_bits(); }

  constexpr bool is_negative(Bits bits) const { return (bits & sign()) != 0; }
  constexpr Bits magnitude(Bits bits) const { return bits & (sign() - 1); }
  constexpr bool is_nan(Bits bits) const { return magnitude(bits) > infinity(); }
  constexpr bool is_infinite(Bits bits) const { return magnitude(bits) == infinity(); }
  constexpr bool is_zero(Bits bits) const { return magnitude(bits) == 0; }
  constexpr bool is_subnormal(Bits bits) const { return magnitude(bits) != 0 && magnitude(bits) < smallest_normal(); }
  constexpr bool is_normal(Bits bits) const {
    return magnitude(bits) >= smallest_normal() && magnitude(bits) < infinity();
  }

  // Numbers as in numeric/format.h: -0 is -1, +0 is 0. Not defined for NaN.
  constexpr Int128 order(Bits bits) const { return ordered_from_bits(bits, layout()); }
  constexpr Bits at(Int128 order) const { return bits_from_ordered(order, layout()); }
  constexpr Int128 highest() const { return Int128(infinity()); } // the order of +infinity
  constexpr Int128 lowest() const { return -highest() - 1; }      // of -infinity
};

inline constexpr BinaryFormat binary32{8, 24}, binary64{11, 53}, extended80{15, 64};
constexpr BinaryFormat binary_format(Format format) { return {info(format).exponent_bits(), info(format).precision}; }
constexpr std::optional<Format> machine_format(BinaryFormat binary) {
  for (const Format format : all_formats)
    if (binary_format(format) == binary)
      return format;
  return {};
}

// Rounds to the format in this direction, including subnormals, signed zeros and infinities. NaN becomes format.nan().
// Beyond the largest value the result is that value or infinity, depending on the direction.
Bits rounded_bits(mpfr_srcptr value, BinaryFormat format, Rounding rounding);
inline Bits nearest_bits(mpfr_srcptr value, BinaryFormat format) {
  return rounded_bits(value, format, Rounding::nearest_even);
}
// Exact if `value` has a precision of at least significand_bits.
void set_bits(mpfr_ptr value, Bits bits, BinaryFormat format);

// Converts between formats.
Bits converted(Bits bits, BinaryFormat from, BinaryFormat to, Rounding rounding = Rounding::nearest_even);

// Conversions from and to the machine's formats.
double double_of(Bits bits, BinaryFormat format);           // rounded where the format is larger
long double long_double_of(Bits bits, BinaryFormat format); // the same
Bits bits_of(double value);                                 // binary64
Bits bits_of(float value);                                  // binary32
Bits bits_of(double value, BinaryFormat format);            // rounded
Bits bits_of(long double value, BinaryFormat format);       // rounded

} // namespace faultline::numeric
