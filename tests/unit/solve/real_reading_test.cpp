#include "numeric/random.h"
#include "solve/real/reading.h"

#include <gtest/gtest.h>

namespace faultline::solve {
namespace {

using constraint::Bits;
using constraint::Class;
using constraint::System;
using constraint::Term;
using ops::Op;

// Assertions on one double x, read over the reals.
struct OneVariable {
  System system;
  Term x = system.variable("x", constraint::float_sort(numeric::binary64));

  RealSet solutions() const {
    const Deadline deadline(60);
    Budget budget(~uint64_t(0), deadline);
    const std::vector<size_t> order{0};
    const Levels levels(system, order);
    std::vector<Bits> values(system.size());
    levels.evaluate(0, 0, values);
    const auto found = Reading(levels, 1, values, RealSet::everything(), budget).solutions();
    EXPECT_TRUE(found);
    return found.value_or(RealSet());
  }

  bool hold(double at) const {
    const std::vector<size_t> order{0};
    const Levels levels(system, order);
    std::vector<Bits> values(system.size());
    levels.evaluate(0, 0, values);
    levels.evaluate(1, numeric::bits_of(at), values);
    return levels.hold(1, values);
  }

  Term operation(Op op, Term a, Term b = 0) { return system.operation(op, a, b); }
  Term number(double value) { return system.constant(value); }
};

// Formulas of every kind that has a formula over the reals.
class RandomFormula : public OneVariable {
public:
  explicit RandomFormula(uint64_t seed) : rng_(seed) {
    floats_ = {x, x, number(double(rng_.below(7)) - 3), number(rng_.uniform(-2, 2))};
    for (int i = 0; i < 9; ++i)
      i % 3 == 2 ? add_condition() : add_float();
    add_condition();
    system.assert_true(conditions_.back());
  }

private:
  Term some(const std::vector<Term>& terms) { return terms[rng_.below(terms.size())]; }

  void add_float() {
    constexpr Op operations[] = {Op::fadd, Op::fsub, Op::fmul, Op::fdiv, Op::fabs, Op::fmin, Op::fmax,
                                 Op::fneg, Op::fdim, Op::sqrt, Op::exp,  Op::atan, Op::floor};
    if (!conditions_.empty() && rng_.below(4) == 0)
      floats_.push_back(system.choose(some(conditions_), some(floats_), some(floats_)));
    else
      floats_.push_back(operation(operations[rng_.below(std::size(operations))], some(floats_), some(floats_)));
  }

  void add_condition() {
    const Term a = some(floats_), b = some(floats_);
    switch (conditions_.empty() ? 9 : rng_.below(10)) {
    case 0:
      return conditions_.push_back(system.both(some(conditions_), some(conditions_)));
    case 1:
      return conditions_.push_back(system.either(some(conditions_), some(conditions_)));
    case 2:
      return conditions_.push_back(system.negate(some(conditions_)));
    case 3:
      return conditions_.push_back(system.choose(some(conditions_), some(conditions_), some(conditions_)));
    default: // equalities hold at single points
      constexpr Op comparisons[] = {Op::cmp_ogt, Op::cmp_oge, Op::cmp_olt, Op::cmp_ole,
                                    Op::cmp_ugt, Op::cmp_uge, Op::cmp_ult, Op::cmp_ule};
      return conditions_.push_back(system.compare(comparisons[rng_.below(std::size(comparisons))], a, b));
    }
  }

  numeric::Rng rng_;
  std::vector<Term> floats_, conditions_;
};

// Formulas that mix unknowns are among them: those are sampled, and a comparison may change twice between two samples.
TEST(Reading, AgreesWithTheFloatsOnRandomFormulas) {
  numeric::Rng rng(1);
  int inside = 0, outside = 0, disagreeing = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    const RandomFormula formula(seed);
    const RealSet set = formula.solutions();
    bool agrees = true;
    for (int i = 0; i < 20; ++i) {
      const double at = rng.uniform(-6, 6);
      const bool held = formula.hold(at);
      (held ? inside : outside) += 1;
      agrees = agrees && set.contains(real_number(at)) == held;
    }
    disagreeing += !agrees;
  }
  EXPECT_GT(inside, 2000);
  EXPECT_GT(outside, 2000);
  EXPECT_EQ(disagreeing, 0);
}

TEST(Reading, AllowsAnEqualityTheLastRounding) {
  OneVariable formula; // 1e12 + x == 1e12
  formula.system.assert_true(formula.system.compare(
      Op::cmp_oeq, formula.operation(Op::fadd, formula.x, formula.number(1e12)), formula.number(1e12)));
  const RealSet set = formula.solutions();
  EXPECT_TRUE(set.contains(real_number(2e-5)));
  EXPECT_FALSE(set.contains(real_number(1e-3)));
  OneVariable absorbed; // x + 1 == x
  absorbed.system.assert_true(
      absorbed.system.compare(Op::cmp_oeq, absorbed.operation(Op::fadd, absorbed.x, absorbed.number(1)), absorbed.x));
  EXPECT_TRUE(absorbed.solutions().contains(real_number(0x1p60)));
  EXPECT_FALSE(absorbed.solutions().contains(real_number(0x1p50)));
}

TEST(Reading, KnowsTheClassesOfAQuotient) {
  const auto where = [](Class tested) {
    OneVariable formula; // 1 / (x * x)
    const Term square = formula.operation(Op::fmul, formula.x, formula.x);
    formula.system.assert_true(formula.system.classify(tested, formula.operation(Op::fdiv, formula.number(1), square)));
    return formula.solutions();
  };
  const auto has = [](const RealSet& set, double x) { return set.contains(real_number(x)); };
  EXPECT_TRUE(has(where(Class::normal), 1e100));
  EXPECT_TRUE(has(where(Class::subnormal), 1e160));
  EXPECT_TRUE(has(where(Class::zero), 1e200));
  EXPECT_TRUE(has(where(Class::infinite), 1e-200));
  EXPECT_TRUE(has(where(Class::infinite), 0)); // the pole
  EXPECT_TRUE(has(where(Class::positive), -3));
  EXPECT_FALSE(has(where(Class::normal), 1e160));
  EXPECT_FALSE(has(where(Class::subnormal), 1e150));
  EXPECT_FALSE(has(where(Class::zero), 1e160));
  EXPECT_FALSE(has(where(Class::infinite), 1e-100));
  EXPECT_FALSE(has(where(Class::negative), -3));
  EXPECT_TRUE(where(Class::nan).empty());
}

} // namespace
} // namespace faultline::solve
