#include "solve/solver.h"

#include "constraint/evaluate.h"
#include "numeric/random.h"
#include "solve/interval/propagation.h"

#include <cmath>
#include <gtest/gtest.h>

namespace faultline::solve {
namespace {

using constraint::BinaryFormat;
using constraint::Bits;
using constraint::Model;
using constraint::System;
using constraint::Term;
using ops::Op;

constexpr BinaryFormat tiny{3, 3};

// x < 10000 and x + 1e12 > 1e12, of the slides.
System absorbed(BinaryFormat format) {
  System system;
  const auto constant = [&](double value) { return system.constant(numeric::bits_of(value, format), format); };
  const Term x = system.variable("x", constraint::float_sort(format));
  const Term sum = system.operation(Op::fadd, x, constant(1e12));
  system.assert_true(system.compare(Op::cmp_olt, x, constant(1e4)));
  system.assert_true(system.compare(Op::cmp_ogt, sum, constant(1e12)));
  return system;
}

TEST(Interval, ASumThatAbsorbsIsInfeasibleInSingleAndFeasibleInDouble) {
  EXPECT_EQ(solve_interval({.system = absorbed(numeric::binary32)}).answer, Answer::unsat);
  const System wide = absorbed(numeric::binary64);
  const Result result = solve_interval({.system = wide});
  ASSERT_EQ(result.answer, Answer::sat);
  EXPECT_TRUE(constraint::satisfies(wide, result.model));
}

TEST(Interval, PropagationAloneFindsTheLargestXThatASumAbsorbs) {
  for (const BinaryFormat format : {numeric::binary32, numeric::binary64}) {
    System system;
    const auto constant = [&](double value) { return system.constant(numeric::bits_of(value, format), format); };
    const Term x = system.variable("x", constraint::float_sort(format));
    system.assert_true(system.compare(Op::cmp_ogt, x, constant(0)));
    system.assert_true(system.compare(Op::cmp_oeq, system.operation(Op::fadd, x, constant(1e12)), constant(1e12)));
    const auto domains = propagated(system);
    ASSERT_TRUE(domains);
    const Range numbers = (*domains)[x].numbers;
    EXPECT_EQ(numbers.low, 1);
    EXPECT_TRUE(constraint::satisfies(system, {format.at(numbers.high)}));
    EXPECT_FALSE(constraint::satisfies(system, {format.at(numbers.high + 1)}));
  }
}

// A random formula over two or three tiny floats: small enough to try all models.
class RandomSystem {
public:
  explicit RandomSystem(uint64_t seed) : rng_(seed) {
    for (int i = 0; i < 2; ++i)
      floats_.push_back(system.variable("x", constraint::float_sort(tiny)));
    for (int i = 0; i < 6; ++i)
      floats_.push_back(number());
    const Term flag = system.variable("b", constraint::boolean_sort);
    std::vector<Term> truths{flag};
    for (int i = 0; i < 8; ++i)
      truths.push_back(truth(truths));
    for (int i = 0; i < 3; ++i)
      system.assert_true(truths[truths.size() - 1 - size_t(i)]);
  }

  bool satisfiable() const {
    for (Bits a = 0; a < 64; ++a)
      for (Bits b = 0; b < 64; ++b)
        for (Bits flag = 0; flag < 2; ++flag)
          if (constraint::satisfies(system, Model{a, b, flag}))
            return true;
    return false;
  }

  System system;

private:
  Term any(const std::vector<Term>& terms) { return terms[rng_.below(terms.size())]; }

  Term number() {
    constexpr Op ops[] = {Op::fadd, Op::fsub, Op::fmul, Op::fdiv,  Op::sqrt, Op::fneg,
                          Op::fabs, Op::fmin, Op::fmax, Op::trunc, Op::fma};
    if (rng_.below(5) == 0)
      return system.constant(rng_.below(64), tiny);
    const Term a = any(floats_), b = any(floats_), c = any(floats_);
    return system.operation(ops[rng_.below(std::size(ops))], a, b, c);
  }

  Term truth(const std::vector<Term>& truths) {
    constexpr Op comparisons[] = {Op::cmp_oeq, Op::cmp_olt, Op::cmp_ole, Op::cmp_une, Op::cmp_ogt, Op::cmp_uno};
    switch (rng_.below(7)) {
    case 0:
      return system.both(any(truths), any(truths));
    case 1:
      return system.either(any(truths), any(truths));
    case 2:
      return system.negate(any(truths));
    case 3:
      return system.same(any(floats_), any(floats_));
    case 4:
      return system.classify(constraint::Class(rng_.below(7)), any(floats_));
    case 5:
      return system.compare(Op::cmp_ole, system.choose(any(truths), any(floats_), any(floats_)), any(floats_));
    default:
      return system.compare(comparisons[rng_.below(std::size(comparisons))], any(floats_), any(floats_));
    }
  }

  numeric::Rng rng_;
  std::vector<Term> floats_;
};

TEST(Interval, AnswersAsAnExhaustiveSearchDoesOnRandomSystems) {
  int sat = 0, unsat = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    const RandomSystem random(seed);
    const bool expected = random.satisfiable();
    for (const bool ulp_max : {false, true}) {
      const Result result = solve_interval({.system = random.system, .ulp_max = ulp_max});
      ASSERT_EQ(result.answer, expected ? Answer::sat : Answer::unsat) << "seed " << seed;
      ASSERT_TRUE(!expected || constraint::satisfies(random.system, result.model)) << "seed " << seed;
    }
    (expected ? sat : unsat) += 1;
  }
  EXPECT_GT(sat, 50);
  EXPECT_GT(unsat, 50);
}

TEST(Interval, GivesUpWhenItsEffortIsUsedUp) {
  System system;
  const Term x = system.variable("x", constraint::float_sort(numeric::binary64));
  const Term y = system.variable("y", constraint::float_sort(numeric::binary64));
  // x^2 + y^2 = 3 z^2 has no solution in integers, and far too many floats to try.
  const Term square = system.operation(Op::fadd, system.operation(Op::fmul, x, x), system.operation(Op::fmul, y, y));
  system.assert_true(system.compare(Op::cmp_oeq, square, system.constant(3.0)));
  system.assert_true(system.compare(Op::cmp_oeq, system.operation(Op::fadd, x, y), system.constant(2.449489742783179)));
  Question question{.system = system};
  question.effort = 100;
  EXPECT_EQ(solve_interval(question).answer, Answer::unknown);
}

TEST(Solver, AModelThatDoesNotSatisfyTheSystemIsNeverPassedOn) {
  System system;
  const Term x = system.variable("x", constraint::float_sort(numeric::binary64));
  system.assert_true(system.compare(Op::cmp_ogt, x, system.constant(1.0)));
  const NamedSolver liar{
      "liar", [](const Question&) { return Result{.answer = Answer::sat, .model = {numeric::bits_of(0.5)}}; }, ""};
  const Result result = solve(liar, {.system = system});
  EXPECT_EQ(result.answer, Answer::unknown);
  EXPECT_NE(result.reason.find("does not satisfy"), std::string::npos);
}

} // namespace
} // namespace faultline::solve
