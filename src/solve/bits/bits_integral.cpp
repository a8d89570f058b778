// Rounding to integers: the fraction is shifted out, the rest rounded as the operation says, and shifted back.
#include "solve/bits/bits_float.h"

namespace faultline::solve {
namespace {

using ops::Op;
using ops::Rounding;

Gate goes_up(Gates& gates, Rounding direction, Gate sign, Gate last, Gate guard, Gate sticky) {
  switch (direction) {
  case Rounding::down:
    return gates.both(sign, gates.either(guard, sticky));
  case Rounding::up:
    return gates.both(!sign, gates.either(guard, sticky));
  case Rounding::away:
    return guard;
  case Rounding::to_even:
    return gates.both(guard, gates.either(last, sticky));
  case Rounding::toward_zero:
  case Rounding::none:
    break;
  }
  return false;
}

} // namespace

BitsFloat round_to_integer(Gates& gates, Op op, const BitsFloat& a) {
  const BinaryFormat format = a.format;
  const int precision = format.significand_bits, bias = format.max_exponent(), largest = largest_field(format);
  // How many bits of the significand are fraction; all of them and one zero more where the magnitude is below 1/2.
  const Ranged missing = difference(gates, ranged(bias + precision - 1), a.exponent);
  const Ranged clamped = at_most(gates, at_least(gates, missing, 0), precision + 1);
  const Word fraction = within(gates, clamped, 0, clamped.high).word;
  Gate sticky = false;
  const Word moved = shift_right(gates, shifted_left(a.significand, 1), fraction, sticky);
  const Word integer = slice(moved, 1, precision);
  const Word sum =
      increment(gates, integer, goes_up(gates, ops::rounding_of(op), a.sign, integer[0], moved[0], sticky));
  Word back = shift_left(gates, sum, fraction);
  const Gate carry = back.back();
  back.pop_back();
  back.back() = gates.either(back.back(), carry);

  // Below 1 the result is 0 or 1.
  const Gate small = less(gates, a.exponent, bias);
  Word one(static_cast<size_t>(precision));
  one.back() = sum[0];
  BitsFloat result = a;
  result.significand = choose(gates, small, one, back);
  const Ranged exponent_of_small = choose(gates, sum[0], ranged(bias), ranged(1));
  result.exponent = choose(gates, small, exponent_of_small, plus(gates, a.exponent, carry));
  // The fields of infinities and of larger numbers have no fraction, so no carry leaves the largest field.
  if (result.exponent.high > largest)
    result.exponent = within(gates, result.exponent, result.exponent.low, largest);
  result.infinite = !less(gates, result.exponent, largest);
  result.zero = !any(gates, result.significand);
  return result;
}

} // namespace faultline::solve
