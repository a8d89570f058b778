// The input space: what a strategy may draw, and that it draws all of it.
#include "search/space.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <set>

namespace faultline::search {
namespace {

using numeric::Format;

Dimension dimension(Format format, long double low, long double high) { return {"x", true, format, low, high}; }
Dimension integer(long double low, long double high) { return {"n", false, Format::binary64, low, high}; }

struct Named {
  const char* name;
  Dimension dimension;
};
void PrintTo(const Named& named, std::ostream* stream) { *stream << named.name; }

Dimension flag(std::vector<long double> values) {
  return {"mode", false, Format::binary64, values.front(), values.back(), values};
}

TEST(Flag, HasItsValuesAndNoOthers) {
  const Dimension mode = flag({-1, 0, 8, 100});
  const Space space{{mode}};
  numeric::Rng rng(3);
  std::map<long double, int> seen;
  for (int i = 0; i < 400; ++i) {
    ++seen[space.sample_floats(rng).at(0)];
    EXPECT_TRUE(std::ranges::find(mode.values, space.sample_reals(rng).at(0)) != mode.values.end());
  }
  ASSERT_EQ(seen.size(), 4u);
  for (const auto& [value, times] : seen)
    EXPECT_GT(times, 50) << value; // each as likely as any other
}

TEST(Flag, IsOrderedByItsValues) {
  const Dimension mode = flag({-1, 0, 8, 100});
  EXPECT_EQ(mode.width(), 3);
  for (size_t i = 0; i < mode.values.size(); ++i) {
    EXPECT_EQ(mode.order(mode.values[i]), numeric::Int128(i));
    EXPECT_EQ(mode.at(numeric::Int128(i)), mode.values[i]);
  }
  EXPECT_EQ(mode.at(-5), -1);
  EXPECT_EQ(mode.at(9), 100);
}

TEST(Flag, TakesTheNearestOfItsValues) {
  const Dimension mode = flag({-1, 0, 8, 100});
  EXPECT_EQ(mode.nearest(5), 8);
  EXPECT_EQ(mode.nearest(3.5L), 0);
  EXPECT_EQ(mode.nearest(-7), -1);
  EXPECT_EQ(mode.nearest(1e9L), 100);
  EXPECT_EQ(mode.nearest(std::numeric_limits<long double>::quiet_NaN()), -1);
  EXPECT_EQ(mode.reflected(101), 100);
  const Space space{{mode, integer(0, 9)}};
  EXPECT_EQ(space.with_own_values({53, 7}), (exec::Input{8, 7}));
}

class Drawn : public testing::TestWithParam<Named> {};

bool is_value_of(const Dimension& dimension, long double value) {
  if (!dimension.floating)
    return value == std::rint(value);
  return dimension.format == Format::binary32   ? (long double)float(value) == value
         : dimension.format == Format::binary64 ? (long double)double(value) == value
                                                : true;
}

TEST_P(Drawn, ValuesAreInTheRangeAndOfTheFormat) {
  const Dimension& d = GetParam().dimension;
  const Space space{{d}};
  numeric::Rng rng(11);
  std::set<long double> seen;
  for (int i = 0; i < 2000; ++i) {
    const exec::Input floats = space.sample_floats(rng), reals = space.sample_reals(rng);
    for (long double value : {floats.at(0), reals.at(0)}) {
      EXPECT_GE(value, d.low);
      EXPECT_LE(value, d.high);
      EXPECT_TRUE(is_value_of(d, value)) << value;
      seen.insert(value);
    }
  }
  if (d.held())
    EXPECT_EQ(seen, std::set<long double>{d.low});
  else
    EXPECT_GT(seen.size(), 9u);
}

TEST_P(Drawn, OrderAndValueAreInverse) {
  const Dimension& d = GetParam().dimension;
  numeric::Rng rng(12);
  const Space space{{d}};
  for (int i = 0; i < 500; ++i) {
    const long double value = space.sample_floats(rng).at(0);
    EXPECT_EQ(d.at(d.order(value)), value);
  }
  EXPECT_LE(d.order(d.low), d.order(d.high));
}

TEST_P(Drawn, NearestStaysInside) {
  const Dimension& d = GetParam().dimension;
  for (long double value :
       {-INFINITY * 1.0L, -1e300L, -0.3L, 0.0L, 0.7L, 5.49L, 1e300L, INFINITY * 1.0L, std::nanl("")}) {
    const long double near = d.nearest(value);
    EXPECT_GE(near, d.low);
    EXPECT_LE(near, d.high);
    EXPECT_TRUE(is_value_of(d, near));
  }
  EXPECT_EQ(d.nearest(std::nanl("")), d.low);
}

INSTANTIATE_TEST_SUITE_P(
    All, Drawn,
    testing::Values(Named{"all_floats", dimension(Format::binary32, -std::numeric_limits<float>::max(),
                                                  std::numeric_limits<float>::max())},
                    Named{"all_doubles", dimension(Format::binary64, -std::numeric_limits<double>::max(),
                                                   std::numeric_limits<double>::max())},
                    Named{"all_long_doubles", dimension(Format::extended80, -std::numeric_limits<long double>::max(),
                                                        std::numeric_limits<long double>::max())},
                    Named{"some_doubles", dimension(Format::binary64, -2, 1e6)},
                    Named{"ten_neighbours", dimension(Format::binary64, 1, 1 + 0x1.4p-49)},
                    Named{"positive_floats", dimension(Format::binary32, 0, 5.5L)},
                    Named{"held_double", dimension(Format::binary64, 0.1, 0.1)},
                    Named{"some_integers", integer(-4, 20)}, Named{"all_integers", integer(-0x1p63L, 0x1p63L - 1)},
                    Named{"held_integer", integer(7, 7)}),
    [](const auto& info) { return info.param.name; });

TEST(Space, EveryValueOfASmallRangeIsDrawn) {
  const Dimension d = dimension(Format::binary64, 1, 1 + 0x1p-49); // eight steps
  const Dimension n = integer(-3, 5);
  numeric::Rng rng(1);
  std::set<long double> doubles, integers;
  const Space space{{d, n}};
  for (int i = 0; i < 1000; ++i) {
    const exec::Input input = space.sample_floats(rng);
    doubles.insert(input[0]);
    integers.insert(input[1]);
  }
  EXPECT_EQ(doubles.size(), 9u);
  EXPECT_EQ(integers.size(), 9u);
}

TEST(Space, DrawsThroughZeroFromBothSides) {
  const float tiny = std::numeric_limits<float>::denorm_min();
  const Space space{{dimension(Format::binary32, -2 * tiny, 2 * tiny)}};
  numeric::Rng rng(1);
  std::set<std::pair<long double, bool>> seen;
  for (int i = 0; i < 500; ++i) {
    const long double value = space.sample_floats(rng)[0];
    seen.insert({value, std::signbit(value)});
  }
  EXPECT_EQ(seen.size(), 6u) << "two of each sign, and both zeros";
}

template <typename Float> void expect_every_exponent(Format format) {
  const Space space{{dimension(format, -std::numeric_limits<Float>::max(), std::numeric_limits<Float>::max())}};
  numeric::Rng rng(1);
  constexpr int bins = 16, draws = 32'000;
  std::map<int, int> counts;
  int negative = 0;
  const int lowest = std::numeric_limits<Float>::min_exponent - 1;
  const int width =
      (std::numeric_limits<Float>::max_exponent - std::numeric_limits<Float>::min_exponent + 1 + bins) / bins;
  for (int i = 0; i < draws; ++i) {
    const long double value = space.sample_floats(rng)[0];
    counts[std::max(0, std::ilogb(value) - lowest) / width]++;
    negative += value < 0;
  }
  for (int bin = 0; bin + 1 < bins; ++bin)
    EXPECT_NEAR(counts[bin], draws / bins, draws / bins / 4) << "exponents of bin " << bin;
  EXPECT_NEAR(negative, draws / 2, draws / 20);
}

TEST(Space, DrawsAllExponentsOfFloatsAlike) { expect_every_exponent<float>(Format::binary32); }
TEST(Space, DrawsAllExponentsOfDoublesAlike) { expect_every_exponent<double>(Format::binary64); }
TEST(Space, DrawsAllExponentsOfLongDoublesAlike) { expect_every_exponent<long double>(Format::extended80); }

TEST(Space, DrawsTheRealLineUniformly) {
  const Space space{{dimension(Format::binary64, -10, 30)}};
  numeric::Rng rng(1);
  int below[4] = {};
  for (int i = 0; i < 8000; ++i)
    below[int((space.sample_reals(rng)[0] + 10) / 10)]++;
  for (int count : below)
    EXPECT_NEAR(count, 2000, 200);
}

} // namespace
} // namespace faultline::search
