// What the solver over the reals finds.
#include "real_formula.h"

#include <cfloat>
#include <cmath>

namespace faultline::solve {
namespace {

using constraint::Class;
using constraint::System;
using constraint::Term;
using ops::Op;

TEST(Real, FindsRootsOfPolynomialsOfDegree2To6) {
  const std::initializer_list<double> polynomials[] = {
      {1, 0, -2.25}, {1, -2, -5, 6}, {1, 0, -5, 0, 4}, {1, -15, 85, -225, 274, -120}, {1, 0, -14, 0, 49, 0, -36}};
  for (const auto& coefficients : polynomials) {
    Formula f;
    f.is(Op::cmp_oeq, f.polynomial(coefficients, f.x), 0.0);
    expect_sat(f.system);
  }
}

TEST(Real, FindsTheOnlyRootThatTheOtherConditionsLeave) {
  Formula f; // roots -2, 1 and 3
  f.is(Op::cmp_oeq, f.polynomial({1, -2, -5, 6}, f.x), 0.0);
  f.is(Op::cmp_ogt, f.multiply(f.x, f.x), 2);
  f.is(Op::cmp_ogt, f.x, 0.0);
  const Result result = answer(f.system);
  ASSERT_EQ(result.answer, Answer::sat);
  EXPECT_EQ(numeric::double_of(result.model[0], numeric::binary64), 3);
}

TEST(Real, FindsTheThinPlacesNextToAPole) {
  Formula f; // (x - 3) / (x^2 - 16)
  f.is(Op::cmp_ogt, f.divide(f.subtract(f.x, f.number(3)), f.polynomial({1, 0, -16}, f.x)), 1e12);
  f.is(Op::cmp_olt, f.x, 0.0);
  expect_sat(f.system);
}

TEST(Real, FindsASliverBetweenTwoRoots) {
  Formula f; // below zero between 1e5 and 1e5 + 1e-5
  f.is(Op::cmp_olt, f.multiply(f.subtract(f.x, f.number(1e5)), f.subtract(f.x, f.number(1e5 + 1e-5))), 0.0);
  expect_sat(f.system);
}

TEST(Real, MakesProductsAndQuotientsOverflow) {
  for (const Op op : {Op::fmul, Op::fdiv}) {
    Formula f;
    f.is(Class::infinite, f(op, f.x, f.y));
    f.is(Op::cmp_one, f.y, 0.0);
    for (const Term operand : {f.x, f.y})
      f.system.assert_true(f.system.negate(f.system.classify(Class::infinite, operand)));
    expect_sat(f.system);
  }
  Formula f; // three factors, none of which is large
  f.is(Class::infinite, f.multiply(f.multiply(f.x, f.y), f.z));
  for (const Term factor : {f.x, f.y, f.z}) {
    f.is(Op::cmp_olt, factor, 1e120);
    f.is(Op::cmp_ogt, factor, 0.0);
  }
  expect_sat(f.system);
}

TEST(Real, MakesProductsAndQuotientsUnderflow) {
  for (const Op op : {Op::fmul, Op::fdiv}) {
    Formula f;
    const Term result = f(op, f.x, f.y);
    f.is(Op::cmp_olt, f(Op::fabs, result), DBL_MIN);
    f.is(Op::cmp_one, f.x, 0.0);
    f.is(Op::cmp_one, f.y, 0.0);
    f.is(Op::cmp_olt, f(Op::fabs, f.x), 1e100);
    f.is(Op::cmp_olt, f(Op::fabs, f.y), 1e250);
    f.is(Class::subnormal, result);
    expect_sat(f.system);
  }
}

TEST(Real, MakesADivisorZeroOnAPath) {
  Formula f; // x > 2, y < x and a divisor x^2 - y*y - 7
  f.is(Op::cmp_ogt, f.x, 2);
  f.is(Op::cmp_olt, f.y, f.x);
  f.is(Op::cmp_oeq, f.subtract(f.subtract(f.multiply(f.x, f.x), f.multiply(f.y, f.y)), f.number(7)), 0.0);
  expect_sat(f.system);
}

TEST(Real, MakesRootsAndLogarithmsInvalid) {
  for (const Op op : {Op::sqrt, Op::log}) {
    Formula f;
    f.is(Class::nan, f(op, f.polynomial({1, -4, 3}, f.x))); // between 1 and 3
    f.is(Op::cmp_ogt, f.x, 2.5);
    expect_sat(f.system);
  }
}

TEST(Real, GoesBackThroughElementaryFunctions) {
  const auto lone = [](Op op, double low, double high) {
    Formula f;
    const Term value = f(op, f.polynomial({1, 0, -3}, f.x)); // of x^2 - 3
    f.is(Op::cmp_ogt, value, low);
    f.is(Op::cmp_olt, value, high);
    return f.system;
  };
  expect_sat(lone(Op::exp, 7, 7.0000000001));
  expect_sat(lone(Op::log, 3, 3.0000000001));
  expect_sat(lone(Op::sqrt, 1e10, 1.0000000001e10));
  expect_sat(lone(Op::sin, 0.999999999, 2));
  expect_sat(lone(Op::cos, -1.5, -0.999999999));
  expect_sat(lone(Op::atan, 1.5, 1.5000000001));
  expect_sat(lone(Op::sinh, 1e200, 1.0000001e200));
  Formula power;
  const Term value = power(Op::pow, power.polynomial({1, 2}, power.x), power.number(2.5));
  power.is(Op::cmp_oge, value, 1234.5);
  power.is(Op::cmp_olt, value, 1234.500001);
  expect_sat(power.system);
}

TEST(Real, GoesBackThroughFunctionsOfFunctions) {
  Formula f; // log(sqrt(exp(x)) + 1) == 3, nearly
  const Term value = f(Op::log, f.add(f(Op::sqrt, f(Op::exp, f.x)), f.number(1)));
  f.is(Op::cmp_oge, value, 3);
  f.is(Op::cmp_olt, value, 3.0000000000001);
  expect_sat(f.system);
}

TEST(Real, FindsThePeriodInWhichASineIsWanted) {
  Formula f;
  f.is(Op::cmp_ogt, f.x, 1e6);
  f.is(Op::cmp_olt, f.x, 1e6 + 10);
  f.is(Op::cmp_ogt, f(Op::sin, f.x), 0.9999999999);
  expect_sat(f.system);
}

TEST(Real, SamplesWhatMixesUnknowns) {
  Formula f; // x * exp(-x) == 0.1, nearly, beyond the maximum
  const Term value = f.multiply(f.x, f(Op::exp, f(Op::fneg, f.x)));
  f.is(Op::cmp_oge, value, 0.1);
  f.is(Op::cmp_olt, value, 0.1000000000001);
  f.is(Op::cmp_ogt, f.x, 1);
  expect_sat(f.system);
}

TEST(Real, TakesMagnitudesMinimaAndChoicesApart) {
  Formula f;
  f.is(Op::cmp_oeq, f(Op::fabs, f.polynomial({1, -7}, f.x)), 0.25);
  f.is(Op::cmp_olt, f(Op::fmin, f.x, f.number(9)), 7);
  const Term chosen =
      f.system.choose(f.system.compare(Op::cmp_ogt, f.x, f.number(0)), f.multiply(f.x, f.number(2)), f.x);
  f.is(Op::cmp_oeq, chosen, 13.5);
  expect_sat(f.system);
}

TEST(Real, NeedsNoChoiceAmongDisjuncts) {
  Formula f;
  const auto equal = [&](double value) { return f.system.compare(Op::cmp_oeq, f.x, f.number(value)); };
  f.system.assert_true(f.system.any({equal(1), equal(2), equal(3), equal(1234.5)}));
  f.is(Op::cmp_ogt, f.polynomial({1, 0, 0}, f.x), 100);
  expect_sat(f.system);
}

TEST(Real, SolvesForWhatRoundingAloneMakesPossible) {
  Formula f; // x > 0 and 1e12 + x == 1e12
  f.is(Op::cmp_ogt, f.x, 0.0);
  f.is(Op::cmp_oeq, f.add(f.number(1e12), f.x), 1e12);
  f.is(Op::cmp_oeq, f.add(f.y, f.number(1)), f.y);
  expect_sat(f.system);
}

TEST(Real, SolvesForOneVariableAfterTheOther) {
  Formula f; // x^2 + y^2 + z^2 == 1e6, x * y > 1e5, z > x
  const Term norm = f.add(f.add(f.multiply(f.x, f.x), f.multiply(f.y, f.y)), f.multiply(f.z, f.z));
  f.is(Op::cmp_oeq, norm, 1e6);
  f.is(Op::cmp_ogt, f.multiply(f.x, f.y), 1e5);
  f.is(Op::cmp_ogt, f.z, f.x);
  expect_sat(f.system);
}

TEST(Real, WorksInSinglePrecisionAndThroughConversions) {
  System system;
  const Term x = system.variable("x", sort32);
  const Term wide = system.convert(x, numeric::binary64);
  system.assert_true(system.compare(Op::cmp_ogt, system.operation(Op::fmul, wide, wide), system.constant(1e60)));
  system.assert_true(system.classify(Class::infinite, system.operation(Op::fmul, x, x)));
  system.assert_true(system.negate(system.classify(Class::infinite, x)));
  expect_sat(system);
}

TEST(Real, IsASolverThatCanBeAskedFor) {
  ASSERT_NE(find_solver("real"), nullptr);
  Formula f;
  f.is(Op::cmp_oeq, f.multiply(f.x, f.x), 6.25);
  const Result result = solve(*find_solver("real"), {.system = f.system});
  EXPECT_EQ(result.answer, Answer::sat);
  EXPECT_EQ(result.solver, "real");
}

} // namespace
} // namespace faultline::solve
