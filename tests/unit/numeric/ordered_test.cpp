#include "numeric/format.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "samples.h"

namespace faultline::numeric {
namespace {

// The value of a bit pattern, read by the definition of the format: bias 7, four exponent bits, three fraction bits.
double value_of_small_pattern(unsigned bits, bool explicit_integer_bit) {
  const unsigned fraction = bits & 7;
  const unsigned integer_bit = explicit_integer_bit ? (bits >> 3) & 1 : 0;
  const unsigned above = explicit_integer_bit ? bits >> 4 : bits >> 3;
  const unsigned exponent = above & 15;
  const double sign = above >> 4 ? -1 : 1;
  if (exponent == 15)
    return fraction == 0 ? sign * INFINITY : NAN;
  const bool leading_one = explicit_integer_bit ? integer_bit == 1 : exponent != 0;
  return sign * std::ldexp((leading_one ? 8 : 0) + fraction, std::max(exponent, 1u) - 7 - 3);
}

class SmallFormat : public testing::TestWithParam<bool> {
protected:
  Layout layout() const { return {4, 3, GetParam()}; }

  // Every pattern that an operation can produce and that is not NaN.
  std::vector<unsigned> patterns() const {
    std::vector<unsigned> result;
    for (unsigned bits = 0; bits < (GetParam() ? 512u : 256u); ++bits) {
      const bool canonical = !GetParam() || (((bits >> 4) & 15) != 0) == (((bits >> 3) & 1) != 0);
      if (canonical && !std::isnan(value_of_small_pattern(bits, GetParam())))
        result.push_back(bits);
    }
    return result;
  }
};

TEST_P(SmallFormat, EveryValueSurvivesTheWayThereAndBack) {
  ASSERT_EQ(patterns().size(), 242u);
  for (const unsigned bits : patterns())
    EXPECT_EQ(static_cast<unsigned>(bits_from_ordered(ordered_from_bits(bits, layout()), layout())), bits);
}

TEST_P(SmallFormat, OrderOfIntegersIsOrderOfValuesAndLeavesNoGaps) {
  const Int128 infinity = 15 * 8;
  for (Int128 order = -infinity - 1; order < infinity; ++order) {
    const double here = value_of_small_pattern(static_cast<unsigned>(bits_from_ordered(order, layout())), GetParam());
    const double above =
        value_of_small_pattern(static_cast<unsigned>(bits_from_ordered(order + 1, layout())), GetParam());
    if (order == -1) {
      EXPECT_TRUE(here == 0 && std::signbit(here) && above == 0 && !std::signbit(above));
    } else {
      EXPECT_LT(here, above) << static_cast<int>(order);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(HiddenAndStoredLeadingBit, SmallFormat, testing::Bool(),
                         [](const auto& param) { return param.param ? "Stored" : "Hidden"; });

TEST(ExtendedLayout, PseudoDenormalIsReadAsTheNormalItEquals) {
  const Layout layout{4, 3, true};
  EXPECT_EQ(static_cast<int>(ordered_from_bits(0b0'0000'1'000, layout)), 8);
  EXPECT_EQ(static_cast<int>(ordered_from_bits(0b0'0001'1'000, layout)), 8);
}

template <class T> class OrderedFloats : public testing::Test {};
using Formats = testing::Types<float, double, long double>;
TYPED_TEST_SUITE(OrderedFloats, Formats);

TYPED_TEST(OrderedFloats, ZerosAndTheSmallestSubnormalsAreNeighbours) {
  using T = TypeParam;
  EXPECT_TRUE(ordered(T{0}) == 0);
  EXPECT_TRUE(ordered(-T{0}) == -1);
  EXPECT_TRUE(ordered(std::numeric_limits<T>::denorm_min()) == 1);
  EXPECT_TRUE(ordered(-std::numeric_limits<T>::denorm_min()) == -2);
}

TYPED_TEST(OrderedFloats, NeighboursAreThoseOfTheMachine) {
  using T = TypeParam;
  Rng rng(1);
  std::vector<T> samples{1,
                         -1,
                         std::numeric_limits<T>::min(),
                         std::numeric_limits<T>::max(),
                         -std::numeric_limits<T>::min(),
                         std::numeric_limits<T>::denorm_min()};
  for (int i = 0; i < 5000; ++i)
    samples.push_back(any_finite<T>(rng));
  for (const T x : samples) {
    const T infinity = std::numeric_limits<T>::infinity();
    EXPECT_EQ(from_ordered<T>(ordered(x)), x);
    if (x != 0) {
      EXPECT_EQ(next_up(x), std::nextafter(x, infinity));
      EXPECT_EQ(next_down(x), std::nextafter(x, -infinity));
      EXPECT_TRUE(ulps_between(x, std::nextafter(x, infinity)) == 1) << x;
    }
  }
}

TYPED_TEST(OrderedFloats, DistanceSurvivesTheFullRangeAndCountsZeroOnce) {
  using T = TypeParam;
  using Distance = OrderedDistance<T>;
  const T tiny = std::numeric_limits<T>::denorm_min(), infinity = std::numeric_limits<T>::infinity();
  EXPECT_TRUE(ulps_between(T{0}, -T{0}) == 0);
  EXPECT_TRUE(ulps_between(-tiny, tiny) == 2);
  EXPECT_TRUE(ulps_between(tiny, -tiny) == 2);
  EXPECT_TRUE(ulps_between(-infinity, infinity) == 2 * static_cast<Distance>(ordered(infinity)));
  EXPECT_TRUE(ulps_between(T{1}, T(2)) == Distance{1} << (std::numeric_limits<T>::digits - 1));
  EXPECT_TRUE(ulps_between(T{1}, std::numeric_limits<T>::quiet_NaN()) == static_cast<Distance>(-1));
}

TYPED_TEST(OrderedFloats, SteppingStopsAtTheInfinitiesAndNeverReachesNaN) {
  using T = TypeParam;
  using Integer = Ordered<T>;
  const T infinity = std::numeric_limits<T>::infinity();
  const Integer many = static_cast<Integer>(static_cast<OrderedDistance<T>>(-1) >> 1);
  EXPECT_EQ(nth(T{1}, many), infinity);
  EXPECT_EQ(nth(-T{0}, many), infinity);
  EXPECT_EQ(nth(T{0}, -many), -infinity);
  EXPECT_EQ(nth(T{-1}, -many - 1), -infinity);
  EXPECT_EQ(next_up(infinity), infinity);
  EXPECT_EQ(next_down(-infinity), -infinity);
  EXPECT_EQ(next_up(-infinity), -std::numeric_limits<T>::max());
  EXPECT_EQ(nth(T{1}, Integer{5}), nth(nth(T{1}, Integer{-3}), Integer{8}));
  EXPECT_TRUE(std::isnan(next_up(std::numeric_limits<T>::quiet_NaN())));
}

} // namespace
} // namespace faultline::numeric
