// Floats as ordered integers.
//
// Definition. ordered(x) numbers the values of a format from below, so that a < b implies ordered(a) < ordered(b), and
// neighbouring floats have neighbouring numbers: ordered(+0) = 0, ordered(-0) = -1, ordered(smallest subnormal) = 1.
// Both zeros have a number of their own, so the map is a bijection and from_ordered(ordered(x)) has the bits of x.
// NaNs land beyond the infinities: they do not disturb a sort, and are never reached by stepping.
//
// Why. Searches bisect and mutate in this space: a step of one is one float wherever x lies, and half-way between
// 1e-300 and 1 is 1e-150 (nearly), not 0.5.
//
// The core works on bit patterns of any layout of at most 128 bits, so that an 8-bit format can be tested exhaustively.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "numeric/format.h"

namespace faultline::numeric {

using Int128 = __int128;
using Uint128 = unsigned __int128;

// Sign, exponent, (integer bit,) fraction, from the most significant bit down. x87's format stores the leading bit of
// the significand; its pseudo-denormals (exponent 0, integer bit 1) are read as what they equal, and its unnormals
// (exponent not 0, integer bit 0), which no operation produces, as if the bit were set.
struct Layout {
  int exponent_bits;
  int fraction_bits;
  bool explicit_integer_bit;
};

// The bits below the sign without the redundant integer bit: 0 for zero, 1 for the smallest subnormal, and so on.
constexpr Uint128 rank_of_magnitude(Uint128 magnitude, Layout layout) {
  if (!layout.explicit_integer_bit)
    return magnitude;
  const Uint128 fraction = magnitude & ((Uint128{1} << layout.fraction_bits) - 1);
  const bool integer_bit = (magnitude >> layout.fraction_bits) & 1;
  Uint128 exponent = magnitude >> (layout.fraction_bits + 1);
  if (exponent == 0 && integer_bit)
    exponent = 1;
  return (exponent << layout.fraction_bits) | fraction;
}

constexpr Uint128 magnitude_of_rank(Uint128 rank, Layout layout) {
  if (!layout.explicit_integer_bit)
    return rank;
  const Uint128 fraction = rank & ((Uint128{1} << layout.fraction_bits) - 1);
  const Uint128 exponent = rank >> layout.fraction_bits;
  const Uint128 integer_bit = exponent == 0 ? 0 : 1;
  return (((exponent << 1) | integer_bit) << layout.fraction_bits) | fraction;
}

constexpr Int128 ordered_from_bits(Uint128 bits, Layout layout) {
  const int sign_position = layout.exponent_bits + layout.fraction_bits + (layout.explicit_integer_bit ? 1 : 0);
  const Uint128 sign = Uint128{1} << sign_position;
  const Int128 rank = static_cast<Int128>(rank_of_magnitude(bits & (sign - 1), layout));
  return bits & sign ? -rank - 1 : rank;
}

constexpr Uint128 bits_from_ordered(Int128 order, Layout layout) {
  const int sign_position = layout.exponent_bits + layout.fraction_bits + (layout.explicit_integer_bit ? 1 : 0);
  const Uint128 sign = Uint128{1} << sign_position;
  if (order >= 0)
    return magnitude_of_rank(static_cast<Uint128>(order), layout);
  return sign | magnitude_of_rank(static_cast<Uint128>(-(order + 1)), layout);
}

// For each float type: its layout, and the integers that hold its numbers and their distances.
template <class T>
struct OrderedTraits {
  static constexpr const FormatInfo& form = info(format_of_type<T>());
  static constexpr int stored_bytes = form.bytes;
  using Integer =
      std::conditional_t<stored_bytes <= 4, int32_t, std::conditional_t<stored_bytes <= 8, int64_t, Int128>>;
  using Distance =
      std::conditional_t<stored_bytes <= 4, uint32_t, std::conditional_t<stored_bytes <= 8, uint64_t, Uint128>>;
  // A format with a bit more than sign, exponent and fraction need has the integer bit.
  static constexpr Layout layout{form.exponent_bits(), form.precision - 1,
                                 form.bytes * 8 > form.exponent_bits() + form.precision};
};

template <class T>
using Ordered = typename OrderedTraits<T>::Integer;
template <class T>
using OrderedDistance = typename OrderedTraits<T>::Distance;

template <class T>
Ordered<T> ordered(T value) {
  Uint128 bits = 0;
  std::memcpy(&bits, &value, OrderedTraits<T>::stored_bytes);
  return static_cast<Ordered<T>>(ordered_from_bits(bits, OrderedTraits<T>::layout));
}

template <class T>
T from_ordered(Ordered<T> order) {
  const Uint128 bits = bits_from_ordered(order, OrderedTraits<T>::layout);
  T value{};
  std::memcpy(static_cast<void*>(&value), &bits, OrderedTraits<T>::stored_bytes);
  return value;
}

inline double from_ordered(int64_t order) { return from_ordered<double>(order); }
inline float from_ordered(int32_t order) { return from_ordered<float>(order); }
inline long double from_ordered(Int128 order) { return from_ordered<long double>(order); }

// How many floats lie from a to b, b counted and a not. The zeros count as one value. The largest distance if a or b is
// NaN.
template <class T>
OrderedDistance<T> ulps_between(T a, T b) {
  using Distance = OrderedDistance<T>;
  if (std::isnan(a) || std::isnan(b))
    return static_cast<Distance>(-1);
  const Ordered<T> x = ordered(a), y = ordered(b);
  const Distance distance =
      x < y ? static_cast<Distance>(y) - static_cast<Distance>(x) : static_cast<Distance>(x) - static_cast<Distance>(y);
  return (x < 0) != (y < 0) ? distance - 1 : distance;
}

// The float that stands `steps` places above value (below, if negative), stopping at the infinities. NaN stays NaN.
// From -0 the next float above is +0.
template <class T>
T nth(T value, Ordered<T> steps) {
  if (std::isnan(value))
    return value;
  const Ordered<T> highest = ordered(std::numeric_limits<T>::infinity());
  const Ordered<T> lowest = -highest - 1;
  const Ordered<T> start = ordered(value);
  if (steps >= 0)
    return from_ordered<T>(start > 0 && steps > highest - start ? highest
                                                                : std::min<Ordered<T>>(start + steps, highest));
  return from_ordered<T>(start < 0 && steps < lowest - start ? lowest : std::max<Ordered<T>>(start + steps, lowest));
}

template <class T>
T next_up(T value) {
  return nth(value, Ordered<T>{1});
}

template <class T>
T next_down(T value) {
  return nth(value, Ordered<T>{-1});
}

// The same of a value of the format.
inline Int128 ordered(Value value, Format format) {
  return with_type(format,
                   [&](auto type) { return Int128(ordered(static_cast<typename decltype(type)::type>(value))); });
}
inline Value from_ordered(Int128 order, Format format) {
  return with_type(format, [&](auto type) {
    using Float = typename decltype(type)::type;
    return Value(from_ordered<Float>(static_cast<Ordered<Float>>(order)));
  });
}
inline Value next_up(Value value, Format format) {
  return with_type(format,
                   [&](auto type) { return Value(next_up(static_cast<typename decltype(type)::type>(value))); });
}
inline Value next_down(Value value, Format format) { return -next_up(-value, format); }
// The next larger value, where both zeros are one.
inline Value next_larger(Value value, Format format) { return next_up(value == 0 ? 0 : value, format); }

} // namespace faultline::numeric
