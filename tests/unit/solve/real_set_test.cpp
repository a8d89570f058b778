#include "numeric/random.h"
#include "solve/real/inverse.h"
#include "solve/real/pieces.h"

#include "ops/table.h"

#include <gtest/gtest.h>

#include <cmath>

namespace faultline::solve {
namespace {

using ops::Op;

const Deadline far_away(60);

RealSet interval(double low, double high, bool low_in, bool high_in) {
  return RealSet::between({real_number(low), real_number(high), low_in, high_in});
}

RealSet random_set(numeric::Rng& rng) {
  RealSet result;
  double low = -10;
  while ((low += double(rng.below(5))) < 10) {
    const double high = low + double(rng.below(3));
    result.append({real_number(low), real_number(high), rng.coin(), rng.coin()});
    low = high + 1;
  }
  return result;
}

// At all halves from -12 to 12, which are ends and middles.
template <class Check> void at_all_points(Check check) {
  for (int i = -24; i <= 24; ++i)
    check(real_number(i / 2.0L));
}

TEST(RealSet, AlgebraIsThatOfMembership) {
  numeric::Rng rng(2);
  for (int trial = 0; trial < 300; ++trial) {
    const RealSet a = random_set(rng), b = random_set(rng);
    const RealSet both = a & b, either = a | b, neither = either.complement();
    at_all_points([&](const BigFloat& x) {
      EXPECT_EQ(both.contains(x), a.contains(x) && b.contains(x));
      EXPECT_EQ(either.contains(x), a.contains(x) || b.contains(x));
      EXPECT_EQ(neither.contains(x), !a.contains(x) && !b.contains(x));
    });
  }
}

TEST(RealSet, WithoutAMemberIsEmpty) {
  EXPECT_TRUE(interval(1, 1, true, false).empty());
  EXPECT_TRUE((interval(0, 1, true, false) & interval(1, 2, true, true)).empty());
  EXPECT_FALSE((interval(0, 1, true, true) & interval(1, 2, true, true)).empty());
  EXPECT_TRUE(RealSet::everything().complement().empty());
  EXPECT_TRUE(RealSet().complement().is_everything());
}

Polynomial random_polynomial(numeric::Rng& rng, int degree) {
  Polynomial result = Polynomial::constant(real_number((long double)(1 + rng.below(3))));
  for (int i = 0; i < degree; ++i)
    result = result * (Polynomial::identity() - Polynomial::constant(real_number((long double)(rng.below(21)) - 10)));
  return result;
}

double value(const Polynomial& polynomial, double x) {
  return double(polynomial.sign_at(real_number(x))); // its sign is all that is needed of a denominator
}

TEST(RationalFunction, WhereItLiesInAnIntervalAgreesWithItsValues) {
  numeric::Rng rng(3);
  Budget budget(~uint64_t(0), far_away);
  for (int trial = 0; trial < 200; ++trial) {
    const Polynomial p = random_polynomial(rng, int(rng.below(4))), q = random_polynomial(rng, int(rng.below(3)));
    const auto function = quotient(RationalFunction{p}, RationalFunction{q}, budget);
    ASSERT_TRUE(function);
    const double low = double(rng.below(9)) - 4, high = low + double(rng.below(5));
    const bool low_in = rng.coin(), high_in = rng.coin();
    const RealSet target = interval(low, high, low_in, high_in);
    const auto where = where_in(*function, target, budget);
    ASSERT_TRUE(where);
    at_all_points([&](const BigFloat& x) {
      const double at = x.to_double(), pole = value(function->denominator, at);
      const Polynomial above = function->numerator - Polynomial::constant(real_number(low)) * function->denominator;
      const Polynomial below = Polynomial::constant(real_number(high)) * function->denominator - function->numerator;
      const double over = value(above, at) * pole, under = value(below, at) * pole;
      const bool inside =
          pole != 0 && (over > 0 || (over == 0 && low_in)) && (under > 0 || (under == 0 && high_in)) && !target.empty();
      EXPECT_EQ(where->contains(x), inside) << "trial " << trial << " at " << at;
    });
  }
}

TEST(RationalFunction, IsKeptInLowestTerms) {
  Budget budget(~uint64_t(0), far_away);
  const RationalFunction x = RationalFunction::identity();
  const auto square = product(x, x, budget);
  const auto back = quotient(*square, x, budget);
  ASSERT_TRUE(back);
  EXPECT_TRUE(back->is_identity());
  EXPECT_FALSE(quotient(x, RationalFunction{}, budget)); // by zero
}

TEST(RationalFunction, OfTooHighADegreeIsRefused) {
  Budget budget(~uint64_t(0), far_away);
  EXPECT_TRUE(power(RationalFunction::identity(), 60, budget));
  EXPECT_FALSE(power(RationalFunction::identity(), 61, budget));
}

// For every function with an inverse: the points of the preimage have their values in the set, other points do not.
TEST(Inverse, OfEachFunctionAgreesWithTheFunction) {
  numeric::Rng rng(4);
  for (const Op op :
       {Op::exp,   Op::exp2, Op::exp10, Op::expm1, Op::log,   Op::log2, Op::log10, Op::log1p, Op::sqrt,
        Op::cbrt,  Op::asin, Op::acos,  Op::atan,  Op::sinh,  Op::cosh, Op::tanh,  Op::asinh, Op::acosh,
        Op::atanh, Op::sin,  Op::cos,   Op::tan,   Op::floor, Op::ceil, Op::trunc, Op::rint,  Op::round}) {
    ASSERT_TRUE(invertible({op})) << ops::name(op);
    int inside = 0;
    for (int trial = 0; trial < 40; ++trial) {
      const double low = rng.uniform(-2, 2), high = low + rng.uniform(0, 2);
      const RealSet back = preimage({op}, interval(low, high, true, true), {});
      for (int k = 0; k < 40; ++k) {
        const double x = rng.uniform(-5, 5), y = ops::evaluate(op, x);
        if (std::abs(y - low) < 1e-9 || std::abs(y - high) < 1e-9)
          continue;
        EXPECT_EQ(back.contains(real_number(x)), y > low && y < high) << ops::name(op) << " at " << x;
        inside += back.contains(real_number(x));
      }
    }
    EXPECT_GT(inside, 20) << ops::name(op);
  }
}

TEST(Inverse, OfPowersAgreesWithThePower) {
  for (const double c : {0.5, 1.5, -2.5, 3.3})
    for (const bool base : {false, true}) {
      if (base && c < 0)
        continue;
      const ElementaryFunction function{Op::pow, real_number(c), base};
      ASSERT_TRUE(invertible(function));
      const RealSet back = preimage(function, interval(0.2, 5, true, true), {});
      for (double x = -6; x < 6; x += 0.173) {
        const double y = base ? std::pow(c, x) : std::pow(x, c);
        EXPECT_EQ(back.contains(real_number(x)), y >= 0.2 && y <= 5) << c << " " << base << " at " << x;
      }
    }
  EXPECT_FALSE(invertible({Op::pow, real_number(-2), true}));
  EXPECT_FALSE(invertible({Op::tgamma}));
}

TEST(Inverse, OfAPeriodicFunctionIsAlsoKnownAroundHints) {
  const double hint = 1e6;
  const RealSet without = preimage({Op::sin}, interval(0.99, 1, true, true), {}),
                with = preimage({Op::sin}, interval(0.99, 1, true, true), std::vector<double>{hint});
  const RealSet around = interval(hint - 4, hint + 4, true, true);
  EXPECT_TRUE((without & around).empty());
  EXPECT_FALSE((with & around).empty());
}

// exp(1e15) has more bits of exponent than memory.
TEST(Inverse, OfSomethingHugeDoesNotEndInAHugeNumber) {
  const RealSet back = preimage({Op::log}, interval(1e15, 1e16, true, true), {});
  EXPECT_TRUE(back.empty());
  const RealSet half = preimage({Op::log}, interval(0, 1e16, true, true), {});
  EXPECT_TRUE(half.contains(real_number(2)));
}

} // namespace
} // namespace faultline::solve
