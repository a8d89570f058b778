#include "search/published/float_parts.h"

#include <algorithm>
#include <bit>

namespace faultline::search {

using numeric::Int128;
using numeric::Uint128;

namespace {

int fraction_bits(const Dimension& dimension) { return numeric::info(dimension.format).precision - 1; }

Int128 magnitude(Int128 order) { return order < 0 ? -(order + 1) : order; }
Int128 with_sign(bool negative, Int128 magnitude) { return negative ? -magnitude - 1 : magnitude; }

} // namespace

int exponent_of(const Dimension& dimension, long double value) {
  return int(magnitude(dimension.order(value)) >> fraction_bits(dimension));
}

bool is_negative(const Dimension& dimension, long double value) { return dimension.order(value) < 0; }

Exponents exponents_in_range(const Dimension& dimension) {
  const int low = exponent_of(dimension, dimension.low), high = exponent_of(dimension, dimension.high);
  const bool both_signs = is_negative(dimension, dimension.low) != is_negative(dimension, dimension.high);
  return {both_signs ? 0 : std::min(low, high), std::max(low, high)};
}

long double random_significand(const Dimension& dimension, bool negative, int exponent, numeric::Rng& rng) {
  const Exponents possible = exponents_in_range(dimension);
  const Int128 first = Int128(std::clamp(exponent, possible.first, possible.last)) << fraction_bits(dimension);
  const Int128 last = first + (Int128(1) << fraction_bits(dimension)) - 1;
  const Int128 range_low = dimension.order(dimension.low), range_high = dimension.order(dimension.high);
  for (const bool sign : {negative, !negative}) {
    const Int128 low = std::max(range_low, sign ? with_sign(sign, last) : first);
    const Int128 high = std::min(range_high, sign ? with_sign(sign, first) : last);
    if (low <= high)
      return dimension.at(uniform_between(low, high, rng));
  }
  return dimension.low;
}

int bit_count(const Dimension& dimension) {
  if (dimension.floating) {
    const int exponent_bits = std::bit_width(2u * unsigned(numeric::info(dimension.format).max_exponent));
    return 1 + exponent_bits + fraction_bits(dimension);
  }
  const auto width = uint64_t(dimension.order(dimension.high) - dimension.order(dimension.low));
  return std::max(1, int(std::bit_width(width)));
}

Uint128 bits_of(const Dimension& dimension, long double value) {
  const Int128 order = dimension.order(value);
  if (!dimension.floating)
    return Uint128(order - dimension.order(dimension.low));
  return Uint128(magnitude(order)) | (Uint128(order < 0) << (bit_count(dimension) - 1));
}

long double value_of_bits(const Dimension& dimension, Uint128 bits) {
  if (!dimension.values.empty())
    return dimension.at(Int128(bits));
  if (!dimension.floating)
    return dimension.reflected(dimension.low + (long double)bits);
  const Uint128 sign = Uint128(1) << (bit_count(dimension) - 1);
  return dimension.reflected(dimension.at(with_sign((bits & sign) != 0, Int128(bits & (sign - 1)))));
}

} // namespace faultline::search
