// Intervals against exact arithmetic: ends that are doubles stay, others are the next ones outside.
#include "numeric/interval.h"

#include "numeric/bigfloat.h"
#include "numeric/random.h"

#include <gtest/gtest.h>

namespace faultline::numeric {
namespace {

// Of all sizes, subnormal ones and zeros among them, and few digits now and then, so that results are exact.
double any_double(Rng& rng) {
  if (rng.below(16) == 0)
    return 0;
  const double digits = rng.coin() ? double(rng.below(9)) + 1 : 1 + rng.uniform();
  const int exponent = rng.coin() ? int(rng.below(20)) - 10 : int(rng.below(2000)) - 1060;
  return std::ldexp(rng.coin() ? digits : -digits, exponent);
}

// The exact result, and whether a double is above or below it.
struct Exact {
  BigFloat value{4096};

  Exact(int (*operation)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t), double a, double b) {
    const BigFloat x(a, 64), y(b, 64);
    operation(value.raw(), x.raw(), y.raw(), MPFR_RNDN);
  }
  int compare(double end) const { return mpfr_cmp_d(value.raw(), end); }
};

template <class Up, class Down> void check_ends(const Exact& exact, Up up, Down down) {
  const double above = up(), below = down();
  ASSERT_LE(exact.compare(above), 0);
  ASSERT_GE(exact.compare(below), 0);
  if (std::isfinite(above) && std::isfinite(below) && exact.compare(above) == 0 &&
      std::fabs(above) > least_certain_product)
    EXPECT_EQ(above, below) << "a result that is a double stays what it is";
  if (std::isfinite(above) && std::isfinite(below))
    EXPECT_LE(above, next_above(next_above(below)));
}

TEST(Interval, SumsProductsAndQuotientsHoldTheExactResult) {
  Rng rng(1);
  for (int i = 0; i < 100'000; ++i) {
    const double a = any_double(rng), b = any_double(rng);
    check_ends(
        Exact(mpfr_add, a, b), [&] { return sum_up(a, b); }, [&] { return sum_down(a, b); });
    check_ends(
        Exact(mpfr_mul, a, b), [&] { return product_up(a, b); }, [&] { return product_down(a, b); });
    if (b != 0)
      check_ends(
          Exact(mpfr_div, a, b), [&] { return quotient_up(a, b); }, [&] { return quotient_down(a, b); });
    const double size = std::fabs(a);
    const auto root = [](mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr, mpfr_rnd_t mode) { return mpfr_sqrt(r, x, mode); };
    check_ends(
        Exact(root, size, 0), [&] { return root_up(size); }, [&] { return root_down(size); });
    if (HasFatalFailure())
      FAIL() << a << " " << b;
  }
}

TEST(Interval, OperationsHoldTheResultsOfAllMembers) {
  Rng rng(2);
  const auto some_interval = [&] {
    const double a = any_double(rng), b = any_double(rng);
    return Interval{std::min(a, b), std::max(a, b)};
  };
  for (int i = 0; i < 100'000; ++i) {
    const Interval a = some_interval(), b = some_interval();
    for (const double x : {a.low, a.high, a.low / 2 + a.high / 2})
      for (const double y : {b.low, b.high, b.low / 2 + b.high / 2}) {
        EXPECT_TRUE((a + b).has(x + y));
        EXPECT_TRUE((a - b).has(x - y));
        EXPECT_TRUE((a * b).has(x * y)) << x << " * " << y;
        EXPECT_TRUE(!(a / b).known() || (a / b).has(x / y)) << x << " / " << y;
      }
    EXPECT_EQ((a / b).known(), !b.has(0));
  }
}

TEST(Interval, SquaresAreNotNegative) {
  EXPECT_EQ(square({-1, 2}), (Interval{0, 4}));
  EXPECT_EQ(square({-3, -2}), (Interval{4, 9}));
}

TEST(Interval, WhatCannotBeKnownIsNotKnown) {
  EXPECT_FALSE((Interval{1, 2} / Interval{-1, 1}).known());
  EXPECT_FALSE(root({-1, 1}).known());
  EXPECT_FALSE((Interval::nothing_known() + Interval{1, 2}).known());
  EXPECT_FALSE((Interval::nothing_known() * Interval{0, 0}).known());
}

} // namespace
} // namespace faultline::numeric
