// Values taken apart and put together again: a lost bit is a part of the space that genetic algorithms never see.
#include "searching.h"

#include "search/published/trials.h"

namespace faultline::test {
namespace {

using numeric::Format;
using search::Dimension;

Dimension real(long double low, long double high, Format format = Format::binary64) {
  return {"x", true, format, low, high};
}

// Ends of a range belong to it, be they rounded to the format or not.
bool belongs(const Dimension& dimension, long double value) {
  return value >= dimension.low && value <= dimension.high && dimension.nearest(value) == value;
}

TEST(FloatParts, TakeValuesApartAndTogether) {
  numeric::Rng rng(7);
  for (Format format : {Format::binary32, Format::binary64, Format::extended80}) {
    const long double largest = format == Format::binary32   ? std::numeric_limits<float>::max()
                                : format == Format::binary64 ? largest_double
                                                             : std::numeric_limits<long double>::max();
    const Dimension dimension = real(-largest, largest, format);
    EXPECT_EQ(search::exponent_of(dimension, 1), numeric::info(format).max_exponent);
    EXPECT_EQ(search::exponent_of(dimension, 0), 0);
    EXPECT_EQ(search::exponents_in_range(dimension).last, 2 * numeric::info(format).max_exponent);
    for (int i = 0; i < 1000; ++i) {
      const long double value = search::Space{{dimension}}.sample_floats(rng)[0];
      EXPECT_EQ(search::value_of_bits(dimension, search::bits_of(dimension, value)), value);
      const bool negative = search::is_negative(dimension, value);
      const int exponent = search::exponent_of(dimension, value);
      const long double other = search::random_significand(dimension, negative, exponent, rng);
      EXPECT_EQ(search::exponent_of(dimension, other), exponent);
      EXPECT_EQ(search::is_negative(dimension, other), negative);
    }
  }
  EXPECT_EQ(search::bit_count(real(0, 1, Format::binary32)), 32);
  EXPECT_EQ(search::bit_count(real(0, 1)), 64);
  EXPECT_EQ(search::bits_of(real(-4, 4), -1), 0xbff0000000000000u);
}

TEST(FloatParts, StayInTheRange) {
  numeric::Rng rng(7);
  for (const Dimension& dimension : {real(2.5L, 3), real(-3, -2.5L), real(-1e-3L, 1000), real(-0.0L, 5), real(1, 1)})
    for (int exponent = -10; exponent < 2100; exponent += 7)
      for (bool negative : {false, true})
        EXPECT_TRUE(belongs(dimension, search::random_significand(dimension, negative, exponent, rng)));
  for (const Dimension& dimension : {real(2.5L, 3), real(-1e-3L, 1000, Format::binary32), an_integer(-4, 20)})
    for (int i = 0; i < 1000; ++i)
      EXPECT_TRUE(
          belongs(dimension, search::value_of_bits(dimension, rng.next() >> (64 - search::bit_count(dimension)))));
}

} // namespace
} // namespace faultline::test
