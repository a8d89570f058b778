// The float formats Faultline knows. Everything else (half, bfloat, quad, double-double) is refused by the frontend.
#pragma once

#include <cstdint>
#include <string_view>

namespace faultline::numeric {

enum class Format : uint8_t { binary32, binary64, extended80 };

// Significand bits p (with the leading one), and the exponents of the largest and smallest normal numbers, as in
// 1.xxx * 2^e. The three formats are the columns of IEEE 754 table 3.5 and Intel's x87 double extended.
struct FormatInfo {
  std::string_view name;
  int precision;
  int max_exponent;
  int min_exponent;
  int bytes;
};

constexpr FormatInfo info(Format format) {
  switch (format) {
  case Format::binary32:
    return {"binary32", 24, 127, -126, 4};
  case Format::binary64:
    return {"binary64", 53, 1023, -1022, 8};
  case Format::extended80:
    return {"extended80", 64, 16383, -16382, 10};
  }
  return {};
}

} // namespace faultline::numeric
