#include "solve/newton/descent.h"

#include "numeric/random.h"

#include <cmath>
#include <gtest/gtest.h>

namespace faultline::solve {
namespace {

TEST(MarginProgram, FindsTheMiddleOfAStripAndItsHalfWidth) {
  MarginProgram program{.variables = 2, .rows = {}, .weights = {}, .bounds = {}, .limit = 100};
  program.add({1, 1}, std::sqrt(2), 1);
  program.add({-1, -1}, std::sqrt(2), -0.5);
  program.add({1, 0}, 0, 10);
  program.add({-1, 0}, 0, 10);
  const MarginPoint point = widest_point(program);
  ASSERT_TRUE(point.solved);
  EXPECT_NEAR(point.x[0] + point.x[1], 0.75, 1e-8);
  EXPECT_NEAR(point.margin, 0.25 / std::sqrt(2), 1e-8);
}

TEST(MarginProgram, SaysByANegativeMarginThatNothingIsInside) {
  MarginProgram program{.variables = 1, .rows = {}, .weights = {}, .bounds = {}, .limit = 100};
  program.add({1}, 1, 0);
  program.add({-1}, 1, -2);
  const MarginPoint point = widest_point(program);
  EXPECT_NEAR(point.margin, -1, 1e-8);
  EXPECT_NEAR(point.x[0], 1, 1e-8);
}

// Polytopes around a known point, most of them thin: the margin is at least the one of that point.
TEST(MarginProgram, IsAtLeastAsFarFromTheWallsAsAKnownPoint) {
  numeric::Rng rng(7);
  for (int trial = 0; trial < 200; ++trial) {
    const size_t n = 1 + rng.below(8), m = 2 + rng.below(30);
    MarginProgram program{.variables = n, .rows = {}, .weights = {}, .bounds = {}, .limit = 1000};
    std::vector<double> inside(n);
    for (double& x : inside)
      x = rng.uniform(-10, 10);
    const double room = std::pow(10, -double(rng.below(7)));
    for (size_t i = 0; i < m; ++i) {
      std::vector<double> row(n);
      double value = 0, length = 0;
      for (size_t j = 0; j < n; ++j) {
        row[j] = rng.uniform(-1, 1);
        value += row[j] * inside[j];
        length += row[j] * row[j];
      }
      program.add(row, std::sqrt(length), value + room * std::sqrt(length) * (i % 3 ? 1 : 100));
    }
    for (size_t j = 0; j < n; ++j)
      for (const int sign : {-1, 1}) {
        std::vector<double> row(n, 0);
        row[j] = sign;
        program.add(row, 0, 20);
      }
    const MarginPoint point = widest_point(program);
    ASSERT_TRUE(point.solved);
    ASSERT_GE(point.margin, room * 0.999) << "trial " << trial;
    for (size_t i = 0; i < program.rows.size(); ++i) {
      double value = program.weights[i] * point.margin;
      for (size_t j = 0; j < n; ++j)
        value += program.rows[i][j] * point.x[j];
      ASSERT_LE(value, program.bounds[i] + 1e-9);
    }
  }
}

} // namespace
} // namespace faultline::solve
