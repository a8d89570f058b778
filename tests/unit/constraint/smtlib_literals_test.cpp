#include "constraint/smtlib/values.h"

#include "numeric/random.h"

#include <cmath>
#include <gtest/gtest.h>

namespace faultline::constraint {
namespace {

constexpr BinaryFormat tiny{3, 3};

// The fraction of a value of the tiny format, or of the number half-way between two.
Rational exact(double value) { return Rational(value); }

TEST(SmtlibLiterals, ARealIsRoundedToTheNearestFloatAndOnce) {
  // Every value, every midpoint, and the points just beside them, closer than any working precision.
  const Rational nothing_much(1, mpz_class(1) << 3000);
  for (Bits bits = 0; bits < tiny.largest(); ++bits) {
    const double low = numeric::double_of(bits, tiny), high = numeric::double_of(bits + 1, tiny);
    const Bits even = bits % 2 == 0 ? bits : bits + 1;
    const auto beside = [&](double value, int sign) { return Rational(exact(value) + sign * nothing_much); };
    EXPECT_EQ(nearest_bits(exact(low), tiny), bits);
    EXPECT_EQ(nearest_bits(exact((low + high) / 2), tiny), even) << low << " " << high;
    EXPECT_EQ(nearest_bits(beside((low + high) / 2, -1), tiny), bits) << low << " " << high;
    EXPECT_EQ(nearest_bits(beside((low + high) / 2, 1), tiny), bits + 1) << low << " " << high;
    EXPECT_EQ(nearest_bits(-beside((low + high) / 2, 1), tiny), tiny.sign() | (bits + 1));
  }
}

TEST(SmtlibLiterals, RealsBeyondTheLargestFloatBecomeInfiniteFromTheMidpointOn) {
  const double largest = numeric::double_of(tiny.largest(), tiny);
  const double spacing = largest - numeric::double_of(tiny.largest() - 1, tiny);
  EXPECT_EQ(nearest_bits(exact(largest + spacing / 2), tiny), tiny.infinity());
  EXPECT_EQ(nearest_bits(exact(largest + spacing / 4), tiny), tiny.largest());
  EXPECT_EQ(nearest_bits(rational("1" + std::string(5000, '0')), numeric::binary64), numeric::binary64.infinity());
  EXPECT_EQ(nearest_bits(-rational("0." + std::string(5000, '0') + "1"), numeric::binary64), numeric::binary64.sign());
  EXPECT_EQ(nearest_bits(-rational("0.0"), numeric::binary64), Bits{0});
}

TEST(SmtlibLiterals, DecimalsAgreeWithTheCLibrary) {
  numeric::Rng rng(5);
  for (int i = 0; i < 3000; ++i) {
    std::string text = std::to_string(rng.below(1000)) + "." + std::string(rng.below(40), '0');
    for (uint64_t digits = rng.below(30) + 1; digits > 0; --digits)
      text += char('0' + rng.below(10));
    ASSERT_EQ(nearest_bits(rational(text), numeric::binary64), numeric::bits_of(std::strtod(text.c_str(), nullptr)));
    ASSERT_EQ(nearest_bits(rational(text), numeric::binary32), numeric::bits_of(std::strtof(text.c_str(), nullptr)));
  }
}

TEST(SmtlibLiterals, AQuotientIsExactUntilItIsRounded) {
  EXPECT_EQ(nearest_bits(rational("1") / rational("3"), numeric::binary64), numeric::bits_of(1.0 / 3.0));
  const Rational back = rational("1") / (rational("1") / rational("0.1"));
  EXPECT_EQ(nearest_bits(back, numeric::binary64), numeric::bits_of(0.1));
  EXPECT_EQ(nearest_bits(rational("1") / -rational("4"), numeric::binary32), numeric::bits_of(-0.25f));
}

TEST(SmtlibLiterals, BitVectorsAreReadInEveryNotation) {
  EXPECT_EQ(binary_literal("0101"), (BitVector{4, 5}));
  EXPECT_EQ(hexadecimal_literal("fF"), (BitVector{8, 255}));
  EXPECT_EQ(numbered_literal("255", 8), (BitVector{8, 255}));
  EXPECT_EQ(numbered_literal("256", 8), std::nullopt);
  EXPECT_EQ(numbered_literal("340282366920938463463374607431768211455", 128), (BitVector{128, ~Bits{0}}));
  EXPECT_EQ(numbered_literal("340282366920938463463374607431768211456", 128), std::nullopt);
  EXPECT_EQ(binary_literal(std::string(129, '0')), std::nullopt);
  EXPECT_EQ(hexadecimal_literal(std::string(33, '0')), std::nullopt);
}

} // namespace
} // namespace faultline::constraint
