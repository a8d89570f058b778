// The literals of SMT-LIB that are no floats but become floats: reals and bit-vectors.
//
// A real is kept as a fraction and rounded once, when it is converted: 0.1 has no float, and a rounding in between
// could move a value onto the midpoint of two floats.
#pragma once

#include "numeric/binary.h"

#include <cstdint>
#include <gmpxx.h>
#include <optional>
#include <string_view>

namespace faultline::constraint {

using numeric::BinaryFormat;
using numeric::Bits;

using Rational = mpq_class;

// Of at most this many digits; and a quotient's parts have at most this many bits together. Beyond that a script could
// square a number with every line.
inline constexpr size_t most_digits = 20'000;
inline constexpr size_t most_rational_bits = 200'000;

Rational rational(std::string_view text); // 12 or 1.5
size_t bits_needed(const Rational& value);

// A negative number that rounds to zero gives -0, as the machine does; zero itself gives +0.
Bits rounded_bits(const Rational& value, BinaryFormat format, numeric::Rounding rounding);
inline Bits nearest_bits(const Rational& value, BinaryFormat format) {
  return rounded_bits(value, format, numeric::Rounding::nearest_even);
}

struct BitVector {
  int width = 0; // at most most_width
  Bits bits = 0;

  bool operator==(const BitVector&) const = default;
  static constexpr int most_width = 128;
};

// Nothing if the literal is wider than most_width.
std::optional<BitVector> binary_literal(std::string_view digits);
std::optional<BitVector> hexadecimal_literal(std::string_view digits);
// (_ bvN width): also nothing if N needs more bits.
std::optional<BitVector> numbered_literal(std::string_view number, int width);

} // namespace faultline::constraint
