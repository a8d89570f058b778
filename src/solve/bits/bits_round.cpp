#include "solve/bits/bits_round.h"

#include <algorithm>

namespace faultline::solve {
namespace {

// Requires what the extent says of a number that is not special, and forgets the rest of the range.
Ranged kept_within(Gates& gates, const Ranged& a, int low, int high, Gate special) {
  gates.require(gates.either(special, !less(gates, a, low)));
  gates.require(gates.either(special, less(gates, a, high + 1)));
  if (low <= a.low && a.high <= high)
    return a;
  const int new_low = std::max(low, a.low), new_high = std::min(high, a.high);
  return new_low > new_high ? ranged(low) : within(gates, a, new_low, new_high);
}

// A field below 1: the bits move right until it is 1.
void denormalise(Gates& gates, Ranged& exponent, Word& significand, Gate& sticky, int precision) {
  if (exponent.low >= 1)
    return;
  const Ranged below = at_least(gates, difference(gates, ranged(1), exponent), 0);
  const Ranged distance = at_most(gates, below, precision + 1);
  significand = shift_right(gates, significand, within(gates, distance, 0, distance.high).word, sticky);
  exponent = at_least(gates, exponent, 1);
}

// The first `precision` bits, rounded; a carry makes the exponent larger, and all that is left is the first bit.
Word round_up(Gates& gates, const Word& significand, Gate sticky, int precision, Ranged& exponent, Rounding rounding,
              Gate sign) {
  const int dropped = int(significand.size()) - precision;
  const Word kept = slice(significand, dropped, precision);
  const Gate guard = significand[size_t(dropped - 1)];
  const Gate rest = gates.either(sticky, any(gates, slice(significand, 0, dropped - 1)));
  const Gate up = goes_up(gates, rounding, sign, kept[0], guard, rest);
  Word sum = increment(gates, kept, up);
  const Gate carry = sum.back();
  sum.pop_back();
  sum.back() = gates.either(sum.back(), carry);
  exponent = plus(gates, exponent, carry);
  return sum;
}

// Does a number of this sign that is too large become the largest one, and not infinite?
Gate stays_finite(Rounding rounding, Gate sign) {
  switch (rounding) {
  case Rounding::nearest_even:
  case Rounding::nearest_away:
    return false;
  case Rounding::up:
    return sign;
  case Rounding::down:
    return !sign;
  case Rounding::to_zero:
    break;
  }
  return true;
}

} // namespace

Gate goes_up(Gates& gates, Rounding rounding, Gate sign, Gate last, Gate guard, Gate sticky) {
  switch (rounding) {
  case Rounding::nearest_even:
    return gates.both(guard, gates.either(last, sticky));
  case Rounding::nearest_away:
    return guard;
  case Rounding::up:
    return gates.both(!sign, gates.either(guard, sticky));
  case Rounding::down:
    return gates.both(sign, gates.either(guard, sticky));
  case Rounding::to_zero:
    break;
  }
  return false;
}

BitsFloat rounded(Gates& gates, const Unrounded& number, BinaryFormat format, const Extent& extent, Rounding rounding) {
  const int precision = format.significand_bits, largest = largest_field(format);
  const Gate special = gates.any({number.nan, number.infinite, number.zero});
  Ranged exponent = number.exponent;
  Word significand = number.significand;
  if (const int missing = precision + 1 - int(significand.size()); missing > 0) // the guard
    significand = shifted_left(significand, missing);
  Gate sticky = number.sticky;
  // One below the extent may still be rounded up into it.
  if (!extent.subnormal(format))
    exponent = kept_within(gates, exponent, extent.low(format) - 1, exponent.high, special);
  // A number beyond the largest may stay finite where rounding is not to nearest.
  if (!extent.infinite(format) && stays_finite(rounding, number.sign).is_false())
    exponent = kept_within(gates, exponent, exponent.low, extent.high(format), special);
  denormalise(gates, exponent, significand, sticky, precision);
  significand = round_up(gates, significand, sticky, precision, exponent, rounding, number.sign);

  const Gate overflow = !less(gates, exponent, largest);
  const Gate held = gates.both(overflow, stays_finite(rounding, number.sign));
  const Gate infinite = gates.either(number.infinite, gates.all({overflow, !number.zero, !held}));
  exponent = at_most(gates, exponent, largest);
  exponent = choose(gates, held, ranged(largest - 1), exponent);
  exponent = choose(gates, number.zero, ranged(1), choose(gates, infinite, ranged(largest), exponent));
  const Word ones(static_cast<size_t>(precision), true);
  significand = choose(gates, held, ones, significand);
  Word power_of_two(static_cast<size_t>(precision));
  power_of_two.back() = true;
  significand = masked(gates, choose(gates, infinite, power_of_two, significand), !number.zero);
  const Gate zero = !any(gates, significand);
  const BitsFloat result{format, number.nan, infinite, zero, number.sign, exponent, significand};
  return narrowed(gates, result, extent);
}

} // namespace faultline::solve
