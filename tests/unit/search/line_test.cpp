// Lines: a bisection along them must end at two neighbouring floats, and no step may leave the range.
#include "searching.h"

#include "search/line.h"

namespace faultline::test {
namespace {

using numeric::Int128;
using search::Dimension;
using search::Line;
using search::Space;

struct Named {
  const char* name;
  Dimension dimension;
};
void PrintTo(const Named& named, std::ostream* stream) { *stream << named.name; }

class Along : public testing::TestWithParam<Named> {};

TEST_P(Along, NeighbouringPositionsAreNeighbouringValues) {
  const Dimension& d = GetParam().dimension;
  const Space space{{a_double(0, 1), d}};
  const Line line = Line::along(space, {0.25, d.low}, 1);
  EXPECT_EQ(line.dimension(), 1u);
  EXPECT_EQ(line.at(0)[1], d.low);
  EXPECT_EQ(line.at(line.length())[1], d.high);
  numeric::Rng rng(4);
  for (int i = 0; i < 2000; ++i) {
    const Int128 position = search::uniform_between(0, line.length() - 1, rng);
    const exec::Input here = line.at(position), next = line.at(position + 1);
    ASSERT_TRUE(d.order(next[1]) - d.order(here[1]) == 1) << here[1] << " " << next[1];
    ASSERT_TRUE(is_value_of(d, here[1])) << here[1];
    ASSERT_EQ(here[0], 0.25) << "only one input moves";
  }
}

TEST_P(Along, PositionsAndValuesAreInverse) {
  const Dimension& d = GetParam().dimension;
  const Space space{{d}};
  const Line line = Line::along(space, {d.low}, 0);
  numeric::Rng rng(5);
  for (int i = 0; i < 500; ++i) {
    const Int128 position = search::uniform_between(0, line.length(), rng);
    ASSERT_TRUE(line.position(line.at(position)[0]) == position);
  }
  EXPECT_TRUE(line.position(d.low) == 0);
  EXPECT_TRUE(line.position(d.high) == line.length());
  EXPECT_TRUE(line.position(-INFINITY) == 0) << "what lies beyond is moved to the end";
  EXPECT_TRUE(line.position(INFINITY) == line.length());
}

TEST_P(Along, PositionsBeyondTheEndsAreTheEnds) {
  const Dimension& d = GetParam().dimension;
  const Space space{{d}};
  const Line line = Line::along(space, {d.low}, 0);
  EXPECT_EQ(line.at(-1)[0], d.low);
  EXPECT_EQ(line.at(line.length() + 1)[0], d.high);
}

INSTANTIATE_TEST_SUITE_P(
    All, Along,
    testing::Values(Named{"all_doubles", a_double(-largest_double, largest_double)},
                    Named{"some_doubles", a_double(-2, 1e6)}, Named{"positive_doubles", a_double(0, 10)},
                    Named{"negative_doubles", a_double(-10, -1e-300)},
                    Named{"all_floats", a_float(-std::numeric_limits<float>::max(), std::numeric_limits<float>::max())},
                    Named{"some_floats", a_float(-0.5, 3)},
                    Named{"all_long_doubles", a_long_double(-std::numeric_limits<long double>::max(),
                                                            std::numeric_limits<long double>::max())},
                    Named{"some_long_doubles", a_long_double(-1, 1e4000L)}, Named{"some_integers", an_integer(-30, 7)},
                    Named{"all_integers", an_integer(-0x1p63L, 0x1p63L - 1)}),
    [](const auto& info) { return info.param.name; });

TEST(LineBetween, RunsFromOneInputToTheOther) {
  const Space space{{a_double(-10, 10), a_float(-10, 10), an_integer(-5, 5), a_double(3, 3)}};
  const exec::Input from = {1, 2, -4, 3}, to = {-1.5, 7, 4, 3};
  const Line line = Line::between(space, from, to);
  EXPECT_EQ(line.at(0), from);
  EXPECT_EQ(line.at(line.length()), to);
  EXPECT_EQ(line.dimension(), 0u) << "the one that moves over most floats";
  EXPECT_TRUE(line.length() == space.dimensions[0].order(1) - space.dimensions[0].order(-1.5));
}

TEST(LineBetween, GoesDownAsItGoesUp) {
  const Space space{{a_double(-10, 10)}};
  const Line up = Line::between(space, {-1}, {2}), down = Line::between(space, {2}, {-1});
  ASSERT_TRUE(up.length() == down.length());
  numeric::Rng rng(6);
  for (int i = 0; i < 200; ++i) {
    const Int128 position = search::uniform_between(0, up.length(), rng);
    EXPECT_EQ(up.at(position)[0], down.at(down.length() - position)[0]);
    EXPECT_TRUE(down.position(down.at(position)[0]) == position);
  }
}

// Bisection relies on it: an input that goes back and forth has no bracket.
TEST(LineBetween, EveryInputMovesOneWayAndByOneFloatAtMost) {
  const Space space{{a_double(-1e300L, 1e300L), a_float(-100, 100), an_integer(-1000, 1000)}};
  const Line line = Line::between(space, {-1e200L, 50, 900}, {1e250L, -3, -1000});
  numeric::Rng rng(7);
  for (int i = 0; i < 5000; ++i) {
    const Int128 position = search::uniform_between(0, line.length() - 1, rng);
    const exec::Input here = line.at(position), next = line.at(position + 1);
    for (size_t d = 0; d < 3; ++d) {
      const Int128 step = space.dimensions[d].order(next[d]) - space.dimensions[d].order(here[d]);
      ASSERT_TRUE(d == 0 ? step == 1 : step == 0 || step == -1) << here[d] << " " << next[d];
    }
  }
}

// x87's order numbers have more bits than a long double's significand.
TEST(LineBetween, OfLongDoublesStaysInTheRange) {
  const long double most = std::numeric_limits<long double>::max();
  const Space space{{a_long_double(-most, most), a_long_double(-1, most), a_long_double(-most, 3)}};
  numeric::Rng rng(8);
  for (int i = 0; i < 300; ++i) {
    const Line line = Line::between(space, {-most, space.dimensions[1].nearest(rng.uniform(-1, 1)), 3},
                                    {most, most, i % 2 == 0 ? -most : -1e4000L});
    for (int k = 0; k < 60; ++k)
      for (const Int128 position : {Int128(k), line.length() - k, search::uniform_between(0, line.length(), rng)})
        for (size_t d = 0; d < 3; ++d)
          ASSERT_TRUE(is_value_of(space.dimensions[d], line.at(position)[d])) << d << " " << line.at(position)[d];
  }
}

TEST(LineBetween, TheSameInputHasNoLength) {
  const Space space{{a_double(-10, 10), an_integer(0, 3)}};
  const Line line = Line::between(space, {1, 2}, {1, 2});
  EXPECT_TRUE(line.length() == 0);
  EXPECT_EQ(line.at(0), (exec::Input{1, 2}));
  EXPECT_TRUE(line.position(5) == 0);
}

TEST(LineAlong, PassesBothZeros) {
  const Space space{{a_double(-1, 1)}};
  const Line line = Line::along(space, {0}, 0);
  const Int128 zero = line.position(0);
  EXPECT_FALSE(std::signbit(line.at(zero)[0]));
  EXPECT_EQ(line.at(zero - 1)[0], 0);
  EXPECT_TRUE(std::signbit(line.at(zero - 1)[0]));
  EXPECT_EQ(line.at(zero - 2)[0], -std::numeric_limits<double>::denorm_min());
}

} // namespace
} // namespace faultline::test
