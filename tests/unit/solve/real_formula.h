// Systems for the solver over the reals, and its checked answers.
#pragma once

#include "constraint/evaluate.h"
#include "solve/solver.h"

#include <gtest/gtest.h>

namespace faultline::solve {

inline constexpr auto sort32 = constraint::float_sort(numeric::binary32),
                      sort64 = constraint::float_sort(numeric::binary64);

// The time is a limit against hanging, not an expectation: the answer comes in milliseconds.
inline Result answer(const constraint::System& system, std::vector<constraint::Model> near = {}, uint64_t seed = 1,
                     uint64_t effort = ~uint64_t(0)) {
  const Result result = solve_real({.system = system, .seconds = 20, .seed = seed, .near = near, .effort = effort});
  EXPECT_NE(result.answer, Answer::unsat);
  if (result.answer == Answer::sat) {
    EXPECT_TRUE(satisfies(system, result.model));
  }
  return result;
}

inline void expect_sat(const constraint::System& system) {
  for (const uint64_t seed : {1, 2, 3})
    EXPECT_EQ(answer(system, {}, seed).answer, Answer::sat) << "seed " << seed;
}

inline void expect_unknown(const constraint::System& system) { EXPECT_EQ(answer(system).answer, Answer::unknown); }

// One system with doubles x, y, z, in which formulas are short to write.
class Formula {
public:
  using Class = constraint::Class;
  using Op = ops::Op;
  using Term = constraint::Term;

  Term operator()(Op op, Term a, Term b = 0, Term c = 0) { return system.operation(op, a, b, c); }
  Term add(Term a, Term b) { return system.operation(Op::fadd, a, b); }
  Term subtract(Term a, Term b) { return system.operation(Op::fsub, a, b); }
  Term multiply(Term a, Term b) { return system.operation(Op::fmul, a, b); }
  Term divide(Term a, Term b) { return system.operation(Op::fdiv, a, b); }
  Term number(double value) { return system.constant(value); }
  Term polynomial(std::initializer_list<double> coefficients, Term at) { // highest first, by Horner's rule
    Term result = number(0);
    for (const double coefficient : coefficients)
      result = add(multiply(result, at), number(coefficient));
    return result;
  }
  void is(Op comparison, Term a, double b) { system.assert_true(system.compare(comparison, a, number(b))); }
  void is(Op comparison, Term a, int b) { is(comparison, a, double(b)); }
  void is(Op comparison, Term a, Term b) { system.assert_true(system.compare(comparison, a, b)); }
  void is(Class tested, Term a) { system.assert_true(system.classify(tested, a)); }

  constraint::System system;
  Term x = system.variable("x", sort64), y = system.variable("y", sort64), z = system.variable("z", sort64);
};

} // namespace faultline::solve
