// The start points of searches: outside of the range, they would find irrelevant inputs.
#include "searching.h"

#include "search/bracket/line_search.h"

namespace faultline::test {
namespace {

using search::Space;

TEST(BasePoints, LieInTheSpace) {
  const std::vector<Space> spaces = {
      {{a_double(0, 24)}},
      {{a_double(-largest_double, largest_double)}},
      {{a_float(5, 20), an_integer(1, 1000), a_double(3, 3)}},
      {{a_double(1e10L, 1e300L), a_long_double(-1, 1e-300L)}},
  };
  for (const Space& space : spaces) {
    numeric::Rng rng(1);
    auto check = [&](const exec::Input& input) {
      for (size_t i = 0; i < input.size(); ++i)
        EXPECT_TRUE(is_value_of(space.dimensions[i], input[i])) << double(input[i]);
    };
    for (int i = 0; i < 500; ++i) {
      check(search::base_point(space, rng));
      check(search::ordinary_point(space, rng));
    }
    for (const exec::Input& input : search::spread_points(space, 50, rng))
      check(input);
  }
}

TEST(OrdinaryPoints, AreSpreadOverTheReals) {
  numeric::Rng rng(1);
  int large = 0, usual = 0;
  for (int i = 0; i < 800; ++i) {
    large += search::ordinary_point({{a_double(0, 24)}}, rng)[0] > 12;
    const long double value = std::fabs(search::ordinary_point({{a_double(-largest_double, largest_double)}}, rng)[0]);
    usual += value > 0x1p-5L && value < 0x1p21L;
  }
  EXPECT_GT(large, 250);
  EXPECT_GT(usual, 600);
}

TEST(SpreadPoints, BeginNearTheEnds) {
  for (uint64_t seed = 1; seed < 20; ++seed) {
    numeric::Rng rng(seed);
    const std::vector<exec::Input> points = search::spread_points({{a_double(-8, 8)}}, 3, rng);
    ASSERT_EQ(points.size(), 3u);
    EXPECT_LE(points[0][0], -4);
    EXPECT_GE(points[1][0], 4);
  }
}

} // namespace
} // namespace faultline::test
