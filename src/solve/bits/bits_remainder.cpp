// IEEE 754's remainder: a - n * b, n the integer nearest to a / b, ties to even.
//
// The division on paper, from the largest distance of the exponents down to one bit behind the point: what is left of a
// is doubled, and b subtracted where it fits. Only whether the quotient's last bit is odd is kept of it. Then what is
// left is rounded to nearest: if it is more than half of b, or half and the quotient odd, b is subtracted once more.
#include "solve/bits/bits_round.h"

#include <algorithm>

namespace faultline::solve {

BitsFloat remainder(Gates& gates, const BitsFloat& a, const BitsFloat& b, const Extent& extent) {
  const BinaryFormat format = a.format;
  const int precision = format.significand_bits;
  const Normalised x = normalised(gates, a), y = normalised(gates, b);
  const Ranged distance = difference(gates, x.exponent, y.exponent);
  // Where a's exponent is lower by two or more, a is less than half of b: the quotient is 0.
  const Gate below = less(gates, distance, -1), behind = less(gates, distance, 0);
  Word rest = x.significand; // below 2 b, in units of b's last place
  rest.push_back(false);
  Gate odd = false;
  for (int step = std::max(distance.high, 0); step >= 0; --step) {
    const Gate now = !less(gates, distance, step); // this place is one of the quotient's
    const Gate fits = gates.both(now, !less(gates, rest, y.significand));
    const Word taken = choose(gates, fits, subtract(gates, rest, y.significand, precision + 1), rest);
    odd = gates.choose(now, fits, odd);
    rest = taken;
    if (step > 0) // doubled for the next place, if there was one before
      rest = choose(gates, now, slice(shifted_left(rest, 1), 0, precision + 1), rest);
  }
  // In units of half of b's last place: with the distance -1 that is a itself, else what is left is doubled.
  Word twice = choose(gates, behind, joined(x.significand, {false, false}), shifted_left(rest, 1));
  const Word divisor = shifted_left(y.significand, 1);
  const Word doubled = shifted_left(twice, 1);
  const Gate more = less(gates, divisor, doubled), half = equal(gates, divisor, doubled);
  const Gate again = gates.both(!below, gates.either(more, gates.both(half, odd)));
  const Word over = subtract(gates, divisor, twice, precision + 2);
  const Word left = choose(gates, again, over, slice(twice, 0, precision + 2));

  BitsFloat number;
  number.exponent = shifted(y.exponent, 1); // of the first of precision + 2 bits, the last of which is worth half
  number.significand = left;
  const Gate zero = gates.either(a.zero, !any(gates, left));
  const Normalised result = normalised(gates, number);
  const Gate same = gates.any({below, b.infinite, a.zero}); // a itself
  const Gate nan = gates.any({a.nan, b.nan, a.infinite, b.zero});
  const Gate sign = gates.differ(a.sign, gates.both(again, !zero));
  const Extent any_extent = extent_of(anything(format), format);
  const BitsFloat computed = rounded(gates, {nan, false, zero, sign, result.exponent, result.significand, false},
                                     format, any_extent, Rounding::nearest_even);
  BitsFloat chosen = choose(gates, same, a, computed);
  chosen.nan = nan;
  return narrowed(gates, chosen, extent);
}

} // namespace faultline::solve
