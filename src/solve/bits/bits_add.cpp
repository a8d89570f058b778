// Sums. The term of smaller magnitude is moved to the exponent of the larger one, with two bits more and whether
// anything nonzero was lost; after that the sum's first bit is moved to the front. Both shifts are as long as the
// bounds of the exponents allow.
#include "solve/bits/bits_round.h"

#include "solve/bits/products.h"

#include <algorithm>

namespace faultline::solve {
namespace {

constexpr int extra_bits = 3; // guard, round, sticky: enough for one correct rounding

// Exponents need not belong to the format; significands have the same width. A term that is zero may have any exponent.
struct Part {
  Gate sign, zero;
  Ranged exponent;
  Word significand;
};

struct Ordered {
  Part large, small;
};

Ordered ordered(Gates& gates, const Part& a, const Part& b) {
  const int low = std::min(a.exponent.low, b.exponent.low), high = std::max(a.exponent.high, b.exponent.high);
  const auto word = [&](const Part& part) {
    return joined(part.significand, within(gates, part.exponent, low, high).word);
  };
  const Gate less_than = less(gates, word(a), word(b));
  const Gate swap = gates.both(!b.zero, gates.either(a.zero, less_than));
  const auto pick = [&](Gate second) {
    return Part{gates.choose(second, b.sign, a.sign), gates.choose(second, b.zero, a.zero),
                choose(gates, second, b.exponent, a.exponent), choose(gates, second, b.significand, a.significand)};
  };
  Ordered parts{pick(swap), pick(!swap)};
  if (a.zero.is_false() && b.zero.is_false()) {
    parts.large.exponent = within(gates, parts.large.exponent, std::max(a.exponent.low, b.exponent.low), high);
    parts.small.exponent = within(gates, parts.small.exponent, low, std::min(a.exponent.high, b.exponent.high));
  }
  return parts;
}

// The smaller term under the larger, `extra_bits` wider.
Word aligned(Gates& gates, const Ordered& parts) {
  const int width = int(parts.small.significand.size());
  Ranged distance = difference(gates, parts.large.exponent, parts.small.exponent);
  // The smaller one's exponent is not larger, unless that one is zero: then nothing is shifted, wherever to.
  distance = within(gates, distance, std::max(distance.low, 0), std::max(distance.high, 0));
  distance = at_most(gates, distance, width + extra_bits - 1);
  Gate sticky = false;
  const Word wide = shifted_left(parts.small.significand, extra_bits - 1);
  const Word moved = shift_right(gates, wide, within(gates, distance, 0, distance.high).word, sticky);
  return joined({sticky}, moved);
}

// a - distance if `yes`, which implies that it stays at or above `floor`.
Ranged reduced(Gates& gates, const Ranged& a, Gate yes, int stage, int floor) {
  const int distance = 1 << stage, low = std::max(a.low - distance, std::min(floor, a.low));
  if (low == a.low - distance)
    return sum(gates, a, {-distance, 0, shifted_left({!yes}, stage)});
  const Ranged wide = within(gates, a, low, a.high);
  return {low, a.high, subtract(gates, wide.word, shifted_left({yes}, stage), int(wide.word.size()))};
}

// Moves the first one to the front, by at most `most`, and not below the exponent `floor`.
void bring_forward(Gates& gates, Word& word, Ranged& exponent, int most, int floor) {
  const int width = int(word.size());
  for (int stage = bit_count(Uint128(std::min(most, width - 1))) - 1; stage >= 0; --stage) {
    const int distance = 1 << stage;
    const Gate empty = !any(gates, slice(word, width - distance, distance));
    const Gate yes = gates.both(empty, !less(gates, exponent, floor + distance));
    word = choose(gates, yes, slice(shifted_left(word, distance), 0, width), word);
    exponent = reduced(gates, exponent, yes, stage, floor);
  }
}

// How far the first one of a sum can lie behind the place of a carry.
int most_cancelled(const Part& a, const Part& b, Gate subtracted, const Ranged& exponent, int lowest_result,
                   int width) {
  const int distance = std::max(a.exponent.low - b.exponent.high, b.exponent.low - a.exponent.high);
  if (subtracted.is_false())
    return 1;
  if (distance >= 2 && a.significand.back().is_true() && b.significand.back().is_true())
    return 2;
  return std::clamp(exponent.high - lowest_result, 0, width);
}

struct Cases {
  Gate nan, infinite, infinite_sign;
};

// `floor`: no exponent below it is wanted.
BitsFloat rounded_sum(Gates& gates, const Part& a, const Part& b, const Cases& cases, int floor, BinaryFormat format,
                      const Extent& extent, Rounding rounding) {
  const Gate subtracted = gates.differ(a.sign, b.sign);
  const Ordered parts = ordered(gates, a, b);
  const Word large = shifted_left(parts.large.significand, extra_bits);
  Word small = aligned(gates, parts);
  for (Gate& gate : small)
    gate = gates.differ(gate, subtracted);
  Word total = add(gates, large, small, subtracted);
  total.back() = gates.both(total.back(), !subtracted);
  const Gate zero = !any(gates, total);
  Ranged exponent = shifted(parts.large.exponent, 1);
  const int lowest = extent.subnormal(format) ? std::min(floor, exponent.low) : extent.low(format) - 1;
  bring_forward(gates, total, exponent, most_cancelled(a, b, subtracted, exponent, lowest, int(total.size())), floor);
  // The sign of a sum that is exactly zero goes by the direction.
  const Gate finite_sign = gates.choose(gates.both(zero, subtracted), rounding == Rounding::down, parts.large.sign);
  const Gate sign = gates.choose(cases.infinite, cases.infinite_sign, finite_sign);
  const Gate finite_zero = gates.both(zero, !cases.infinite);
  return rounded(gates, {cases.nan, cases.infinite, finite_zero, sign, exponent, total, false}, format, extent,
                 rounding);
}

} // namespace

BitsFloat add(Gates& gates, const BitsFloat& a, const BitsFloat& b, const Extent& extent, Rounding rounding) {
  const Gate opposite = gates.all({a.infinite, b.infinite, gates.differ(a.sign, b.sign)});
  const Cases cases{gates.any({a.nan, b.nan, opposite}), gates.either(a.infinite, b.infinite),
                    gates.choose(a.infinite, a.sign, b.sign)};
  // A zero has the smallest exponent and significand, so it needs no mention.
  return rounded_sum(gates, {a.sign, false, a.exponent, a.significand}, {b.sign, false, b.exponent, b.significand},
                     cases, 1, a.format, extent, rounding);
}

BitsFloat fma(Gates& gates, const BitsFloat& a, const BitsFloat& b, const BitsFloat& c, const Extent& extent,
              Rounding rounding) {
  const BinaryFormat format = a.format;
  const int precision = format.significand_bits;
  const Normalised x = normalised(gates, a), y = normalised(gates, b), z = normalised(gates, c);
  const Word product = multiply(gates, x.significand, y.significand);
  const Gate carry = product.back();
  const Gate sign = gates.differ(a.sign, b.sign), zero = gates.either(a.zero, b.zero);
  const Part left{
      sign, zero, plus(gates, shifted(sum(gates, x.exponent, y.exponent), -format.max_exponent()), carry),
      masked(gates, choose(gates, carry, product, slice(shifted_left(product, 1), 0, 2 * precision)), !zero)};
  const Part right{c.sign, c.zero, z.exponent, masked(gates, shifted_left(z.significand, precision), !c.zero)};
  const Gate product_infinite = gates.either(a.infinite, b.infinite);
  const Gate undefined = gates.either(gates.both(a.infinite, b.zero), gates.both(a.zero, b.infinite));
  const Gate opposite = gates.all({product_infinite, c.infinite, gates.differ(sign, c.sign)});
  const Cases cases{gates.any({a.nan, b.nan, c.nan, undefined, opposite}), gates.either(product_infinite, c.infinite),
                    gates.choose(product_infinite, sign, c.sign)};
  const int lowest = std::min(left.exponent.low, right.exponent.low) - 2 * precision - extra_bits;
  return rounded_sum(gates, left, right, cases, lowest, format, extent, rounding);
}

} // namespace faultline::solve
