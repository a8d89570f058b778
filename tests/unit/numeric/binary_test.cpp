#include "numeric/binary.h"

#include "numeric/random.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>

namespace faultline::numeric {
namespace {

constexpr BinaryFormat tiny{4, 4};

// The value of a tiny float, from the definition.
double tiny_value(unsigned bits) {
  const unsigned field = bits >> 3 & 15, fraction = bits & 7;
  const double sign = bits & 128 ? -1 : 1;
  if (field == 15)
    return fraction ? std::nan("") : sign * INFINITY;
  return sign * (field ? std::ldexp(8 + fraction, int(field) - 10) : std::ldexp(fraction, -9));
}

TEST(Binary, EveryValueOfATinyFormatIsReadAsDefinedAndWrittenBack) {
  for (unsigned bits = 0; bits < 256; ++bits) {
    const double value = tiny_value(bits);
    if (std::isnan(value)) {
      EXPECT_TRUE(tiny.is_nan(bits));
      EXPECT_EQ(bits_of(value, tiny), tiny.nan());
      continue;
    }
    EXPECT_EQ(std::bit_cast<uint64_t>(double_of(bits, tiny)), std::bit_cast<uint64_t>(value));
    EXPECT_EQ(bits_of((long double)value, tiny), Bits(bits));
    EXPECT_EQ(tiny.at(tiny.order(bits)), Bits(bits));
    EXPECT_EQ(tiny.is_subnormal(bits), value != 0 && std::fabs(value) < 0x1p-6);
  }
}

TEST(Binary, RoundingGoesToTheNearestAndTiesToEven) {
  // Midpoints between neighbours, and a little to either side.
  for (unsigned bits = 0; bits + 1 < unsigned(tiny.infinity()); ++bits) {
    const double low = tiny_value(bits), high = tiny_value(bits + 1), middle = (low + high) / 2;
    EXPECT_EQ(bits_of((long double)middle, tiny), Bits(bits % 2 ? bits + 1 : bits));
    EXPECT_EQ(bits_of((long double)std::nextafter(middle, 0), tiny), Bits(bits));
    EXPECT_EQ(bits_of((long double)std::nextafter(middle, 1e9), tiny), Bits(bits + 1));
  }
  EXPECT_EQ(bits_of(247.999L, tiny), tiny.largest());
  EXPECT_EQ(bits_of(248.0L, tiny), tiny.infinity()); // half an ulp above the largest, 240
  EXPECT_EQ(bits_of(-1e30L, tiny), tiny.infinity() | tiny.sign());
}

TEST(Binary, ConversionsAgreeWithTheMachine) {
  Rng rng(7);
  for (int i = 0; i < 100'000; ++i) {
    const uint64_t bits = rng.next();
    const double wide = std::bit_cast<double>(bits);
    EXPECT_EQ(converted(bits, binary64, binary32), bits_of(float(wide)));
    EXPECT_EQ(nearest_bits(BigFloat(wide, 53).raw(), binary32), bits_of(float(wide)));
    const float narrow = std::bit_cast<float>(uint32_t(bits));
    EXPECT_EQ(converted(uint32_t(bits), binary32, binary64), bits_of(double(narrow)));
    EXPECT_EQ(converted(converted(uint32_t(bits), binary32, extended80), extended80, binary32), bits_of(narrow));
  }
}

} // namespace
} // namespace faultline::numeric
