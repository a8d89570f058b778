#include "constraint/evaluate.h"
#include "solve/child.h"
#include "solve/solver.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace faultline::solve {
namespace {

using constraint::System;
using constraint::Term;
using ops::Op;

// x * x is this, for a positive double x.
System square_is(double value) {
  System system;
  const Term x = system.variable("x", constraint::float_sort(numeric::binary64));
  system.assert_true(system.compare(Op::cmp_oeq, system.operation(Op::fmul, x, x), system.constant(value)));
  system.assert_true(system.compare(Op::cmp_ogt, x, system.constant(0.0)));
  return system;
}

TEST(Portfolio, AnswersWithACheckedModelAndSaysWhoFoundIt) {
  const System system = square_is(2.25);
  for (const bool in_process : {false, true}) {
    const Result result = solve(*find_solver("portfolio"), {.system = system, .in_process = in_process});
    ASSERT_EQ(result.answer, Answer::sat);
    EXPECT_TRUE(constraint::satisfies(system, result.model));
    EXPECT_NE(result.solver, "portfolio");
    EXPECT_NE(find_solver(result.solver), nullptr);
  }
}

TEST(Portfolio, ProvesThatThereIsNoModel) {
  // No double has the square 2.
  const System system = square_is(2);
  for (const bool in_process : {false, true})
    EXPECT_EQ(solve(*find_solver("portfolio"), {.system = system, .in_process = in_process}).answer, Answer::unsat);
}

TEST(Portfolio, InProcessDependsOnTheSeedAndTheEffortAlone) {
  System system;
  const Term x = system.variable("x", constraint::float_sort(numeric::binary64));
  const Term y = system.variable("y", constraint::float_sort(numeric::binary64));
  const Term circle = system.operation(Op::fadd, system.operation(Op::fmul, x, x), system.operation(Op::fmul, y, y));
  system.assert_true(system.compare(Op::cmp_oeq, circle, system.constant(25.0)));
  system.assert_true(system.compare(Op::cmp_ogt, x, y));
  const Question question{.system = system, .seconds = 60, .effort = 400'000, .in_process = true};
  const Result first = solve(*find_solver("portfolio"), question), again = solve(*find_solver("portfolio"), question);
  EXPECT_EQ(first.answer, Answer::sat);
  EXPECT_EQ(first.model, again.model);
  EXPECT_EQ(first.solver, again.solver);
}

TEST(Race, TheFirstAnswerCountsAndTheOthersAreNotWaitedFor) {
  const Result result = race({[] {
                                pause();
                                return Result{};
                              },
                              [] { return Result{.answer = Answer::unsat, .solver = "quick"}; },
                              [] { return Result{.reason = "gave up"}; }},
                             {.seconds = 60});
  EXPECT_EQ(result.answer, Answer::unsat);
  EXPECT_EQ(result.solver, "quick");
}

TEST(Race, OneThatGivesUpFirstDoesNotEndIt) {
  const Result result = race({[] { return Result{.reason = "gave up"}; },
                              [] {
                                usleep(200'000);
                                return Result{.answer = Answer::unsat, .solver = "slow"};
                              }},
                             {.seconds = 60});
  EXPECT_EQ(result.answer, Answer::unsat);
  EXPECT_EQ(result.solver, "slow");
}

TEST(Race, WithoutAnAnswerIsUnknownWithAReason) {
  const Result result = race({[] { return Result{.reason = "gave up"}; }}, {.seconds = 60});
  EXPECT_EQ(result.answer, Answer::unknown);
  EXPECT_EQ(result.reason, "gave up");
}

TEST(Solver, OneThatRunsOutOfMemoryHasNoAnswer) {
  const NamedSolver greedy{"greedy", [](const Question&) -> Result { throw std::bad_alloc(); }, ""};
  const System system = square_is(4);
  const Result result = solve(greedy, {.system = system});
  EXPECT_EQ(result.answer, Answer::unknown);
  EXPECT_EQ(result.reason, "out of memory");
}

} // namespace
} // namespace faultline::solve
