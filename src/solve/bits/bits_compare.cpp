// Comparisons of floats, and operations that select an operand.
#include "ops/op.h"
#include "solve/bits/bits_float.h"
#include "solve/bits/words.h"

#include <algorithm>

namespace faultline::solve {

namespace {

Gate less(Gates& gates, const BitsFloat& a, const BitsFloat& b) {
  const Gate across = gates.all({a.sign, !b.sign, !gates.both(a.zero, b.zero)});
  const Gate above = gates.all({!a.sign, !b.sign, less_magnitude(gates, a, b)});
  const Gate below = gates.all({a.sign, b.sign, less_magnitude(gates, b, a)});
  return gates.any({across, above, below});
}

Gate equal_magnitude(Gates& gates, const BitsFloat& a, const BitsFloat& b) {
  return gates.both(equal(gates, a.exponent, b.exponent), equal(gates, a.significand, b.significand));
}

Gate equal(Gates& gates, const BitsFloat& a, const BitsFloat& b) {
  const Gate signs = gates.either(gates.equal(a.sign, b.sign), gates.both(a.zero, b.zero));
  return gates.both(signs, equal_magnitude(gates, a, b));
}

// For operands that are not NaN.
Gate holds_of_numbers(Gates& gates, Op comparison, const BitsFloat& a, const BitsFloat& b) {
  const bool below = ops::holds(comparison, ops::trait::less), above = ops::holds(comparison, ops::trait::greater),
             same = ops::holds(comparison, ops::trait::equal);
  if (below == above && below == same) // cmp_ord, cmp_uno
    return same;
  if (below == above)
    return same ? equal(gates, a, b) : !equal(gates, a, b);
  if (same)
    return below ? !less(gates, b, a) : !less(gates, a, b);
  return below ? less(gates, a, b) : less(gates, b, a);
}

bool of_the_machine(BinaryFormat format) {
  return format == numeric::binary32 || format == numeric::binary64 || format == numeric::extended80;
}

// Returns the first operand if `first`; a NaN loses. For zeros of different sign, the sign is `zero_sign` or a new
// gate.
BitsFloat selected(Gates& gates, Gate first, const BitsFloat& a, const BitsFloat& b, bool zero_sign) {
  BitsFloat result = choose(gates, gates.either(b.nan, gates.both(!a.nan, first)), a, b);
  const Gate zeros = gates.all({a.zero, b.zero, !a.nan, !b.nan, gates.differ(a.sign, b.sign)});
  if (!zeros.is_false())
    result.sign = gates.choose(zeros, of_the_machine(a.format) ? gates.input() : Gate(zero_sign), result.sign);
  return result;
}

} // namespace

Gate holds(Gates& gates, Op comparison, const BitsFloat& a, const BitsFloat& b) {
  const Gate unordered = gates.either(a.nan, b.nan), relation = holds_of_numbers(gates, comparison, a, b);
  return is_unordered(comparison) ? gates.either(unordered, relation) : gates.both(!unordered, relation);
}

Gate same(Gates& gates, const BitsFloat& a, const BitsFloat& b) {
  const Gate numbers = gates.both(gates.equal(a.sign, b.sign), equal_magnitude(gates, a, b));
  return gates.choose(a.nan, b.nan, gates.both(!b.nan, numbers));
}

Gate is(Gates& gates, Class tested, const BitsFloat& a) {
  const Gate leading = a.significand.back();
  switch (tested) {
  case Class::normal:
    return gates.all({!a.nan, !a.infinite, leading});
  case Class::subnormal:
    return gates.all({!a.nan, !leading, !a.zero});
  case Class::zero:
    return gates.both(!a.nan, a.zero);
  case Class::infinite:
    return gates.both(!a.nan, a.infinite);
  case Class::nan:
    return a.nan;
  case Class::negative:
    return gates.both(!a.nan, a.sign);
  case Class::positive:
    break;
  }
  return gates.both(!a.nan, !a.sign);
}

BitsFloat negated(const BitsFloat& a) {
  BitsFloat result = a;
  result.sign = !a.sign;
  return result;
}

BitsFloat absolute(const BitsFloat& a) {
  BitsFloat result = a;
  result.sign = false;
  return result;
}

// The NaN is positive.
BitsFloat copy_sign(Gates& gates, const BitsFloat& a, const BitsFloat& b) {
  BitsFloat result = a;
  result.sign = gates.both(b.sign, !b.nan);
  return result;
}

BitsFloat minimum(Gates& gates, const BitsFloat& a, const BitsFloat& b) {
  return selected(gates, less(gates, a, b), a, b, true);
}

BitsFloat maximum(Gates& gates, const BitsFloat& a, const BitsFloat& b) {
  return selected(gates, less(gates, b, a), a, b, false);
}

BitsFloat choose(Gates& gates, Gate condition, const BitsFloat& then, const BitsFloat& otherwise) {
  if (condition.constant())
    return condition.is_true() ? then : otherwise;
  return {then.format,
          gates.choose(condition, then.nan, otherwise.nan),
          gates.choose(condition, then.infinite, otherwise.infinite),
          gates.choose(condition, then.zero, otherwise.zero),
          gates.choose(condition, then.sign, otherwise.sign),
          choose(gates, condition, then.exponent, otherwise.exponent),
          choose(gates, condition, then.significand, otherwise.significand)};
}

// Conversions between floats and words.

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

// Shifts the significand left by the exponent, so that the integer precedes the fraction.
Word integer_of_float(Gates& gates, const BitsFloat& a, int width, bool is_signed) {
  const int fraction = a.format.fraction_bits();
  const Ranged exponent = shifted(a.exponent, -a.format.max_exponent());
  const Gate small = less(gates, exponent, 0), large = !less(gates, exponent, width);
  const Ranged count = at_most(gates, at_least(gates, exponent, 0), width);
  const Word wide = shift_left(gates, slice(a.significand, 0, width + fraction),
                               faultline::solve::within(gates, count, 0, std::max(count.high, 0)).word);
  const Word magnitude = slice(wide, fraction, width);
  const Gate broken = any(gates, slice(wide, 0, fraction));
  Gate misfit = a.sign; // a negative number for an unsigned word
  if (is_signed) {
    const Gate lowest = gates.both(a.sign, !any(gates, slice(magnitude, 0, width - 1)));
    misfit = gates.both(magnitude.back(), !lowest);
  }
  const Gate none = gates.any({a.nan, a.infinite, small, large, broken, misfit});
  return masked(gates, choose(gates, a.sign, negated(gates, magnitude), magnitude), !none);
}

// IEEE 754's remainder: a - n * b, where n is the integer nearest to a / b, ties to even.
//
// Long division, from the largest distance of the exponents down to one bit after the binary point: doubles the rest of
// a, and subtracts b where possible. Of the quotient, only the parity of its last bit is kept. The result is then
// rounded to nearest: if the rest is more than half of b, or is half and the quotient is odd, b is subtracted once
// more.

BitsFloat remainder(Gates& gates, const BitsFloat& a, const BitsFloat& b, const Extent& extent) {
  const BinaryFormat format = a.format;
  const int precision = format.significand_bits;
  const Normalised x = normalised(gates, a), y = normalised(gates, b);
  const Ranged distance = difference(gates, x.exponent, y.exponent);
  // If a's exponent is lower by two or more, a is less than half of b, and the quotient is 0.
  const Gate below = less(gates, distance, -1), behind = less(gates, distance, 0);
  Word rest = x.significand; // below 2 b, in units of b's last place
  rest.push_back(false);
  Gate odd = false;
  for (int step = std::max(distance.high, 0); step >= 0; --step) {
    const Gate now = !less(gates, distance, step); // this place belongs to the quotient
    const Gate fits = gates.both(now, !less(gates, rest, y.significand));
    const Word taken = choose(gates, fits, subtract(gates, rest, y.significand, precision + 1), rest);
    odd = gates.choose(now, fits, odd);
    rest = taken;
    if (step > 0) // doubled for the next place, unless this is the first
      rest = choose(gates, now, slice(shifted_left(rest, 1), 0, precision + 1), rest);
  }
  // In units of half of b's last place: for the distance -1 this is a itself, else the doubled rest.
  Word twice = choose(gates, behind, joined(x.significand, {false, false}), shifted_left(rest, 1));
  const Word divisor = shifted_left(y.significand, 1);
  const Word doubled = shifted_left(twice, 1);
  const Gate more = less(gates, divisor, doubled), half = equal(gates, divisor, doubled);
  const Gate again = gates.both(!below, gates.either(more, gates.both(half, odd)));
  const Word over = subtract(gates, divisor, twice, precision + 2);
  const Word left = choose(gates, again, over, slice(twice, 0, precision + 2));

  BitsFloat number;
  number.exponent = shifted(y.exponent, 1); // of the first of precision + 2 bits; the last has the weight 1/2
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
