#include "solve/newton/definitions.h"

#include "constraint/evaluate.h"

#include <gtest/gtest.h>

namespace faultline::solve {
namespace {

using constraint::Model;
using constraint::System;
using constraint::Term;
using ops::Op;

constexpr auto sort64 = constraint::float_sort(numeric::binary64);

TEST(Definitions, AChainOfNamedValuesLeavesTheInputsOnly) {
  System system;
  // Users come before what they use.
  const Term z = system.variable("z", sort64), y = system.variable("y", sort64), x = system.variable("x", sort64);
  system.assert_true(system.same(z, system.operation(Op::fmul, y, y)));
  system.assert_true(system.same(y, system.operation(Op::fadd, x, system.constant(1.0))));
  system.assert_true(system.compare(Op::cmp_ogt, z, system.constant(3.0)));
  const Reduced reduced = without_definitions(system, false);
  ASSERT_EQ(reduced.system.variables().size(), 1u);
  EXPECT_EQ(reduced.system.variables()[0].name, "x");
  EXPECT_EQ(reduced.system.assertions().size(), 1u);
  const Model model = reduced.complete({numeric::bits_of(2.0)});
  EXPECT_EQ(model, (Model{numeric::bits_of(9.0), numeric::bits_of(3.0), numeric::bits_of(2.0)}));
  EXPECT_TRUE(satisfies(system, model));
  EXPECT_EQ(restricted(system, reduced, model), Model{numeric::bits_of(2.0)});
}

TEST(Definitions, ThatGoInCirclesStayEquations) {
  System system;
  const Term x = system.variable("x", sort64), y = system.variable("y", sort64);
  system.assert_true(system.same(x, system.operation(Op::sqrt, y)));
  system.assert_true(system.same(y, system.operation(Op::fmul, x, x)));
  const Reduced reduced = without_definitions(system, false);
  EXPECT_EQ(reduced.system.variables().size(), 1u);
  EXPECT_EQ(reduced.system.assertions().size(), 1u);
}

TEST(Definitions, OfBooleansAreTakenFromAssertionsAboutThem) {
  System system;
  const Term x = system.variable("x", sort64);
  const Term a = system.variable("a", constraint::boolean_sort), b = system.variable("b", constraint::boolean_sort),
             c = system.variable("c", constraint::boolean_sort);
  system.assert_true(a);
  system.assert_true(system.negate(b));
  system.assert_true(system.same(c, system.compare(Op::cmp_olt, x, system.constant(1.0))));
  system.assert_true(system.either(system.negate(a), c));
  const Reduced reduced = without_definitions(system, false);
  ASSERT_EQ(reduced.system.variables().size(), 1u);
  ASSERT_EQ(reduced.system.assertions().size(), 1u);
  EXPECT_TRUE(satisfies(system, reduced.complete({numeric::bits_of(0.0)})));
}

TEST(Definitions, ByMachineEqualityAreUsedOnDemandAndSaidToLoseModels) {
  System system;
  const Term x = system.variable("x", sort64), y = system.variable("y", sort64);
  system.assert_true(system.compare(Op::cmp_oeq, y, system.operation(Op::fmul, x, x)));
  EXPECT_EQ(without_definitions(system, false).system.variables().size(), 2u);
  const Reduced reduced = without_definitions(system, true);
  EXPECT_EQ(reduced.system.variables().size(), 1u);
  EXPECT_TRUE(reduced.lossy);
  // y == y is still to be shown: it is false for NaN.
  EXPECT_EQ(reduced.system.assertions().size(), 1u);
}

} // namespace
} // namespace faultline::solve
