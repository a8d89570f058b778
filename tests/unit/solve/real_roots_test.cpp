#include "numeric/random.h"
#include "solve/real/polynomial.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace faultline::solve {
namespace {

const Deadline far_away(60);

Polynomial constant(double value) { return Polynomial::constant(real_number(value)); }

// From the constant coefficient up.
Polynomial polynomial(std::initializer_list<double> coefficients) {
  Polynomial result, power = constant(1);
  for (const double coefficient : coefficients) {
    result = result + constant(coefficient) * power;
    power = power * Polynomial::identity();
  }
  return result;
}

Polynomial with_roots(const std::vector<double>& roots) {
  Polynomial result = constant(1);
  for (const double root : roots)
    result = result * (Polynomial::identity() - constant(root));
  return result;
}

std::vector<BigFloat> roots(const Polynomial& polynomial) {
  Budget budget(~uint64_t(0), far_away);
  const auto found = real_roots(polynomial, budget);
  EXPECT_TRUE(found.has_value());
  return found.value_or(std::vector<BigFloat>());
}

std::vector<double> rounded_roots(const Polynomial& polynomial) {
  std::vector<double> result;
  for (const BigFloat& root : roots(polynomial))
    result.push_back(root.to_double());
  return result;
}

TEST(RealRoots, OfKnownPolynomialsAreAllFoundInOrder) {
  EXPECT_EQ(rounded_roots(polynomial({6, -5, -2, 1})), (std::vector<double>{-2, 1, 3}));
  EXPECT_EQ(rounded_roots(polynomial({-2, 0, 1})), (std::vector<double>{-std::sqrt(2.0), std::sqrt(2.0)}));
  EXPECT_EQ(rounded_roots(polynomial({1, 0, 1})), std::vector<double>{});
  EXPECT_EQ(rounded_roots(polynomial({0, 0, -3, 1})), (std::vector<double>{0, 3}));
  EXPECT_EQ(rounded_roots(polynomial({5})), std::vector<double>{});
  EXPECT_EQ(rounded_roots(Polynomial()), std::vector<double>{});
  EXPECT_EQ(rounded_roots(polynomial({-7, 2})), std::vector<double>{3.5});
}

TEST(RealRoots, ThatAreMultipleAreFoundOnce) {
  EXPECT_EQ(rounded_roots(with_roots({1, 1, 1, -4, -4})), (std::vector<double>{-4, 1}));
  EXPECT_EQ(rounded_roots(polynomial({1, 0, 2, 0, 1})), std::vector<double>{}); // (x^2 + 1)^2
}

// Wilkinson's, whose roots double arithmetic cannot find.
TEST(RealRoots, OfAnIllConditionedPolynomialAreRight) {
  std::vector<double> all;
  for (int i = 1; i <= 20; ++i)
    all.push_back(i);
  EXPECT_EQ(rounded_roots(with_roots(all)), all);
}

TEST(RealRoots, FromTheSmallestToTheLargestDoubleAreFound) {
  const std::vector<double> all{-0x1p1023, -1e-300, 0x1p-1074, 1, 1e300};
  EXPECT_EQ(rounded_roots(with_roots(all)), all);
}

TEST(RealRoots, ThatNearlyCoincideAreToldApart) {
  const std::vector<double> all{1, 1 + 0x1p-52, 2, std::nextafter(2.0, 3.0)};
  EXPECT_EQ(rounded_roots(with_roots(all)), all);
}

TEST(RealRoots, OfRandomPolynomialsAreThoseTheyWereMadeFrom) {
  numeric::Rng rng(5);
  for (int trial = 0; trial < 150; ++trial) {
    std::set<double> distinct;
    for (uint64_t i = 0, count = 1 + rng.below(7); i < count; ++i)
      distinct.insert(rng.coin() ? double(rng.below(41)) - 20
                                 : std::ldexp(rng.uniform(-1, 1), int(rng.below(200)) - 100));
    const std::vector<double> expected(distinct.begin(), distinct.end());
    Polynomial made = with_roots(expected);
    if (rng.coin()) // a factor without real roots
      made = made * polynomial({3, 1, 1});
    EXPECT_EQ(rounded_roots(made), expected) << "trial " << trial;
  }
}

TEST(RealRoots, EndWithTheBudget) {
  Budget budget(1, far_away);
  std::vector<double> all;
  for (int i = 1; i <= 40; ++i)
    all.push_back(i * 1e-3);
  EXPECT_FALSE(real_roots(with_roots(all), budget).has_value());
}

TEST(Polynomial, HasAnExactSignNextToItsRoot) {
  const Polynomial square = polynomial({-2, 0, 1});
  const std::vector<BigFloat> found = roots(square);
  BigFloat below = found.at(1), above = found.at(1);
  for (int i = 0; i < 8; ++i) {
    mpfr_nextbelow(below.raw());
    mpfr_nextabove(above.raw());
  }
  EXPECT_EQ(square.sign_at(below), -1);
  EXPECT_EQ(square.sign_at(above), 1);
  EXPECT_EQ(polynomial({-9, 0, 1}).sign_at(real_number(3)), 0);
}

} // namespace
} // namespace faultline::solve
