// Floats of 16 bits as bit patterns: IEEE 754's binary16 and bfloat16. Not all supported compilers have both as types.
//
// They convert and do nothing else: arithmetic happens in float, to which a value converts exactly.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace faultline::numeric {

template <int exponent_bits, int significand_bits>
class SmallFloat {
public:
  static constexpr int fraction_bits = significand_bits - 1;
  static constexpr int max_exponent = (1 << (exponent_bits - 1)) - 1, min_exponent = 1 - max_exponent;
  static constexpr uint16_t infinity = uint16_t(((1 << exponent_bits) - 1) << fraction_bits);

  SmallFloat() = default;
  // Rounded once, to the nearest value, ties to even. Every float type converts to long double exactly.
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

  // The field of a subnormal's exponent is 0 and its leading bit is not set, that of a normal number is added by its
  // leading bit; so a carry into the next binade, or to infinity, needs no care.
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
