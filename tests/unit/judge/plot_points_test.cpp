#include "judge/tasks/work.h"

#include "numeric/bigfloat.h"
#include "numeric/decimal.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <set>

namespace faultline::judge {
namespace {

using search::Dimension;

Dimension doubles(long double low, long double high) {
  Dimension dimension;
  dimension.low = low;
  dimension.high = high;
  return dimension;
}

bool has(const std::vector<long double>& values, long double value) {
  return std::ranges::find(values, value) != values.end();
}

TEST(PlotPoints, TheNeighboursAreThereOneByOneAndThenEverFurther) {
  const Dimension all = doubles(-1e308L, 1e308L);
  const std::vector<long double> points = points_around(all, 1.0, 253);
  EXPECT_TRUE(std::ranges::is_sorted(points));
  EXPECT_LE(points.size(), 253u);
  EXPECT_GT(points.size(), 200u);
  for (int i = -31; i <= 31; ++i)
    EXPECT_TRUE(has(points, numeric::nth(1.0, i))) << i;
  EXPECT_LE(points.front(), 0.51) << "half and twice the value are in sight";
  EXPECT_GE(points.back(), 1.9);
}

TEST(PlotPoints, NothingOutsideTheSearchRangeIsRun) {
  const std::vector<long double> points = points_around(doubles(1, 1.5), 1.0, 253);
  EXPECT_EQ(points.front(), 1) << "the finding itself, at the end of the range";
  EXPECT_LE(points.back(), 1.5);
  for (const long double value : points_of_range(doubles(-2, 3), 1.0, 50)) {
    EXPECT_GE(value, -2);
    EXPECT_LE(value, 3);
  }
}

TEST(PlotPoints, TheRangeIsCoveredEvenlyAndHasTheFinding) {
  const Dimension dimension = doubles(1e-300, 1e300);
  const long double found = 0x1.82d664cabfae3p-82;
  const std::vector<long double> points = points_of_range(dimension, found, 201);
  EXPECT_TRUE(has(points, found));
  EXPECT_EQ(points.front(), dimension.low);
  EXPECT_EQ(points.back(), dimension.high);
  const double step = double(dimension.width()) / 200;
  for (size_t i = 1; i < points.size(); ++i)
    EXPECT_LT(double(dimension.order(points[i]) - dimension.order(points[i - 1])), 2.01 * step) << i;
}

TEST(PlotPoints, ValuesOfTheRangeAreShortWhereTheyCanBe) {
  size_t longest = 0;
  for (const long double value : points_of_range(doubles(-1e300, 1e300), 0, 201))
    longest = std::max(longest, numeric::shortest_decimal(double(value)).size());
  EXPECT_LE(longest, 10u) << "-1.23e-100";
  const std::vector<long double> narrow = points_of_range(doubles(1, numeric::nth(1.0, 1000)), 1, 201);
  EXPECT_GT(narrow.size(), 190u) << "rounding must not make them fall together";
}

TEST(PlotPoints, WhereverTheTimeEndsThePointsAreSpread) {
  for (const size_t n : {0u, 1u, 2u, 3u, 64u, 201u}) {
    const std::vector<size_t> order = coarse_to_fine(n);
    EXPECT_EQ(std::set<size_t>(order.begin(), order.end()).size(), n);
    EXPECT_EQ(order.size(), n);
  }
  std::vector<size_t> begin = coarse_to_fine(201);
  begin.resize(20);
  std::ranges::sort(begin);
  for (size_t i = 1; i < begin.size(); ++i)
    EXPECT_LE(begin[i] - begin[i - 1], 16u);
  EXPECT_EQ(begin.back(), 200u) << "the end of the range is always there";
}

TEST(PlotPoints, EverydayNumbersAreDenseEnoughToZoomInto) {
  const long double most = numeric::largest(numeric::Format::binary64);
  const std::vector<long double> points = points_to_read(doubles(-most, most), 1e-8L, 261);
  EXPECT_TRUE(std::ranges::is_sorted(points));
  EXPECT_LE(points.size(), 265u);
  EXPECT_TRUE(has(points, 1e-8)) << "the finding";
  EXPECT_TRUE(has(points, most) && has(points, -most)) << "the ends";
  for (int decade = -9; decade < 9; ++decade) {
    const long double low = std::pow(10.0L, decade);
    EXPECT_GE(std::ranges::count_if(points, [&](long double x) { return x >= low && x <= 10 * low; }), 3) << decade;
    EXPECT_GE(std::ranges::count_if(points, [&](long double x) { return x <= -low && x >= -10 * low; }), 3) << decade;
  }
}

TEST(PlotPoints, AGivenRangeIsCoveredAsTheRealLineToo) {
  const std::vector<long double> points = points_to_read(doubles(-2, 2), 1e-8L, 261);
  for (long double x = -2; x < 2; x += 0.1L)
    EXPECT_TRUE(std::ranges::any_of(points, [&](long double point) { return point >= x && point <= x + 0.1L; }))
        << double(x);
  EXPECT_GE(points.front(), -2);
  EXPECT_LE(points.back(), 2);
}

TEST(PlotPoints, AFindingThatIsNotEverydayHasItsOwnDecades) {
  for (const long double value : {1e200L, -1e-200L, 1e-320L, 1.7e308L}) {
    const auto found = (long double)double(value);
    const std::vector<long double> points = points_to_read(doubles(-1.7e308L, 1.7e308L), found, 261);
    EXPECT_TRUE(has(points, found)) << double(value);
    const auto near = [&](long double x) { return x * found > 0 && x / found > 1e-2L && x / found < 1e2L; };
    if (std::fabs(found) > numeric::smallest_normal(numeric::Format::binary64)) { // below, floats are equally far apart
      EXPECT_GE(std::ranges::count_if(points, near), 10) << double(value);
    }
  }
}

} // namespace
} // namespace faultline::judge
