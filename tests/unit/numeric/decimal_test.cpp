#include "numeric/decimal.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <gtest/gtest.h>

#include "samples.h"

namespace faultline::numeric {
namespace {

template <class T> T parsed(std::string_view text);
template <> float parsed<float>(std::string_view text) { return float(parse_number(text, Format::binary32).value()); }
template <> double parsed<double>(std::string_view text) { return parse_double(text).value(); }
template <> long double parsed<long double>(std::string_view text) { return parse_long_double(text).value(); }

template <class T> class PrintedNumbers : public testing::Test {};
using Formats = testing::Types<float, double, long double>;
TYPED_TEST_SUITE(PrintedNumbers, Formats);

TYPED_TEST(PrintedNumbers, PastedBackAreTheSameNumber) {
  using T = TypeParam;
  Rng rng(1);
  std::vector<T> samples{1,
                         T(0.1L),
                         std::numeric_limits<T>::denorm_min(),
                         std::numeric_limits<T>::max(),
                         std::numeric_limits<T>::min(),
                         next_down(std::numeric_limits<T>::min())};
  for (int i = 0; i < 5000; ++i)
    samples.push_back(any_finite<T>(rng));
  for (const T x : samples) {
    EXPECT_TRUE(ordered(parsed<T>(shortest_decimal(x))) == ordered(x)) << shortest_decimal(x);
    EXPECT_TRUE(ordered(parsed<T>(hex_float(x))) == ordered(x)) << hex_float(x);
    EXPECT_LE(shortest_decimal(x).size(), 6 + 8 + static_cast<size_t>(std::numeric_limits<T>::max_digits10));
  }
  EXPECT_TRUE(std::signbit(parsed<T>(shortest_decimal(-T{0}))));
  EXPECT_TRUE(std::signbit(parsed<T>(hex_float(-T{0}))));
}

TYPED_TEST(PrintedNumbers, SpecialValuesAreWords) {
  using T = TypeParam;
  const T infinity = std::numeric_limits<T>::infinity();
  EXPECT_EQ(shortest_decimal(infinity), "inf");
  EXPECT_EQ(shortest_decimal(-infinity), "-inf");
  EXPECT_EQ(shortest_decimal(std::numeric_limits<T>::quiet_NaN()), "nan");
  EXPECT_EQ(hex_float(-infinity), "-inf");
  EXPECT_EQ(parsed<T>("-Infinity"), -infinity);
  EXPECT_EQ(parsed<T>("+INF"), infinity);
  EXPECT_TRUE(std::isnan(parsed<T>("NaN")));
}

TEST(ShortestDecimal, IsAsPeopleWriteIt) {
  EXPECT_EQ(shortest_decimal(0.1), "0.1");
  EXPECT_EQ(shortest_decimal(0.1f), "0.1");
  EXPECT_EQ(shortest_decimal(0.1L), "0.1");
  EXPECT_EQ(shortest_decimal(5e-324), "5e-324");
}

TEST(BriefDecimal, IsAsPeopleTypeIt) {
  EXPECT_EQ(brief_decimal(1e9L, 3), "1e9");
  EXPECT_EQ(brief_decimal(0.25L, 3), "0.25");
  EXPECT_EQ(brief_decimal(-7.4512e-9L, 3), "-7.45e-9");
  EXPECT_EQ(brief_decimal(1.2345e-310L, 2), "1.2e-310");
  EXPECT_EQ(brief_decimal(INFINITY, 3), "inf");
}

TEST(AsTyped, ChangesTheExponentsInATextAndNothingElse) {
  EXPECT_EQ(as_typed("1e+09 minus 2.5e-07 is at line 009"), "1e9 minus 2.5e-7 is at line 009");
  EXPECT_EQ(as_typed("1e-100, 1e+200, 1e+00"), "1e-100, 1e200, 1e+00");
  EXPECT_EQ(as_typed("phase+01"), "phase+01");
}

TEST(RoundedDecimal, HasTheDigitsThatWereAskedFor) {
  EXPECT_EQ(rounded_decimal(0.123456L, 1), 0.1L);
  EXPECT_EQ(rounded_decimal(0.123456L, 4), 0.1235L);
  EXPECT_EQ(rounded_decimal(-98765.0L, 2), -99000.0L);
  EXPECT_EQ(rounded_decimal(9.7e-5L, 1), 1e-4L);
  EXPECT_EQ(rounded_decimal(0.0L, 3), 0.0L);
}

TEST(RoundedDecimal, IsTheValueItselfWhereItWouldBeInfinite) {
  const long double largest = std::numeric_limits<long double>::max(); // 1.18973...e4932
  EXPECT_EQ(rounded_decimal(largest, 3), largest);
  EXPECT_EQ(rounded_decimal(largest, 2), largest);
  EXPECT_EQ(rounded_decimal(largest, 1), 1e4932L);
}

TEST(HexFloat, IsWhatPrintfWritesForNormalDoubles) {
  EXPECT_EQ(hex_float(0x1.ad7f29abcaf48p-24), "0x1.ad7f29abcaf48p-24");
  EXPECT_EQ(hex_float(0x1p-1074), "0x1p-1074");
  EXPECT_EQ(hex_float(-1), "-0x1p+0");
  EXPECT_EQ(hex_float(0), "0x0p+0");
  Rng rng(2);
  for (int i = 0; i < 2000; ++i) {
    const double x = with_exponent<double>(rng, -1022, 1023);
    char expected[64];
    std::snprintf(expected, sizeof expected, "%a", x);
    EXPECT_EQ(hex_float(x), expected);
  }
}

TEST(ParsedNumbers, AreRoundedLikeStrtod) {
  Rng rng(3);
  for (int i = 0; i < 5000; ++i) {
    const long double x =
        i % 2 ? with_exponent<long double>(rng, -1070, 1020) : with_exponent<long double>(rng, -148, 126);
    char text[128];
    std::snprintf(text, sizeof text, i % 3 ? "%.*Le" : "%.*La", 3 + static_cast<int>(rng.below(25)), x);
    if (i % 2)
      EXPECT_EQ(parse_double(text), std::strtod(text, nullptr)) << text;
    else
      EXPECT_EQ(parse_number(text, Format::binary32), std::strtof(text, nullptr)) << text;
    EXPECT_EQ(parse_long_double(text), std::strtold(text, nullptr)) << text;
  }
}

TEST(ParsedNumbers, JustAboveAMidpointAreRoundedUpHoweverFarTheDigit) {
  const std::string midpoint = "1.00000000000000011102230246251565404236316680908203125"; // 1 + 2^-53
  EXPECT_EQ(parse_double(midpoint), 1.0);
  EXPECT_EQ(parse_double(midpoint + std::string(300, '0') + "1"), next_up(1.0));
  EXPECT_EQ(parse_double("0x1.00000000000008" + std::string(300, '0') + "1p0"), next_up(1.0));
}

TEST(ParsedNumbers, AcceptUsualNotations) {
  EXPECT_EQ(parse_double("+1.5"), 1.5);
  EXPECT_EQ(parse_double(".5"), 0.5);
  EXPECT_EQ(parse_double("5."), 5.0);
  EXPECT_EQ(parse_double("1E3"), 1000.0);
  EXPECT_EQ(parse_double("0X1.8P+1"), 3.0);
  EXPECT_EQ(parse_double("0xA"), 10.0);
  EXPECT_EQ(parse_double("0e999999"), 0.0);
  EXPECT_EQ(parse_double("1e-320"), 1e-320);
}

TEST(ParsedNumbers, RefuseWhatIsNoNumber) {
  for (const char* text :
       {"",   "-",   "+",   ".",        "e5",  "1e",      "1e+",    "0x",   "0xp1", "1.2.3", "1,5",  "1_000", " 1",
        "1 ", "--1", "+-1", "0x1.8e3x", "1p3", "infinit", "nan(1)", "0b11", "1f",   "@inf@", "0x-1", "-0x"})
    EXPECT_EQ(parse_double(text), std::nullopt) << '"' << text << '"';
}

TEST(ParsedNumbers, RefuseWhatTheFormatLacks) {
  EXPECT_EQ(parse_number("1e39", Format::binary32), std::nullopt);
  EXPECT_EQ(parse_double("1e39"), 1e39);
  EXPECT_EQ(parse_double("-1e309"), std::nullopt);
  EXPECT_EQ(parse_double("1e-400"), std::nullopt);
  EXPECT_EQ(parse_long_double("1e-400"), 1e-400L);
  EXPECT_EQ(parse_double("1e999999999999999999999"), std::nullopt);
  EXPECT_EQ(parse_double("1e-999999999999999999999"), std::nullopt);
}

} // namespace
} // namespace faultline::numeric
