#include "solve/newton/descent.h"

#include <gtest/gtest.h>

namespace faultline::solve {
namespace {

using constraint::Model;
using constraint::System;
using constraint::Term;
using ops::Op;

constexpr auto sort64 = constraint::float_sort(numeric::binary64);

struct Plane {
  System system;
  Term x = system.variable("x", sort64), y = system.variable("y", sort64);
  Term number(double value) { return system.constant(value); }
  Term sum() { return system.operation(Op::fadd, x, y); }
  Term difference() { return system.operation(Op::fsub, x, y); }
  void at_most(Term a, Term b) { system.assert_true(system.compare(Op::cmp_ole, a, b)); }
};

TEST(LinearModel, OneStepSolvesWhatIsLinearAndStaysOffTheWalls) {
  Plane plane;
  plane.at_most(plane.sum(), plane.number(3.001));
  plane.at_most(plane.number(3), plane.sum());
  plane.at_most(plane.difference(), plane.number(1.001));
  plane.at_most(plane.number(1), plane.difference());
  const Violation violation(plane.system);
  const Box box = box_of(plane.system);
  const auto state = violation.at({numeric::bits_of(0.0), numeric::bits_of(0.0)});
  const LinearModel model(violation, state, box, chosen_atoms(violation, state, nullptr));
  ASSERT_TRUE(model.usable());
  EXPECT_LT(model.margin(), 0);
  const auto step = model.step(1);
  ASSERT_TRUE(step);
  EXPECT_GT(step->margin, 0);
  EXPECT_EQ(violation.at(step->point).score.unsatisfied, 0u);
  const auto coordinate = [&](int i) { return numeric::double_of(step->point[i], numeric::binary64); };
  EXPECT_NEAR(coordinate(0) + coordinate(1), 3.0005, 1e-6); // half-way between the walls that roundings blur most
}

TEST(LinearModel, OfAlternativesTheNearestIsChosenUnlessToldToDraw) {
  Plane plane;
  const Term near = plane.system.compare(Op::cmp_oge, plane.x, plane.number(2));
  const Term far = plane.system.compare(Op::cmp_ole, plane.x, plane.number(-1e9));
  plane.system.assert_true(plane.system.either(far, near));
  const Violation violation(plane.system);
  const auto state = violation.at({numeric::bits_of(1.0), numeric::bits_of(0.0)});
  const auto chosen = chosen_atoms(violation, state, nullptr);
  ASSERT_EQ(chosen.size(), 1u);
  EXPECT_EQ(violation.goals()[chosen[0]].op, Op::cmp_oge);
  numeric::Rng rng(1);
  bool other = false;
  for (int i = 0; i < 20; ++i)
    other |= chosen_atoms(violation, state, &rng) != chosen;
  EXPECT_TRUE(other);
}

TEST(Descent, StepsReachTheCurveThatOneStepMisses) {
  Plane plane;
  const Term circle = plane.system.operation(Op::fadd, plane.system.operation(Op::fmul, plane.x, plane.x),
                                             plane.system.operation(Op::fmul, plane.y, plane.y));
  plane.at_most(circle, plane.number(25.0000001));
  plane.at_most(plane.number(25), circle);
  plane.at_most(plane.difference(), plane.number(1.0000001));
  plane.at_most(plane.number(1), plane.difference());
  const Violation violation(plane.system);
  const Box box = box_of(plane.system);
  auto state = violation.at({numeric::bits_of(1.0), numeric::bits_of(1.0)});
  descend(violation, box, state, 10'000'000, nullptr, Deadline(20));
  EXPECT_EQ(state.score.unsatisfied, 0u);
  EXPECT_NEAR(numeric::double_of(state.point[0], numeric::binary64), 4, 1e-5);
}

} // namespace
} // namespace faultline::solve
