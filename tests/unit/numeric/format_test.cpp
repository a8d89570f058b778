#include "numeric/format.h"

#include "numeric/bigfloat.h"
#include "numeric/binary.h"
#include "numeric/decimal.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace faultline::numeric {
namespace {

TEST(FormatTable, AgreesWithTheTypesOfTheCompiler) {
  for (const Format format : all_formats)
    with_type(format, [&](auto type) {
      using Float = typename decltype(type)::type;
      using Limits = std::numeric_limits<Float>;
      EXPECT_EQ(info(format).precision, Limits::digits) << info(format).name;
      EXPECT_EQ(largest(format), Value(Limits::max())) << info(format).name;
      EXPECT_EQ(smallest_normal(format), Value(Limits::min())) << info(format).name;
      EXPECT_EQ(std::ldexp(Value(1), info(format).smallest_exponent()), Value(Limits::denorm_min()));
      EXPECT_EQ(size_t(info(format).stride), sizeof(Float)) << info(format).name;
      EXPECT_EQ(format_of_type<Float>(), format);
      EXPECT_EQ(epsilon(format), std::ldexp(1.0, 1 - Limits::digits));
    });
}

TEST(FormatTable, ListsItsNames) {
  EXPECT_EQ(list_of(&FormatInfo::name), "binary16, bfloat16, binary32, binary64 or extended80");
}

TEST(FormatTable, OrdersFormatsByWidth) {
  EXPECT_EQ(wider(Format::binary16), Format::binary32);
  EXPECT_EQ(wider(Format::bfloat16), Format::binary32);
  EXPECT_EQ(wider(Format::binary32), Format::binary64);
  EXPECT_EQ(wider(Format::extended80), Format::extended80);
}

// Every pattern of 16 bits, against the formats of any size and MPFR.
template <class Float> class SmallFormats : public testing::Test {
protected:
  static constexpr Format format = format_of_type<Float>();
  static constexpr BinaryFormat binary = binary_format(format);

  static bool is_nan(unsigned bits) { return binary.is_nan(bits); }
};
using Types = testing::Types<Float16, BFloat16>;
TYPED_TEST_SUITE(SmallFormats, Types);

TYPED_TEST(SmallFormats, HaveTheValuesOfTheirPatterns) {
  for (unsigned bits = 0; bits < 1u << 16; ++bits) {
    const auto value = TypeParam::of_bits(uint16_t(bits));
    if (this->is_nan(bits)) {
      EXPECT_TRUE(std::isnan(value)) << bits;
      continue;
    }
    ASSERT_EQ(float(value), long_double_of(bits, this->binary)) << bits;
    ASSERT_EQ(std::signbit(float(value)), this->binary.is_negative(bits)) << bits;
    ASSERT_EQ(TypeParam(Value(value)).bits(), bits);
    ASSERT_EQ(ordered(Value(value), this->format), this->binary.order(bits)) << bits;
    ASSERT_EQ(TypeParam(from_ordered(this->binary.order(bits), this->format)).bits(), bits);
  }
}

// Between neighbours: the middle, and what lies beside it by the last bit of a long double.
TYPED_TEST(SmallFormats, RoundOnceAndTiesToEven) {
  for (unsigned bits = 0; bits < unsigned(this->binary.infinity()); ++bits) {
    const Value low = TypeParam::of_bits(uint16_t(bits)), high = TypeParam::of_bits(uint16_t(bits + 1));
    const Value middle = std::isinf(high) ? low + ulp(low, this->format) / 2 : (low + high) / 2;
    for (const Value value : {middle, std::nextafter(middle, Value(0)), std::nextafter(middle, Value(INFINITY))})
      for (const Value sign : {1, -1})
        ASSERT_EQ(TypeParam(sign * value).bits(), nearest_bits(BigFloat(sign * value, 64).raw(), this->binary))
            << value;
  }
}

TYPED_TEST(SmallFormats, PrintTheFewestDigitsThatReadBack) {
  for (unsigned bits = 1; bits < unsigned(this->binary.infinity()); bits += 7) {
    const Value value = TypeParam::of_bits(uint16_t(bits));
    const std::string text = shortest_decimal(value, this->format);
    ASSERT_EQ(parse_number(text, this->format), value) << text;
    const size_t first = text.find_first_of("123456789"), end = std::min(text.find('e'), text.size());
    const auto digits =
        std::count_if(text.begin() + long(first), text.begin() + long(end), [](char c) { return c != '.'; });
    if (value < 1000) { // zeros of larger whole numbers are written out
      ASSERT_LE(digits, info(this->format).decimal_digits()) << text;
    }
  }
  EXPECT_EQ(shortest_decimal(nearest(0.1L, this->format), this->format), "0.1");
  EXPECT_EQ(shortest_decimal(-INFINITY, this->format), "-inf");
}

TYPED_TEST(SmallFormats, StepFromValueToValue) {
  EXPECT_EQ(next_up(0, this->format), Value(std::numeric_limits<TypeParam>::denorm_min()));
  EXPECT_EQ(next_larger(-0.0L, this->format), Value(std::numeric_limits<TypeParam>::denorm_min()));
  EXPECT_EQ(next_up(largest(this->format), this->format), INFINITY);
  EXPECT_EQ(next_up(1, this->format), 1 + epsilon(this->format));
  EXPECT_EQ(next_down(1, this->format), 1 - epsilon(this->format) / 2);
}

} // namespace
} // namespace faultline::numeric
