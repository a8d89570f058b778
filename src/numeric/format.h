// The float formats that Faultline knows, and the type that carries their values.
//
// Each format is one row of FAULTLINE_FORMATS, on which all other code depends. Formats with a wider exponent range or
// significand come later, so std::max of two formats is the wider one. Programs with other formats (quad,
// double-double) are refused.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace faultline::numeric {

// Floats of 16 bits as bit patterns: IEEE 754's binary16 and bfloat16. Not all supported compilers have both as types.
//
// They only convert: arithmetic happens in float, to which a value converts exactly.
template <int exponent_bits, int significand_bits> class SmallFloat {
public:
  static constexpr int fraction_bits = significand_bits - 1;
  static constexpr int max_exponent = (1 << (exponent_bits - 1)) - 1, min_exponent = 1 - max_exponent;
  static constexpr uint16_t infinity = uint16_t(((1 << exponent_bits) - 1) << fraction_bits);

  SmallFloat() = default;
  // Rounds once to the nearest value, ties to even. Every float type converts to long double exactly.
  explicit SmallFloat(long double value) : bits_(rounded(std::fabs(value))) {
    if (std::signbit(value))
      bits_ |= sign;
  }
  static constexpr SmallFloat of_bits(uint16_t bits) {
    SmallFloat value{};
    value.bits_ = bits;
    return value;
  }

  constexpr uint16_t bits() const { return bits_; }
  constexpr operator float() const { // NOLINT: exact
    constexpr auto scale = std::bit_cast<float>(uint32_t(2 * 127 - max_exponent) << 23);
    const auto magnitude = uint16_t(bits_ & ~sign);
    const float value = magnitude > infinity ? std::numeric_limits<float>::quiet_NaN()
                        : magnitude == infinity
                            ? std::numeric_limits<float>::infinity()
                            : std::bit_cast<float>(uint32_t(magnitude) << (23 - fraction_bits)) * scale;
    return bits_ & sign ? -value : value;
  }

private:
  static constexpr uint16_t sign = 0x8000;

  // A subnormal's exponent field is 0 and its leading bit is not set. A normal number's leading bit adds one to the
  // field. So a carry into the next binade or to infinity needs no special case.
  static uint16_t rounded(long double magnitude) {
    if (std::isnan(magnitude))
      return infinity | 1 << (fraction_bits - 1);
    int exponent = 0;
    std::frexp(magnitude, &exponent);
    if (std::isinf(magnitude) || exponent - 1 > max_exponent)
      return infinity;
    exponent = magnitude == 0 || exponent - 1 < min_exponent ? min_exponent : exponent - 1;
    const long double scaled = std::ldexp(magnitude, fraction_bits - exponent);
    auto whole = unsigned(scaled);
    const long double rest = scaled - whole;
    if (rest > 0.5L || (rest == 0.5L && whole % 2 != 0))
      ++whole;
    return uint16_t((unsigned(exponent - min_exponent) << fraction_bits) + whole);
  }

  uint16_t bits_;
};

using Float16 = SmallFloat<5, 11>;
using BFloat16 = SmallFloat<8, 8>;

} // namespace faultline::numeric

template <int exponent_bits, int significand_bits>
class std::numeric_limits<faultline::numeric::SmallFloat<exponent_bits, significand_bits>> {
  using Float = faultline::numeric::SmallFloat<exponent_bits, significand_bits>;

public:
  static constexpr bool is_specialized = true;
  static constexpr int digits = significand_bits;
  static constexpr Float min() { return Float::of_bits(1 << Float::fraction_bits); }
  static constexpr Float max() { return Float::of_bits(Float::infinity - 1); }
  static constexpr Float denorm_min() { return Float::of_bits(1); }
  static constexpr Float infinity() { return Float::of_bits(Float::infinity); }
  static constexpr Float quiet_NaN() { return Float::of_bits(Float::infinity | 1 << (Float::fraction_bits - 1)); }
};

namespace faultline::numeric {

// Carries a value of any format exactly.
using Value = long double;

struct FormatInfo {
  std::string_view name;
  int precision = 0;        // bits of the significand, with the leading one
  int max_exponent = 0;     // of the largest number, as in 1.xxx * 2^e
  int min_exponent = 0;     // of the smallest normal number
  int bytes = 0;            // significant bytes
  int stride = 0;           // bytes in an array
  bool shares_size = false; // another format has the same size
  const char* c_type = "";
  const char* literal_suffix = ""; // in C
  bool literal_needs_cast = false; // to c_type, since a literal with this suffix has another type
  const char* libm_suffix = "";
  const char* fpcore_name = "";
  int reference_digits = 0; // digits with which an exact value is printed
  int everyday_power = 0;   // everyday magnitudes lie between 10^-this and 10^this

