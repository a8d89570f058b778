#include "solve/extent.h"

#include "constraint/evaluate.h"
#include "numeric/random.h"

#include <gtest/gtest.h>

namespace faultline::solve {
namespace {

using constraint::BinaryFormat;
using constraint::Bits;
using constraint::System;
using constraint::Term;
using ops::Op;

constexpr BinaryFormat tiny{3, 3};

const NamedSolver& interval() { return *find_solver("interval"); }

// By trying all values of both variables.
Range brute_force(const System& system, Term term) {
  Range range;
  std::vector<Bits> values;
  for (Bits a = 0; a < (1u << tiny.width()); ++a)
    for (Bits b = 0; b < (1u << tiny.width()); ++b) {
      if (!constraint::satisfies(system, {a, b}))
        continue;
      constraint::evaluate(system, {a, b}, values);
      if (!tiny.is_nan(values[term]))
        range = join(range, {tiny.order(values[term]), tiny.order(values[term])});
    }
  return range;
}

TEST(Extent, TheEndsAreThoseOfAllModelsOfATinyFormat) {
  numeric::Rng rng(5);
  constexpr Op operations[] = {Op::fadd, Op::fsub, Op::fmul, Op::fdiv};
  constexpr Op comparisons[] = {Op::cmp_olt, Op::cmp_oge, Op::cmp_oeq, Op::cmp_une, Op::cmp_ugt};
  int empty = 0, beyond_propagation = 0;
  for (int round = 0; round < 60; ++round) {
    System system;
    const Term x = system.variable("x", constraint::float_sort(tiny));
    const Term y = system.variable("y", constraint::float_sort(tiny));
    const Term z = system.operation(operations[rng.below(4)], x, y);
    const Term w = system.operation(operations[rng.below(4)], z, rng.coin() ? x : y);
    const auto constant = [&] { return system.constant(rng.below(1u << tiny.width()), tiny); };
    system.assert_true(system.compare(comparisons[rng.below(5)], z, constant()));
    system.assert_true(system.compare(comparisons[rng.below(5)], w, rng.coin() ? y : constant()));
    system.assert_true(system.compare(comparisons[rng.below(5)], x, constant()));
    for (const Term term : {x, w}) {
      const Extent found = extent(system, term, interval());
      const Range expected = brute_force(system, term);
      ASSERT_TRUE(found.exact());
      ASSERT_EQ(found.infeasible(), expected.empty());
      empty += expected.empty();
      if (expected.empty())
        continue;
      ASSERT_EQ(found.seen.low, expected.low);
      ASSERT_EQ(found.seen.high, expected.high);
      EXPECT_TRUE(constraint::satisfies(system, found.least_model));
      EXPECT_TRUE(constraint::satisfies(system, found.greatest_model));
      beyond_propagation += found.questions > 3;
    }
  }
  EXPECT_GT(empty, 5);
  EXPECT_LT(empty, 80);
  EXPECT_GT(beyond_propagation, 10) << "the cases are too easy";
}

TEST(Extent, TellsTheZerosApart) {
  System system;
  const Term x = system.variable("x", constraint::float_sort(tiny));
  system.assert_true(system.compare(Op::cmp_oeq, x, system.constant(0, tiny)));
  const Extent both = extent(system, x, interval());
  EXPECT_EQ(both.seen, (Range{-1, 0}));
  system.assert_true(system.classify(constraint::Class::negative, x));
  EXPECT_EQ(extent(system, x, interval()).seen, (Range{-1, -1}));
}

TEST(Extent, ATermThatIsAlwaysNaNHasNone) {
  System system;
  const Term x = system.variable("x", constraint::float_sort(tiny));
  system.assert_true(system.classify(constraint::Class::nan, x));
  EXPECT_TRUE(extent(system, x, interval()).infeasible());
}

TEST(Extent, AnEndThatTheSolverDoesNotReachIsNotCalledProven) {
  const NamedSolver silent{"silent", [](const Question&) { return Result{}; }, ""};
  System system;
  const Term x = system.variable("x", constraint::float_sort(numeric::binary64));
  system.assert_true(system.compare(Op::cmp_ogt, x, system.constant(1.0)));
  const Extent found = extent(system, x, silent);
  EXPECT_TRUE(found.seen.empty());
  EXPECT_FALSE(found.least_proven());
  EXPECT_FALSE(found.infeasible());
  EXPECT_EQ(found.possible.low, numeric::binary64.order(numeric::bits_of(1.0)) + 1) << "propagation alone knows this";
}

} // namespace
} // namespace faultline::solve
