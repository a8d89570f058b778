#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "domains.h"
#include "numeric/format.h"

namespace faultline::ops {
namespace {

struct Centre {
  Op op;
  double a, b = 0, c = 0;
  int moved = 0; // the operand that crosses the centre
};

const Centre centres[] = {
    {Op::fadd, 3, -3},
    {Op::fsub, 1e10, 1e10},
    {Op::fma, 2, 3, -6},
    {Op::fdim, 7, 7},
    {Op::fmod, 6, 3},
    {Op::fmod, 9, 3},
    {Op::fmod, -6, 3},
    {Op::fmod, 6, -3},
    {Op::remainder, 6, 3},
    {Op::remainder, -3, 3},
    {Op::modulo, 6, 3},
    {Op::modulo, -6, 3},
    {Op::modulo, 6, -3},
    {Op::modf, 1},
    {Op::modf, -4},
    {Op::log, 1},
    {Op::log2, 1},
    {Op::log10, 1},
    {Op::log1p, -1},
    {Op::sin, M_PI},
    {Op::sin, -5 * M_PI},
    {Op::cos, M_PI / 2},
    {Op::cos, 7 * M_PI / 2},
    {Op::tan, M_PI},
    {Op::tan, M_PI / 2},
    {Op::asin, 1},
    {Op::asin, -1},
    {Op::acos, 1},
    {Op::acos, -1},
    {Op::acosh, 1},
    {Op::atanh, 1},
    {Op::atanh, -1},
    {Op::cexp_re, 0.5, M_PI / 2, 0, 1},
    {Op::cexp_im, 0.5, M_PI, 0, 1},
    {Op::clog_re, 0.6, 0.8},
    {Op::csin_re, M_PI, 0.5},
    {Op::csin_im, M_PI / 2, 0.5},
    {Op::ccos_re, M_PI / 2, 0.5},
    {Op::ccos_im, M_PI, 0.5},
    {Op::ctan_re, M_PI, 0.5},
    {Op::csinh_re, 0.5, M_PI / 2, 0, 1},
    {Op::csinh_im, 0.5, M_PI, 0, 1},
    {Op::ccosh_re, 0.5, M_PI / 2, 0, 1},
    {Op::ccosh_im, 0.5, M_PI, 0, 1},
    {Op::ctanh_im, 0.5, M_PI, 0, 1},
    {Op::j0, 2.404825557695773},
    {Op::j1, 3.8317059702075123},
    {Op::jn, 5.135622301840683, 2},
    {Op::y0, 0.8935769662791675},
    {Op::y1, 2.197141326031017},
    {Op::yn, 3.3842417671495935, 2},
    {Op::tgamma, -1},
    {Op::tgamma, -2},
    {Op::tgamma, -7},
    {Op::lgamma, 1},
    {Op::lgamma, 2},
    {Op::lgamma, -1},
    {Op::lgamma, -2},
    {Op::lgamma, -3},
    {Op::lgamma, -2.4570247382208006},
    {Op::lgamma, -2.7476826467274125},
};

// With the first operand at `x`, or the one that is moved.
Operands operands_at(const Centre& at, double x) {
  Operands operands{at.a, at.b, at.c};
  operands[size_t(at.moved)] = x;
  return operands;
}
double danger_at(const Centre& at, double x) {
  const auto [a, b, c] = operands_at(at, x);
  return danger(at.op, a, b, c, evaluate(at.op, a, b, c));
}
double largest_condition_at(const Centre& at, double x) {
  const auto [a, b, c] = operands_at(at, x);
  return std::ranges::max(conditions(at.op, a, b, c, evaluate(at.op, a, b, c)));
}
double centre_of(const Centre& at) { return operands_at(at, at.moved == 0 ? at.a : at.b)[size_t(at.moved)]; }

TEST(Danger, ChangesSignAcrossEveryCentreSoThatBisectionFindsIt) {
  for (const Centre& centre : centres) {
    // Four floats to each side: the centre itself may lie between two floats.
    const double below = danger_at(centre, numeric::nth(centre_of(centre), int64_t{-4}));
    const double above = danger_at(centre, numeric::nth(centre_of(centre), int64_t{4}));
    EXPECT_LT(below * std::copysign(1.0, above), 0) << name(centre.op) << " at " << centre.a;
    EXPECT_LT(std::max(std::fabs(below), std::fabs(above)), 1e-4) << name(centre.op) << " at " << centre.a;
  }
}

TEST(Danger, CentresAreWhereConditionsAreLarge) {
  for (const Centre& centre : centres) {
    const double below = largest_condition_at(centre, numeric::nth(centre_of(centre), int64_t{-4}));
    const double above = largest_condition_at(centre, numeric::nth(centre_of(centre), int64_t{4}));
    EXPECT_GT(std::max(below, above), 1e6) << name(centre.op) << " at " << centre.a;
  }
}

TEST(Danger, KeepsItsSignBetweenCentres) {
  struct Interval {
    Op op;
    double low, high, b = 0;
  };
  const Interval intervals[] = {
      {Op::fmod, -2.999, 2.999, 3},      {Op::fmod, 3.001, 5.999, 3},     {Op::remainder, -2.999, 2.999, 3},
      {Op::remainder, 6.001, 8.999, -3}, {Op::modf, -0.999, 0.999},       {Op::modf, 1.001, 1.999},
      {Op::tgamma, -0.999, 170},         {Op::tgamma, -1.999, -1.001},    {Op::lgamma, -0.999, 0.999},
      {Op::lgamma, 1.001, 1.999},        {Op::lgamma, 2.001, 1e6},        {Op::tan, 0.001, 1.570},
      {Op::tan, 1.571, 3.141},           {Op::modulo, -2.999, -0.001, 3}, {Op::modulo, 3.001, 5.999, -3},
  };
  for (const Interval& in : intervals) {
    const Centre at{in.op, in.low, in.b};
    const bool negative = danger_at(at, in.low) < 0;
    for (int i = 1; i < 1000; ++i) {
      const double a = in.low + (in.high - in.low) * i / 1000;
      EXPECT_TRUE(a == 0 || (danger_at(at, a) < 0) == negative) << name(in.op) << " " << a;
    }
  }
}

TEST(Danger, IsNaNExactlyForTheOperationsWithoutACentre) {
  std::set<Op> with_centre;
  for (const Centre& centre : centres)
    with_centre.insert(centre.op);
  numeric::Rng rng(1);
  for (const Op op : all_operations())
    for (int i = 0; i < 100; ++i) {
      const Operands x = sample(op, rng);
      const double found = danger(op, x[0], x[1], x[2], evaluate(op, x[0], x[1], x[2]));
      ASSERT_EQ(std::isnan(found), !with_centre.contains(op)) << name(op) << " " << x[0] << " " << x[1];
    }
}

TEST(Danger, IsOnlyOfferedByUnstableOperations) {
  for (const Centre& centre : centres)
    EXPECT_TRUE(potentially_unstable(centre.op)) << name(centre.op);
}

} // namespace
} // namespace faultline::ops
