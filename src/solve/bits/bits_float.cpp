#include "solve/bits/bits_float.h"

#include <algorithm>

namespace faultline::solve {

namespace {

// Requires the extent's bounds on a finite number, and drops the rest of the range.
Ranged kept_within(Gates& gates, const Ranged& a, int low, int high, Gate special) {
  gates.require(gates.either(special, !less(gates, a, low)));
  gates.require(gates.either(special, less(gates, a, high + 1)));
  if (low <= a.low && a.high <= high)
    return a;
  const int new_low = std::max(low, a.low), new_high = std::min(high, a.high);
  return new_low > new_high ? ranged(low) : within(gates, a, new_low, new_high);
}

// For a field below 1: shifts the significand right until the field is 1.
void denormalise(Gates& gates, Ranged& exponent, Word& significand, Gate& sticky, int precision) {
  if (exponent.low >= 1)
    return;
  const Ranged below = at_least(gates, difference(gates, ranged(1), exponent), 0);
  const Ranged distance = at_most(gates, below, precision + 1);
  significand = shift_right(gates, significand, within(gates, distance, 0, distance.high).word, sticky);
  exponent = at_least(gates, exponent, 1);
}

// True if rounding increases the last bit that is kept. `guard` is the next bit; `sticky` is true if a later bit is
// nonzero.
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

// Rounds to the first `precision` bits. A carry increases the exponent and leaves only the leading bit.
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

// True if a number of this sign that is too large becomes the largest float instead of infinity.
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

int width_of(int low, int high) { return bit_count(Uint128(high - low)); }

// Gives both the same low end.
std::pair<Word, Word> aligned(Gates& gates, const Ranged& a, const Ranged& b) {
  const int low = std::min(a.low, b.low), high = std::max(a.high, b.high);
  return {within(gates, a, low, high).word, within(gates, b, low, high).word};
}

int field(Bits magnitude, BinaryFormat format) { return int(magnitude >> format.fraction_bits()); }

// Returns (significand, exponent) as one word that increases with the magnitude.
Word magnitude_word(Gates& gates, const BitsFloat& value, int low, int high) {
  return joined(value.significand, within(gates, value.exponent, low, high).word);
}

// Requires low <= value <= high, unless NaN.
void require_bounds(Gates& gates, const BitsFloat& value, const Known& known) {
  const BinaryFormat format = value.format;
  // True if the magnitude is at most, or at least, that of a bound.
  const auto up_to = [&](numeric::Int128 order) {
    return !less_magnitude(gates, constant(format.magnitude(format.at(order)), format), value);
  };
  const auto from = [&](numeric::Int128 order) {
    return !less_magnitude(gates, value, constant(format.magnitude(format.at(order)), format));
  };
  if (known.low > format.lowest()) {
    const Gate above =
        known.low >= 0 ? gates.both(!value.sign, from(known.low)) : gates.either(!value.sign, up_to(known.low));
    gates.require(gates.either(value.nan, above));
  }
  if (known.high < format.highest()) {
    const Gate below =
        known.high < 0 ? gates.both(value.sign, from(known.high)) : gates.either(value.sign, up_to(known.high));
    gates.require(gates.either(value.nan, below));
  }
}

} // namespace

BitsFloat rounded(Gates& gates, const Unrounded& number, BinaryFormat format, const Extent& extent, Rounding rounding) {
  const int precision = format.significand_bits, largest = largest_field(format);
  const Gate special = gates.any({number.nan, number.infinite, number.zero});
  Ranged exponent = number.exponent;
  Word significand = number.significand;
  if (const int missing = precision + 1 - int(significand.size()); missing > 0) // the guard
    significand = shifted_left(significand, missing);
  Gate sticky = number.sticky;
  // A number just below the extent may be rounded up into it.
  if (!extent.subnormal(format))
    exponent = kept_within(gates, exponent, extent.low(format) - 1, exponent.high, special);
  // In directed modes a number beyond the largest may remain finite.
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

Ranged ranged(int value) { return {value, value, {}}; }

Ranged sum(Gates& gates, const Ranged& a, const Ranged& b) {
  const int low = a.low + b.low, high = a.high + b.high;
  return {low, high, slice(add(gates, a.word, b.word), 0, width_of(low, high))};
}

// The word of b counted downwards from its high end gives an addition.
Ranged difference(Gates& gates, const Ranged& a, const Ranged& b) {
  const int span = b.high - b.low;
  const Word down = subtract(gates, word_of(Uint128(span), width_of(0, span)), b.word, width_of(0, span));
  return sum(gates, a, {-b.high, -b.low, down});
}

Ranged shifted(const Ranged& a, int constant) { return {a.low + constant, a.high + constant, a.word}; }

Ranged plus(Gates& gates, const Ranged& a, Gate carry) {
  if (carry.is_false())
    return a;
  return {a.low, a.high + 1, slice(increment(gates, a.word, carry), 0, width_of(a.low, a.high + 1))};
}

Ranged halved(Gates& gates, const Ranged& a, Gate& odd) {
  const bool low_odd = a.low & 1;
  const Ranged even = low_odd ? within(gates, a, a.low - 1, a.high) : a;
  odd = even.word.empty() ? Gate(false) : even.word[0];
  const int low = even.low >> 1, high = even.high >> 1;
  return {low, high, slice(even.word, 1, width_of(low, high))};
}

Ranged within(Gates& gates, const Ranged& a, int low, int high) {
  const int width = width_of(low, high);
  if (low == a.low)
    return {low, high, slice(a.word, 0, width)};
  if (low < a.low)
    return {low, high, slice(add(gates, a.word, word_of(Uint128(a.low - low), width)), 0, width)};
  return {low, high, subtract(gates, a.word, word_of(Uint128(low - a.low), width), width)};
}

Ranged at_least(Gates& gates, const Ranged& a, int bound) {
  if (a.low >= bound)
    return a;
  if (a.high <= bound)
    return ranged(bound);
  const Ranged rest = within(gates, a, bound, a.high);
  return {bound, a.high, masked(gates, rest.word, !less(gates, a, bound))};
}

Ranged at_most(Gates& gates, const Ranged& a, int bound) {
  if (a.high <= bound)
    return a;
  if (a.low >= bound)
    return ranged(bound);
  const Ranged rest = within(gates, a, a.low, bound);
  const Word top = word_of(Uint128(bound - a.low), int(rest.word.size()));
  return {a.low, bound, choose(gates, less(gates, a, bound), rest.word, top)};
}

Ranged choose(Gates& gates, Gate condition, const Ranged& then, const Ranged& otherwise) {
  if (condition.constant())
    return condition.is_true() ? then : otherwise;
  const auto [a, b] = aligned(gates, then, otherwise);
  return {std::min(then.low, otherwise.low), std::max(then.high, otherwise.high), choose(gates, condition, a, b)};
}

Gate less(Gates& gates, const Ranged& a, int bound) {
  if (a.high < bound)
    return true;
  if (a.low >= bound)
    return false;
  return less(gates, a.word, word_of(Uint128(bound - a.low), int(a.word.size())));
}

Gate less(Gates& gates, const Ranged& a, const Ranged& b) {
  const auto [x, y] = aligned(gates, a, b);
  return less(gates, x, y);
}

Gate equal(Gates& gates, const Ranged& a, const Ranged& b) {
  const auto [x, y] = aligned(gates, a, b);
  return equal(gates, x, y);
}

int Extent::low(BinaryFormat format) const { return std::max(field(least, format), 1); }
int Extent::high(BinaryFormat format) const { return std::max(field(most, format), 1); }

Extent extent_of(const Known& known, BinaryFormat format) {
  Extent extent{.nan = known.nan, .known = known};
  if (known.low > known.high)
    return extent; // the magnitude has no meaning
  const Bits low = format.magnitude(format.at(known.low)), high = format.magnitude(format.at(known.high));
  extent.negative = known.low < 0;
  extent.positive = known.high >= 0;
  extent.least = extent.negative && extent.positive ? 0 : std::min(low, high);
  extent.most = std::max(low, high);
  return extent;
}

BitsFloat constant(Bits bits, BinaryFormat format) {
  const Bits magnitude = format.magnitude(bits);
  const int exponent = field(magnitude, format);
  Bits significand = magnitude & (format.smallest_normal() - 1);
  if (exponent > 0)
    significand |= format.smallest_normal();
  return {format,
          format.is_nan(bits),
          format.is_infinite(bits),
          format.is_zero(bits),
          format.is_negative(bits),
          ranged(std::max(exponent, 1)),
          word_of(significand, format.significand_bits)};
}

// The exponent is 1 where the leading bit is 0.
BitsFloat variable(Gates& gates, BinaryFormat format, const Known& known) {
  const Extent extent = extent_of(known, format);
  BitsFloat value;
  value.format = format;
  value.nan = extent.nan ? gates.input() : Gate(false);
  value.sign = gates.input();
  const int low = extent.low(format), high = extent.high(format);
  value.exponent = {low, high, inputs(gates, bit_count(Uint128(high - low)))};
  gates.require(less_equal(gates, value.exponent.word, word_of(Uint128(high - low), bit_count(Uint128(high - low)))));
  const Gate leading = extent.subnormal(format) ? gates.input() : Gate(true);
  for (const Gate bit : value.exponent.word)
    gates.require(gates.either(leading, !bit));
  value.significand = joined(inputs(gates, format.fraction_bits()), {leading});
  value.zero = !any(gates, value.significand);
  if (high == largest_field(format)) {
    value.infinite = equal(gates, value.exponent, ranged(high));
    for (int i = 0; i < format.fraction_bits(); ++i)
      gates.require(gates.either(!value.infinite, !value.significand[size_t(i)]));
  }
  return narrowed(gates, value, extent);
}

BitsFloat narrowed(Gates& gates, BitsFloat value, const Extent& extent) {
  const BinaryFormat format = value.format;
  const auto fixed = [&](Gate gate, bool constant, Gate unless) {
    gates.require(gates.either(unless, gate ^ !constant));
    return Gate(constant);
  };
  if (!extent.nan)
    value.nan = fixed(value.nan, false, false);
  if (extent.known.low > extent.known.high) {
    gates.require(value.nan);
    return constant(format.nan(), format);
  }
  if (!extent.negative || !extent.positive)
    value.sign = fixed(value.sign, extent.negative, value.nan);
  if (!extent.infinite(format))
    value.infinite = fixed(value.infinite, false, value.nan);
  if (extent.least > 0)
    value.zero = fixed(value.zero, false, value.nan);
  const int low = std::max(extent.low(format), value.exponent.low);
  const int high = std::min(extent.high(format), value.exponent.high);
  if (low > high) { // only NaN
    gates.require(value.nan);
    return constant(format.nan(), format);
  }
  gates.require(gates.either(value.nan, !less(gates, value.exponent, low)));
  gates.require(gates.either(value.nan, less(gates, value.exponent, high + 1)));
  value.exponent = within(gates, value.exponent, low, high);
  if (!extent.subnormal(format))
    value.significand.back() = fixed(value.significand.back(), true, value.nan);
  // Bits common to all magnitudes between the bounds are constants.
  if (extent.low(format) == extent.high(format) && field(extent.least, format) == field(extent.most, format))
    for (int i = format.fraction_bits() - 1; i >= 0 && (extent.least >> i) == (extent.most >> i); --i)
      value.significand[size_t(i)] = fixed(value.significand[size_t(i)], bool(extent.least >> i & 1), value.nan);
  require_bounds(gates, value, extent.known);
  return value;
}

Normalised normalised(Gates& gates, const BitsFloat& value) {
  Word word = value.significand;
  const int width = int(word.size());
  Ranged count{0, width - 1, Word(size_t(bit_count(Uint128(width - 1))))};
  for (int stage = int(count.word.size()) - 1; stage >= 0; --stage) {
    const int distance = 1 << stage;
    const Gate empty = !any(gates, slice(word, width - distance, distance));
    count.word[size_t(stage)] = empty;
    word = choose(gates, empty, slice(shifted_left(word, distance), 0, width), word);
  }
  if (is_constant(count.word) && value_of(count.word) == 0)
    return {value.exponent, value.significand};
  word.back() = true;
  if (is_constant(count.word))
    count = ranged(int(value_of(count.word)));
  return {difference(gates, value.exponent, count), word};
}

Gate less_magnitude(Gates& gates, const BitsFloat& a, const BitsFloat& b) {
  const int low = std::min(a.exponent.low, b.exponent.low), high = std::max(a.exponent.high, b.exponent.high);
  return less(gates, magnitude_word(gates, a, low, high), magnitude_word(gates, b, low, high));
}

Bits bits_of(const BitsFloat& constant) {
  const BinaryFormat format = constant.format;
  if (constant.nan.is_true())
    return format.nan();
  const Bits significand = value_of(constant.significand);
  const Bits exponent = Bits(constant.exponent.low) + value_of(constant.exponent.word);
  const bool subnormal = significand < format.smallest_normal();
  const Bits magnitude = (exponent << format.fraction_bits()) + significand - format.smallest_normal();
  return (constant.sign.is_true() ? format.sign() : 0) | (subnormal ? significand : magnitude);
}

// Sums. The term of smaller magnitude is aligned with the exponent of the larger one, with two more bits and a sticky
// bit. Then the sum is normalised. The bounds of the exponents limit both shifts.

namespace {

constexpr int extra_bits = 3; // guard, round, sticky: sufficient for correct rounding

// Exponents need not belong to the format; significands have equal widths. A zero term may have any exponent.
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

// Aligns the smaller term with the larger one, `extra_bits` wider.
Word aligned(Gates& gates, const Ordered& parts) {
  const int width = int(parts.small.significand.size());
  Ranged distance = difference(gates, parts.large.exponent, parts.small.exponent);
  // The smaller term has no larger exponent, unless the larger term is zero, and then the shift does not matter.
  distance = within(gates, distance, std::max(distance.low, 0), std::max(distance.high, 0));
  distance = at_most(gates, distance, width + extra_bits - 1);
  Gate sticky = false;
  const Word wide = shifted_left(parts.small.significand, extra_bits - 1);
  const Word moved = shift_right(gates, wide, within(gates, distance, 0, distance.high).word, sticky);
  return joined({sticky}, moved);
}

// Returns a - distance if `yes`, which implies a result of at least `floor`.
Ranged reduced(Gates& gates, const Ranged& a, Gate yes, int stage, int floor) {
  const int distance = 1 << stage, low = std::max(a.low - distance, std::min(floor, a.low));
  if (low == a.low - distance)
    return sum(gates, a, {-distance, 0, shifted_left({!yes}, stage)});
  const Ranged wide = within(gates, a, low, a.high);
  return {low, a.high, subtract(gates, wide.word, shifted_left({yes}, stage), int(wide.word.size()))};
}

// Moves the first one to the front, by at most `most` and not below the exponent `floor`.
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

// Returns how far the first one of a sum can be below the position of a carry.
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

// `floor`: the lowest exponent needed.
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
  // The direction determines the sign of a sum that is exactly zero.
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
  // A zero has the smallest exponent and significand, so it needs no special case.
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

// Products, quotients, square roots and conversions: operations on normalised significands.

BitsFloat multiply(Gates& gates, const BitsFloat& a, const BitsFloat& b, const Extent& extent, Rounding rounding) {
  const BinaryFormat format = a.format;
  const int precision = format.significand_bits;
  const Normalised x = normalised(gates, a), y = normalised(gates, b);
  // In [1, 4): the first bit or the second is 1. Bits after the guard only affect the sticky bit.
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
    // Doubles the dividend if it is smaller, so that the quotient starts with a one.
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

// Rounding to integers: shifts the fraction out, rounds the rest, and shifts back.

BitsFloat round_to_integer(Gates& gates, Op op, const BitsFloat& a) {
  const BinaryFormat format = a.format;
  const int precision = format.significand_bits, bias = format.max_exponent(), largest = largest_field(format);
  // The number of fraction bits of the significand; all of them and an additional zero for a magnitude below 1/2.
  const Ranged missing = difference(gates, ranged(bias + precision - 1), a.exponent);
  const Ranged clamped = at_most(gates, at_least(gates, missing, 0), precision + 1);
  const Word fraction = within(gates, clamped, 0, clamped.high).word;
  Gate sticky = false;
  const Word moved = shift_right(gates, shifted_left(a.significand, 1), fraction, sticky);
  const Word integer = slice(moved, 1, precision);
  const Word sum =
      increment(gates, integer, goes_up(gates, *ops::rounding_of(op), a.sign, integer[0], moved[0], sticky));
  Word back = shift_left(gates, sum, fraction);
  const Gate carry = back.back();
  back.pop_back();
  back.back() = gates.either(back.back(), carry);

  // For a magnitude below 1 the result is 0 or 1.
  const Gate small = less(gates, a.exponent, bias);
  Word one(static_cast<size_t>(precision));
  one.back() = sum[0];
  BitsFloat result = a;
  result.significand = choose(gates, small, one, back);
  const Ranged exponent_of_small = choose(gates, sum[0], ranged(bias), ranged(1));
  result.exponent = choose(gates, small, exponent_of_small, plus(gates, a.exponent, carry));
  // Infinities and larger numbers have no fraction, so the largest field has no carry.
  if (result.exponent.high > largest)
    result.exponent = within(gates, result.exponent, result.exponent.low, largest);
  result.infinite = !less(gates, result.exponent, largest);
  result.zero = !any(gates, result.significand);
  return result;
}

} // namespace faultline::solve
