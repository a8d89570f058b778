#include "solve/bits/bits_float.h"

#include <algorithm>

namespace faultline::solve {
namespace {

int field(Bits magnitude, BinaryFormat format) { return int(magnitude >> format.fraction_bits()); }

// (significand, exponent) as one word that grows with the magnitude.
Word magnitude_word(Gates& gates, const BitsFloat& value, int low, int high) {
  return joined(value.significand, within(gates, value.exponent, low, high).word);
}

// low <= value <= high, unless NaN.
void require_bounds(Gates& gates, const BitsFloat& value, const Known& known) {
  const BinaryFormat format = value.format;
  // Is the magnitude at most, at least that of a bound?
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

int Extent::low(BinaryFormat format) const { return std::max(field(least, format), 1); }
int Extent::high(BinaryFormat format) const { return std::max(field(most, format), 1); }

Extent extent_of(const Known& known, BinaryFormat format) {
  Extent extent{.nan = known.nan, .known = known};
  if (known.low > known.high)
    return extent; // what its magnitude would be does not matter
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

// Where the leading bit is 0 the exponent is 1.
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
  if (low > high) { // no value at all but NaN
    gates.require(value.nan);
    return constant(format.nan(), format);
  }
  gates.require(gates.either(value.nan, !less(gates, value.exponent, low)));
  gates.require(gates.either(value.nan, less(gates, value.exponent, high + 1)));
  value.exponent = within(gates, value.exponent, low, high);
  if (!extent.subnormal(format))
    value.significand.back() = fixed(value.significand.back(), true, value.nan);
  // Bits that all magnitudes between the bounds share.
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

} // namespace faultline::solve
