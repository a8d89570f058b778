// Rounding to integers: the fraction is shifted out, the rest rounded as the operation says, and shifted back.
#include "solve/bits/bits_round.h"

namespace faultline::solve {
namespace {

Rounding direction_of(ops::Op op) {
  switch (ops::rounding_of(op)) {
  case ops::Rounding::down:
    return Rounding::down;
  case ops::Rounding::up:
    return Rounding::up;
  case ops::Rounding::away:
    return Rounding::nearest_away;
  case ops::Rounding::toward_zero:
    return Rounding::to_zero;
  case ops::Rounding::to_even:
  case ops::Rounding::none:
    break;
  }
  return Rounding::nearest_even;
}

} // namespace

BitsFloat round_to_integer(Gates& gates, ops::Op op, const BitsFloat& a) {
  const BinaryFormat format = a.format;
  const int precision = format.significand_bits, bias = format.max_exponent(), largest = largest_field(format);
  // How many bits of the significand are fraction; all of them and one zero more where the magnitude is below 1/2.
  const Ranged missing = difference(gates, ranged(bias + precision - 1), a.exponent);
  const Ranged clamped = at_most(gates, at_least(gates, missing, 0), precision + 1);
  const Word fraction = within(gates, clamped, 0, clamped.high).word;
  Gate sticky = false;
  const Word moved = shift_right(gates, shifted_left(a.significand, 1), fraction, sticky);
  const Word integer = slice(moved, 1, precision);
  const Word sum = increment(gates, integer, goes_up(gates, direction_of(op), a.sign, integer[0], moved[0], sticky));
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
