// Products, quotients, square roots and conversions: operations on normalised significands.
#include "solve/bits/bits_round.h"

#include "solve/bits/products.h"

namespace faultline::solve {

BitsFloat multiply(Gates& gates, const BitsFloat& a, const BitsFloat& b, const Extent& extent, Rounding rounding) {
  const BinaryFormat format = a.format;
  const int precision = format.significand_bits;
  const Normalised x = normalised(gates, a), y = normalised(gates, b);
  // In [1, 4): the first bit or the second is 1. The bits behind the guard only matter together.
  const Word product = multiply(gates, x.significand, y.significand);
  const Gate first = product.back();
  const Word significand =
      choose(gates, first, slice(product, precision - 1, precision + 1), slice(product, precision - 2, precision + 1));
  const Gate rest = any(gates, slice(product, 0, precision - 2));
  const Gate sticky = gates.either(rest, gates.both(first, product[size_t(precision - 2)]));
  const Ranged exponent = plus(gates, shifted(sum(gates, x.exponent, y.exponent), -format.max_exponent()), first);
  const Gate infinite = gates.either(a.infinite, b.infinite), zero = gates.either(a.zero, b.zero);
  const Gate nan = gates.any({a.nan, b.nan, gates.both(infinite, zero)});
  return rounded(gates, {nan, infinite, zero, gates.differ(a.sign, b.sign), exponent, significand, sticky}, format,
                 extent, rounding);
}

BitsFloat divide(Gates& gates, const BitsFloat& a, const BitsFloat& b, const Extent& extent, Rounding rounding) {
  const BinaryFormat format = a.format;
  const int precision = format.significand_bits;
  const Normalised x = normalised(gates, a), y = normalised(gates, b);
  Ranged exponent = shifted(difference(gates, x.exponent, y.exponent), format.max_exponent());
  Word significand = x.significand;
  Gate sticky = false;
  const bool power_of_two = is_constant(y.significand) && value_of(y.significand) == format.smallest_normal();
  if (!power_of_two) {
    // The dividend is doubled if it is the smaller one, so that the quotient begins with a one.
    const Gate smaller = less(gates, x.significand, y.significand);
    const Word dividend =
        choose(gates, smaller, shifted_left(x.significand, precision + 1), shifted_left(x.significand, precision));
    significand = divide(gates, dividend, y.significand, precision + 1, sticky);
    exponent = shifted(plus(gates, exponent, !smaller), -1);
  }
  const Gate nan = gates.any({a.nan, b.nan, gates.both(a.zero, b.zero), gates.both(a.infinite, b.infinite)});
  const Gate infinite = gates.either(a.infinite, b.zero), zero = gates.either(a.zero, b.infinite);
  return rounded(gates, {nan, infinite, zero, gates.differ(a.sign, b.sign), exponent, significand, sticky}, format,
                 extent, rounding);
}

BitsFloat square_root(Gates& gates, const BitsFloat& a, const Extent& extent, Rounding rounding) {
  const BinaryFormat format = a.format;
  const int precision = format.significand_bits;
  const Normalised x = normalised(gates, a);
  Gate odd, sticky;
  const Ranged half = halved(gates, shifted(x.exponent, -format.max_exponent()), odd);
  const Word radicand =
      choose(gates, odd, shifted_left(x.significand, precision + 2), shifted_left(x.significand, precision + 1));
  const Word root = square_root(gates, slice(radicand, 0, 2 * precision + 2), sticky);
  const Gate nan = gates.either(a.nan, gates.both(a.sign, !a.zero));
  return rounded(gates, {nan, a.infinite, a.zero, a.sign, shifted(half, format.max_exponent()), root, sticky}, format,
                 extent, rounding);
}

BitsFloat convert(Gates& gates, const BitsFloat& a, BinaryFormat to, const Extent& extent, Rounding rounding) {
  const Normalised x = normalised(gates, a);
  const Ranged exponent = shifted(x.exponent, to.max_exponent() - a.format.max_exponent());
  return rounded(gates, {a.nan, a.infinite, a.zero, a.sign, exponent, x.significand, false}, to, extent, rounding);
}

} // namespace faultline::solve
