// Floats from words, and words from floats.
#include "solve/bits/bits_round.h"
#include "solve/bits/bits_words.h"

#include <algorithm>

namespace faultline::solve {

BitsFloat float_of_pattern(Gates& gates, const Word& word, BinaryFormat format) {
  const Word fraction = slice(word, 0, format.fraction_bits());
  const Word field = slice(word, format.fraction_bits(), format.exponent_bits);
  const Gate full = gates.all(field), empty = !any(gates, fraction);
  BitsFloat value;
  value.format = format;
  value.nan = gates.both(full, !empty);
  value.infinite = gates.both(full, empty);
  value.sign = word.back();
  value.exponent = at_least(gates, {0, largest_field(format), field}, 1);
  value.significand = joined(fraction, {any(gates, field)});
  value.zero = !any(gates, value.significand);
  return value;
}

BitsFloat float_of_integer(Gates& gates, const Word& word, bool is_signed, BinaryFormat format, const Extent& extent,
                           Rounding rounding) {
  const int width = int(word.size());
  const Gate sign = is_signed ? word.back() : Gate(false);
  BitsFloat integer;
  integer.exponent = ranged(format.max_exponent() + width - 1);
  integer.significand = choose(gates, sign, negated(gates, word), word);
  const Gate zero = !any(gates, integer.significand);
  const Normalised number = normalised(gates, integer);
  return rounded(gates, {false, false, zero, sign, number.exponent, number.significand, false}, format, extent,
                 rounding);
}

// The significand, moved left by the exponent, has the integer in front of its fraction.
Word integer_of_float(Gates& gates, const BitsFloat& a, int width, bool is_signed) {
  const int fraction = a.format.fraction_bits();
  const Ranged exponent = shifted(a.exponent, -a.format.max_exponent());
  const Gate small = less(gates, exponent, 0), large = !less(gates, exponent, width);
  const Ranged count = at_most(gates, at_least(gates, exponent, 0), width);
  const Word wide = shift_left(gates, slice(a.significand, 0, width + fraction),
                               faultline::solve::within(gates, count, 0, std::max(count.high, 0)).word);
  const Word magnitude = slice(wide, fraction, width);
  const Gate broken = any(gates, slice(wide, 0, fraction));
  Gate misfit = a.sign; // a number below zero, where there is none
  if (is_signed) {
    const Gate lowest = gates.both(a.sign, !any(gates, slice(magnitude, 0, width - 1)));
    misfit = gates.both(magnitude.back(), !lowest);
  }
  const Gate none = gates.any({a.nan, a.infinite, small, large, broken, misfit});
  return masked(gates, choose(gates, a.sign, negated(gates, magnitude), magnitude), !none);
}

} // namespace faultline::solve
