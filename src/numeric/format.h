// The float formats that Faultline knows, and the type that carries their values.
//
// Each format is one row of FAULTLINE_FORMATS; all other code asks this table. Formats with a wider exponent range or
// significand come later, so std::max of two formats is the wider one. The frontend refuses every other format (quad,
// double-double).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "numeric/small_float.h"

namespace faultline::numeric {

// Carries a value of any format exactly.
using Value = long double;

struct FormatInfo {
  std::string_view name;
  int precision = 0;        // bits of the significand, with the leading one
  int max_exponent = 0;     // of the largest number, as in 1.xxx * 2^e
  int min_exponent = 0;     // of the smallest normal number
  int bytes = 0;            // that mean something
  int stride = 0;           // bytes in an array
  bool shares_size = false; // with another format
  const char* c_type = "";
  const char* literal_suffix = ""; // in C
  bool literal_needs_cast = false; // to c_type: a literal with this suffix has another type
  const char* libm_suffix = "";
  const char* fpcore_name = "";
  int reference_digits = 0; // with which an exact value is printed
  int everyday_power = 0;   // everyday magnitudes lie between 10^-this and 10^this

  constexpr int exponent_bits() const { return std::bit_width(unsigned(max_exponent)) + 1; }
  constexpr int smallest_exponent() const { return min_exponent - precision + 1; } // of the smallest subnormal
  // Decimal digits with which every value reads back.
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

// All entries of a column, as in "binary32, binary64 or extended80".
template <class Column>
std::string list_of(Column FormatInfo::*column) {
  std::string list;
  for (size_t i = 0; i < all_formats.size(); ++i)
    list.append(i == 0 ? "" : i + 1 == all_formats.size() ? " or " : ", ").append(format_table[i].*column);
  return list;
}

// The format of the machine that holds such values in registers and records.
constexpr Format carrier(Format format) { return std::max(format, Format::binary32); }
constexpr bool is_widest(Format format) { return format == all_formats.back(); }
// The next format of the machine that is wider; the widest is its own.
constexpr Format wider(Format format) {
  return is_widest(format) ? format : format < carrier(format) ? carrier(format) : Format(uint8_t(format) + 1);
}

namespace native {
struct End {};
#define FAULTLINE_FORMAT_TYPE(id, type, ...) type,
using Types = std::tuple<FAULTLINE_FORMATS(FAULTLINE_FORMAT_TYPE) End>;
#undef FAULTLINE_FORMAT_TYPE
} // namespace native

template <Format format>
using NativeType = std::tuple_element_t<size_t(format), native::Types>;

template <class T, size_t from = 0>
constexpr Format format_of_type() {
  if constexpr (std::is_same_v<T, NativeType<Format(from)>>)
    return Format(from);
  else
    return format_of_type<T, from + 1>();
}

// Calls f with std::type_identity of the C++ type of the format.
template <size_t from = 0, class F>
constexpr decltype(auto) with_type(Format format, F&& f) {
  if constexpr (from + 1 < all_formats.size()) {
    if (size_t(format) != from)
      return with_type<from + 1>(format, f);
  }
  return f(std::type_identity<NativeType<Format(from)>>{});
}

// The value of the format that is nearest: an infinity beyond the largest.
inline Value nearest(Value value, Format format) {
  return with_type(format, [&](auto type) { return Value(static_cast<typename decltype(type)::type>(value)); });
}

// The spacing of the format's values in [1, 2).
constexpr double epsilon(Format format) { return std::bit_cast<double>(uint64_t(1024 - info(format).precision) << 52); }

} // namespace faultline::numeric