  constexpr int exponent_bits() const { return std::bit_width(unsigned(max_exponent)) + 1; }
  constexpr int smallest_exponent() const { return min_exponent - precision + 1; } // of the smallest subnormal
  // Decimal digits that suffice for every value to read back.
  constexpr int decimal_digits() const { return 2 + precision * 30103 / 100000; }
};

// FORMAT(name, C++ type, columns...). Precisions and exponents are those of IEEE 754 table 3.5, of Intel's bfloat16 and
// of x87's double extended format.
#define FAULTLINE_FORMATS(FORMAT)                                                                                      \
  FORMAT(binary16, Float16, .precision = 11, .max_exponent = 15, .min_exponent = -14, .bytes = 2, .stride = 2,         \
         .shares_size = true, .c_type = "_Float16", .literal_suffix = "f", .literal_needs_cast = true,                 \
         .libm_suffix = "f", .fpcore_name = "binary16", .reference_digits = 8, .everyday_power = 3)                    \
  FORMAT(bfloat16, BFloat16, .precision = 8, .max_exponent = 127, .min_exponent = -126, .bytes = 2, .stride = 2,       \
         .shares_size = true, .c_type = "__bf16", .literal_suffix = "f", .literal_needs_cast = true,                   \
         .libm_suffix = "f", .fpcore_name = "bfloat16", .reference_digits = 7, .everyday_power = 6)                    \
  FORMAT(binary32, float, .precision = 24, .max_exponent = 127, .min_exponent = -126, .bytes = 4, .stride = 4,         \
         .c_type = "float", .literal_suffix = "f", .libm_suffix = "f", .fpcore_name = "binary32",                      \
         .reference_digits = 12, .everyday_power = 6)                                                                  \
  FORMAT(binary64, double, .precision = 53, .max_exponent = 1023, .min_exponent = -1022, .bytes = 8, .stride = 8,      \
         .c_type = "double", .fpcore_name = "binary64", .reference_digits = 20, .everyday_power = 9)                   \
  FORMAT(extended80, long double, .precision = 64, .max_exponent = 16383, .min_exponent = -16382, .bytes = 10,         \
         .stride = 16, .c_type = "long double", .literal_suffix = "L", .libm_suffix = "l", .fpcore_name = "binary80",  \
         .reference_digits = 25, .everyday_power = 9)

#define FAULTLINE_FORMAT_ID(id, type, ...) id,
enum class Format : uint8_t { FAULTLINE_FORMATS(FAULTLINE_FORMAT_ID) };
#undef FAULTLINE_FORMAT_ID

#define FAULTLINE_FORMAT_ROW(id, type, ...) FormatInfo{.name = #id, __VA_ARGS__},
inline constexpr FormatInfo format_table[] = {FAULTLINE_FORMATS(FAULTLINE_FORMAT_ROW)};
#undef FAULTLINE_FORMAT_ROW

#define FAULTLINE_FORMAT_ID(id, type, ...) Format::id,
inline constexpr std::array all_formats = {FAULTLINE_FORMATS(FAULTLINE_FORMAT_ID)};
#undef FAULTLINE_FORMAT_ID

constexpr const FormatInfo& info(Format format) { return format_table[size_t(format)]; }

// Returns all entries of a column, as in "binary32, binary64 or extended80".
template <class Column> std::string list_of(Column FormatInfo::*column) {
  std::string list;
  for (size_t i = 0; i < all_formats.size(); ++i)
    list.append(i == 0 ? "" : i + 1 == all_formats.size() ? " or " : ", ").append(format_table[i].*column);
  return list;
}

// Returns the machine's format that holds such values in registers and records.
constexpr Format carrier(Format format) { return std::max(format, Format::binary32); }
constexpr bool is_widest(Format format) { return format == all_formats.back(); }
// Returns the machine's next wider format; for the widest, itself.
constexpr Format wider(Format format) {
  return is_widest(format) ? format : format < carrier(format) ? carrier(format) : Format(uint8_t(format) + 1);
}

namespace native {
struct End {};
#define FAULTLINE_FORMAT_TYPE(id, type, ...) type,
using Types = std::tuple<FAULTLINE_FORMATS(FAULTLINE_FORMAT_TYPE) End>;
#undef FAULTLINE_FORMAT_TYPE
} // namespace native

template <Format format> using NativeType = std::tuple_element_t<size_t(format), native::Types>;

template <class T, size_t from = 0> constexpr Format format_of_type() {
  if constexpr (std::is_same_v<T, NativeType<Format(from)>>)
    return Format(from);
  else
    return format_of_type<T, from + 1>();
}

// Calls f with std::type_identity of the C++ type of the format.
template <size_t from = 0, class F> constexpr decltype(auto) with_type(Format format, F&& f) {
  if constexpr (from + 1 < all_formats.size()) {
    if (size_t(format) != from)
      return with_type<from + 1>(format, f);
  }
  return f(std::type_identity<NativeType<Format(from)>>{});
}

// Returns the nearest value of the format; an infinity beyond the largest.
inline Value nearest(Value value, Format format) {
  return with_type(format, [&](auto type) { return Value(static_cast<typename decltype(type)::type>(value)); });
}

// The spacing of the format's values in [1, 2).
constexpr double epsilon(Format format) { return std::bit_cast<double>(uint64_t(1024 - info(format).precision) << 52); }

// Floats as ordered integers.
//
// Both zeros have their own numbers, so the map is a bijection and from_ordered(ordered(x)) has the bits of x. NaNs lie
// beyond the infinities: they do not disturb a sort, and stepping never reaches them.
//
// Why. Searches bisect and mutate in this space. A step of one is one float everywhere, and half-way between 1e-300 and
// 1 is 1e-150 (nearly), not 0.5.
//
// The core works on bit patterns of any layout of at most 128 bits, so that an 8-bit format can be tested exhaustively.
using Int128 = __int128;
using Uint128 = unsigned __int128;

// Sign, exponent, (integer bit,) fraction, from the most significant bit down. x87's format stores the leading bit of
// the significand. Its pseudo-denormals (exponent 0, integer bit 1) are read as the values they equal. Its unnormals
// (exponent not 0, integer bit 0), which no operation produces, are read as if the bit were set.
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

// For each float type: its layout, and integer types for its numbers and their distances.
template <class T> struct OrderedTraits {
  static constexpr const FormatInfo& form = info(format_of_type<T>());
  static constexpr int stored_bytes = form.bytes;
  using Integer =
      std::conditional_t<stored_bytes <= 4, int32_t, std::conditional_t<stored_bytes <= 8, int64_t, Int128>>;
  using Distance =
      std::conditional_t<stored_bytes <= 4, uint32_t, std::conditional_t<stored_bytes <= 8, uint64_t, Uint128>>;
  // A format with one bit more than sign, exponent and fraction need has the integer bit.
  static constexpr Layout layout{form.exponent_bits(), form.precision - 1,
                                 form.bytes * 8 > form.exponent_bits() + form.precision};
};

template <class T> using Ordered = typename OrderedTraits<T>::Integer;
template <class T> using OrderedDistance = typename OrderedTraits<T>::Distance;

template <class T> Ordered<T> ordered(T value) {
  Uint128 bits = 0;
  std::memcpy(&bits, &value, OrderedTraits<T>::stored_bytes);
  return static_cast<Ordered<T>>(ordered_from_bits(bits, OrderedTraits<T>::layout));
}

template <class T> T from_ordered(Ordered<T> order) {
  const Uint128 bits = bits_from_ordered(order, OrderedTraits<T>::layout);
  T value{};
  std::memcpy(static_cast<void*>(&value), &bits, OrderedTraits<T>::stored_bytes);
  return value;
}

inline double from_ordered(int64_t order) { return from_ordered<double>(order); }
inline float from_ordered(int32_t order) { return from_ordered<float>(order); }
inline long double from_ordered(Int128 order) { return from_ordered<long double>(order); }

// Returns the number of floats from a to b, including b but not a. The zeros count as one value. If a or b is NaN,
// returns the largest distance.
template <class T> OrderedDistance<T> ulps_between(T a, T b) {
  using Distance = OrderedDistance<T>;
  if (std::isnan(a) || std::isnan(b))
    return static_cast<Distance>(-1);
  const Ordered<T> x = ordered(a), y = ordered(b);
  const Distance distance =
      x < y ? static_cast<Distance>(y) - static_cast<Distance>(x) : static_cast<Distance>(x) - static_cast<Distance>(y);
  return (x < 0) != (y < 0) ? distance - 1 : distance;
}

// Returns the float `steps` places above value (below, if negative), stopping at the infinities. NaN stays NaN. The
// next float above -0 is +0.
template <class T> T nth(T value, Ordered<T> steps) {
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

template <class T> T next_up(T value) { return nth(value, Ordered<T>{1}); }

template <class T> T next_down(T value) { return nth(value, Ordered<T>{-1}); }

// The same for a value of the format.
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

// IEEE 754's five rounding directions, in SMT-LIB's order: RNE, RNA, RTP, RTN, RTZ.
enum class Rounding : uint8_t { nearest_even, nearest_away, up, down, to_zero };
inline constexpr int rounding_count = 5;

} // namespace faultline::numeric
