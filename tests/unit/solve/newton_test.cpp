#include "constraint/evaluate.h"
#include "numeric/random.h"
#include "random_system.h"
#include "solve/solver.h"

#include <gtest/gtest.h>

namespace faultline::solve {
namespace {

using constraint::Model;
using constraint::System;
using constraint::Term;
using numeric::BinaryFormat;
using ops::Op;

constexpr auto sort32 = constraint::float_sort(numeric::binary32), sort64 = constraint::float_sort(numeric::binary64);

Term single(System& system, float value) { return system.constant(numeric::bits_of(value), numeric::binary32); }
Term equal(System& system, Term a, Term b) { return system.compare(Op::cmp_oeq, a, b); }
Term at_most(System& system, Term a, Term b) { return system.compare(Op::cmp_ole, a, b); }

// The time is a limit against hanging, not an expectation: the answer comes in milliseconds.
Result answer(const System& system, uint64_t seed = 1, double seconds = 20) {
  const Result result = solve_newton({.system = system, .seconds = seconds, .seed = seed});
  EXPECT_NE(result.answer, Answer::unsat);
  if (result.answer == Answer::sat) {
    EXPECT_TRUE(satisfies(system, result.model));
  }
  return result;
}

void expect_sat(const System& system) {
  for (const uint64_t seed : {1, 2, 3})
    EXPECT_EQ(answer(system, seed).answer, Answer::sat) << "seed " << seed;
}

TEST(Newton, FindsTheFewFloatsWhoseSquareRoundsToAGivenOne) {
  System system;
  const Term x = system.variable("x", sort32);
  const float root = 1.4142137f;
  system.assert_true(equal(system, system.operation(Op::fmul, x, x), single(system, root * root)));
  expect_sat(system);
}

TEST(Newton, GoesBackThroughAChainOfDivisionsAndRoots) {
  System system;
  const Term x = system.variable("x", sort64);
  Term value = x;
  double expected = 123.456;
  for (const double divisor : {3.0, 7.0, 0.011, 13.0}) {
    value = system.operation(Op::sqrt, system.operation(Op::fdiv, value, system.constant(divisor)));
    expected = std::sqrt(expected / divisor);
  }
  system.assert_true(equal(system, value, system.constant(expected)));
  expect_sat(system);
}

TEST(Newton, HitsAThinPolytope) {
  numeric::Rng rng(11);
  for (int trial = 0; trial < 5; ++trial) {
    System system;
    std::vector<Term> x;
    std::vector<float> inside;
    for (int i = 0; i < 6; ++i) {
      x.push_back(system.variable("x" + std::to_string(i), sort32));
      inside.push_back(float(rng.uniform(-9, 9)));
      system.assert_true(at_most(system, single(system, -10), x.back()));
      system.assert_true(at_most(system, x.back(), single(system, 10)));
    }
    for (int row = 0; row < 12; ++row) {
      Term sum = single(system, 0);
      float value = 0;
      for (size_t i = 0; i < x.size(); ++i) {
        const float factor = float(rng.uniform(-1, 1));
        sum = system.operation(Op::fadd, sum, system.operation(Op::fmul, single(system, factor), x[i]));
        value += factor * inside[i];
      }
      const float room = 1e-5f; // some ten floats
      system.assert_true(at_most(system, sum, single(system, value + room)));
      if (row % 2)
        system.assert_true(at_most(system, single(system, value - room), sum));
    }
    EXPECT_EQ(answer(system).answer, Answer::sat) << "trial " << trial;
  }
}

TEST(Newton, FindsWhatIsAbsorbedByALargeNumber) {
  System system;
  const Term x = system.variable("x", sort64), large = system.constant(1e12);
  system.assert_true(equal(system, system.operation(Op::fadd, x, large), large));
  system.assert_true(system.compare(Op::cmp_ogt, x, system.constant(6.1e-5))); // the largest is 6.1035e-5
  expect_sat(system);
}

TEST(Newton, FindsSumsOfFloatsThatDifferByTheOrderOfSummation) {
  System system;
  const Term x = system.variable("x", sort32), y = system.variable("y", sort32), z = system.variable("z", sort32);
  for (const Term t : {x, y, z}) {
    system.assert_true(at_most(system, single(system, 1), t));
    system.assert_true(at_most(system, t, single(system, 2)));
  }
  const auto plus = [&](Term a, Term b) { return system.operation(Op::fadd, a, b); };
  system.assert_true(system.compare(Op::cmp_one, plus(plus(x, y), z), plus(x, plus(y, z))));
  system.assert_true(equal(system, plus(x, y), single(system, 3.25f)));
  expect_sat(system);
}

TEST(Newton, TakesTheSecondBranchWhereTheFirstIsImpossible) {
  System system;
  const Term x = system.variable("x", sort64), y = system.variable("y", sort64);
  const Term square = system.operation(Op::fmul, x, x);
  const Term impossible = system.both(equal(system, square, system.constant(-1.0)), at_most(system, y, x));
  const Term possible = system.both(equal(system, square, system.constant(4.0)),
                                    equal(system, system.operation(Op::fmul, y, system.constant(3.0)), x));
  system.assert_true(system.either(impossible, possible));
  expect_sat(system);
}

TEST(Newton, SolvesThroughConversionsBetweenFormats) {
  System system;
  const Term x = system.variable("x", sort64);
  const Term narrow = system.convert(x, numeric::binary32);
  system.assert_true(system.same(narrow, single(system, 0.1f)));
  system.assert_true(system.compare(Op::cmp_ogt, x, system.convert(single(system, 0.1f), numeric::binary64)));
  expect_sat(system);
}

TEST(Newton, FindsSpecialValuesWhereOnlyTheyDo) {
  System system;
  const Term x = system.variable("x", sort64), y = system.variable("y", sort32);
  system.assert_true(system.classify(constraint::Class::nan, system.operation(Op::fsub, x, x)));
  system.assert_true(system.classify(constraint::Class::subnormal, y));
  system.assert_true(system.classify(constraint::Class::negative, y));
  expect_sat(system);
  System zero;
  const Term z = zero.variable("z", sort64);
  zero.assert_true(equal(zero, zero.operation(Op::fdiv, zero.constant(1.0), z), zero.constant(-HUGE_VAL)));
  expect_sat(zero);
}

TEST(Newton, FindsModelsThatEqualityOfTheMachineWouldLose) {
  System system;
  const Term x = system.variable("x", sort64);
  system.assert_true(equal(system, x, system.constant(0.0)));
  system.assert_true(system.classify(constraint::Class::negative, x));
  expect_sat(system);
}

TEST(Newton, WorksInFormatsThatTheMachineLacks) {
  constexpr BinaryFormat half{5, 11};
  System system;
  const Term x = system.variable("x", constraint::float_sort(half)),
             y = system.variable("y", constraint::float_sort(half));
  const auto number = [&](double value) { return system.constant(numeric::bits_of((long double)value, half), half); };
  system.assert_true(equal(system, system.operation(Op::fmul, x, y), number(6)));
  system.assert_true(equal(system, system.operation(Op::fadd, x, y), number(5)));
  expect_sat(system);
}

// In a tiny format every model can be tried.
TEST(Newton, FindsAModelOfEveryTinySystemThatHasOne) {
  constexpr BinaryFormat tiny{3, 3};
  int satisfiable = 0;
  for (uint64_t seed = 1; seed <= 80; ++seed) {
    RandomSystem random(seed, {tiny});
    random.grow(25);
    for (int i = 0; i < 4; ++i)
      random.system.assert_true(random.some_boolean());
    bool sat = false;
    for (unsigned model = 0; model < 64 * 64 * 2 && !sat; ++model)
      sat = satisfies(random.system, {model & 63, model >> 6 & 63, model >> 12});
    if (!sat)
      continue;
    ++satisfiable;
    EXPECT_EQ(answer(random.system).answer, Answer::sat) << "seed " << seed;
  }
  EXPECT_GT(satisfiable, 20);
}

TEST(Newton, WorksInTheWidestFormat) {
  constexpr BinaryFormat quadruple{15, 113};
  System system;
  const Term x = system.variable("x", constraint::float_sort(quadruple));
  const Term third = system.operation(Op::fdiv, system.constant(numeric::bits_of(1.0L, quadruple), quadruple),
                                      system.constant(numeric::bits_of(3.0L, quadruple), quadruple));
  system.assert_true(equal(system, system.operation(Op::fadd, x, third), third));
  system.assert_true(system.negate(system.classify(constraint::Class::zero, x)));
  expect_sat(system);
}

TEST(Newton, StartsWhereItIsTold) {
  System system;
  const Term x = system.variable("x", sort64), y = system.variable("y", sort64);
  const Term term = system.operation(Op::fadd, system.operation(Op::sin, x), y);
  system.assert_true(equal(system, term, system.constant(std::sin(1234.5) + 1)));
  const Model near{numeric::bits_of(1234.5), numeric::bits_of(1.0)};
  const Result result = solve_newton({.system = system, .seconds = 20, .seed = 1, .near = {near}});
  ASSERT_EQ(result.answer, Answer::sat);
  EXPECT_EQ(result.model, near);
}

TEST(Newton, IsTheSameForTheSameSeed) {
  System system;
  const Term x = system.variable("x", sort64), y = system.variable("y", sort64);
  system.assert_true(equal(system, system.operation(Op::fmul, x, y), system.constant(0.7)));
  system.assert_true(equal(system, system.operation(Op::fadd, x, y), system.constant(1.9)));
  const Result first = answer(system, 5), second = answer(system, 5);
  ASSERT_EQ(first.answer, Answer::sat);
  EXPECT_EQ(first.model, second.model);
}

TEST(Newton, NeverClaimsThatThereIsNoModel) {
  System system;
  const Term x = system.variable("x", sort64);
  system.assert_true(system.compare(Op::cmp_olt, system.operation(Op::fmul, x, x), system.constant(0.0)));
  const Result result = answer(system, 1, 0.05);
  EXPECT_EQ(result.answer, Answer::unknown);
  EXPECT_FALSE(result.reason.empty());
  System contradiction;
  contradiction.assert_true(contradiction.truth(false));
  EXPECT_EQ(answer(contradiction, 1, 0.05).answer, Answer::unknown);
}

} // namespace
} // namespace faultline::solve
