#include "solve/bits/bits.h"

#include "trial.h"

#include <gtest/gtest.h>

namespace faultline::solve {
namespace {

class BitsOver : public testing::TestWithParam<BinaryFormat> {};

// With what is known and without: the question is the same, and so must the answer be.
TEST_P(BitsOver, NoSolutionIsLostAndNoneInventedInAnyBox) {
  numeric::Rng rng(7);
  for (const Op op : {Op::fadd, Op::fsub, Op::fmul, Op::fdiv, Op::fma, Op::sqrt, Op::floor, Op::roundeven, Op::round,
                      Op::fmin, Op::fmax, Op::fdim, Op::copysign, Op::fneg, Op::fabs, Op::fptrunc, Op::remainder}) {
    for (int i = 0; i < (rounds(op) ? 100 : 60); ++i) {
      const auto rounding = numeric::Rounding(rounds(op) ? i % numeric::rounding_count : 0);
      const Trial trial = random_trial(rng, GetParam(), op, rounding);
      for (const bool informed : {false, true}) {
        const Result result =
            solve_bits({.system = trial.system, .seconds = 60}, informed ? trial.known : std::vector<Known>{});
        ASSERT_EQ(result.answer, trial.expected()) << trial.text() << (informed ? ", known" : "");
        if (result.answer == Answer::sat)
          ASSERT_TRUE(constraint::satisfies(trial.system, result.model)) << trial.text() << (informed ? ", known" : "");
      }
    }
  }
}

// A random graph of operations over two variables, some terms bounded. What is known of each term is what all solutions
// show.
struct Graph {
  System system;
  std::vector<Known> known;
  bool satisfiable = false;

  Graph(numeric::Rng& rng, BinaryFormat format) {
    std::vector<Term> floats;
    for (const char* name : {"x", "y"})
      floats.push_back(system.variable(name, constraint::float_sort(format)));
    floats.push_back(system.constant(Bits(rng.below(uint64_t{1} << format.width())), format));
    constexpr Op operations[] = {Op::fadd, Op::fsub, Op::fmul, Op::fdiv, Op::fadd, Op::fmul, Op::sqrt, Op::fmax};
    const auto some = [&] { return floats[rng.below(floats.size())]; };
    for (int i = 0; i < 5; ++i)
      floats.push_back(system.operation(operations[rng.below(std::size(operations))], some(), some()));
    constexpr Op relations[] = {Op::cmp_olt, Op::cmp_ole, Op::cmp_oeq, Op::cmp_ult, Op::cmp_une};
    const auto relation = [&] { return system.compare(relations[rng.below(std::size(relations))], some(), some()); };
    floats.push_back(system.choose(relation(), some(), some()));
    for (int i = 0; i < 2; ++i)
      system.assert_true(system.either(relation(), system.negate(relation())));
    system.assert_true(bounded(system, floats.back(), random_box(rng, format, 16)));
    learn(format);
  }

private:
  void learn(BinaryFormat format) {
    known.assign(system.size(), {format.highest(), format.lowest(), false});
    std::vector<Bits> values;
    for (const Bits x : values_of(anything(format), format))
      for (const Bits y : values_of(anything(format), format)) {
        if (!constraint::satisfies(system, {x, y}))
          continue;
        satisfiable = true;
        constraint::evaluate(system, {x, y}, values);
        for (Term term = 0; term < system.size(); ++term)
          extend(known[term], system.sort(term), values[term]);
      }
  }
  static void extend(Known& range, const constraint::Sort& sort, Bits bits) {
    if (!sort.boolean && sort.format.is_nan(bits)) {
      range.nan = true;
      return;
    }
    const Int128 order = sort.boolean ? Int128(bits) : sort.format.order(bits);
    range.low = std::min(range.low, order);
    range.high = std::max(range.high, order);
  }
};

TEST(Bits, GraphsOfOperationsKeepTheirSolutionsWhenRangesAreKnown) {
  const BinaryFormat format{3, 3};
  numeric::Rng rng(11);
  int satisfiable = 0;
  for (int i = 0; i < 150; ++i) {
    const Graph graph(rng, format);
    satisfiable += graph.satisfiable;
    for (const bool informed : {false, true}) {
      if (informed && !graph.satisfiable)
        continue; // nothing follows from nothing
      const Result result =
          solve_bits({.system = graph.system, .seconds = 60}, informed ? graph.known : std::vector<Known>{});
      ASSERT_EQ(result.answer, graph.satisfiable ? Answer::sat : Answer::unsat) << i << (informed ? ", known" : "");
      if (graph.satisfiable)
        ASSERT_TRUE(constraint::satisfies(graph.system, result.model)) << i << (informed ? ", known" : "");
    }
  }
  EXPECT_GT(satisfiable, 30);
  EXPECT_LT(satisfiable, 120);
}

TEST(Bits, DoublesAreSolvedExactly) {
  System system;
  const Term x = system.variable("x", constraint::float_sort(numeric::binary64));
  const Term square = system.operation(Op::fmul, x, x);
  // sqrt(2) lies between two doubles; the square of neither is 2.
  system.assert_true(system.compare(Op::cmp_olt, system.constant(1.9999999999999991), square));
  system.assert_true(system.compare(Op::cmp_olt, square, system.constant(2.0)));
  const Result result = solve_bits({.system = system, .seconds = 60});
  ASSERT_EQ(result.answer, Answer::sat);
  EXPECT_TRUE(constraint::satisfies(system, result.model));
  system.assert_true(system.compare(Op::cmp_olt, system.constant(1.9999999999999996), square));
  EXPECT_EQ(solve_bits({.system = system, .seconds = 60}).answer, Answer::unsat);
}

TEST(Bits, FormatsWiderThanTheMachinesWordsAreSolvedToo) {
  const BinaryFormat quadruple{15, 113};
  System system;
  const Term x = system.variable("x", constraint::float_sort(quadruple));
  const Term three = system.convert(system.constant(3.0), quadruple),
             ten = system.convert(system.constant(10.0), quadruple);
  const Term third = system.operation(Op::fdiv, x, three);
  system.assert_true(system.same(third, system.operation(Op::fdiv, ten, three)));
  system.assert_true(system.compare(Op::cmp_oeq, system.operation(Op::fmul, third, three), ten));
  const Result result = solve_bits({.system = system, .seconds = 60});
  ASSERT_EQ(result.answer, Answer::sat);
  EXPECT_TRUE(constraint::satisfies(system, result.model));
  system.assert_true(system.negate(system.compare(Op::cmp_oeq, x, ten)));
  system.assert_true(system.compare(Op::cmp_olt, system.operation(Op::fabs, system.operation(Op::fsub, x, ten)),
                                    system.constant(quadruple.smallest_normal(), quadruple)));
  EXPECT_EQ(solve_bits({.system = system, .seconds = 60}).answer, Answer::unsat);
}

TEST(Bits, AZeroOfEitherSignMayComeOutOfTheMachinesMinimum) {
  System system;
  const Term x = system.variable("x", constraint::float_sort(numeric::binary64));
  const Term y = system.variable("y", constraint::float_sort(numeric::binary64));
  system.assert_true(system.compare(Op::cmp_oeq, x, system.constant(0.0)));
  system.assert_true(system.compare(Op::cmp_oeq, y, system.constant(0.0)));
  system.assert_true(system.classify(constraint::Class::negative, x));
  const Term least = system.operation(Op::fmin, x, y);
  system.assert_true(system.compare(Op::cmp_oeq, least, x));
  const Result result = solve_bits({.system = system, .seconds = 60});
  ASSERT_EQ(result.answer, Answer::sat);
  EXPECT_TRUE(constraint::satisfies(system, result.model));
}

TEST(Bits, WhatHasNoCircuitIsSaidByName) {
  System system;
  const Term x = system.variable("x", constraint::float_sort(numeric::binary64));
  system.assert_true(system.compare(Op::cmp_olt, system.operation(Op::sin, x), x));
  const Result result = solve_bits({.system = system});
  EXPECT_EQ(result.answer, Answer::unknown);
  EXPECT_NE(result.reason.find("sin"), std::string::npos);
}

TEST(Bits, TermsThatNoAssertionUsesAreNoObstacle) {
  System system;
  const Term x = system.variable("x", constraint::float_sort(numeric::binary64));
  system.operation(Op::sin, x);
  system.assert_true(system.compare(Op::cmp_olt, system.constant(1.0), x));
  EXPECT_EQ(solve_bits({.system = system}).answer, Answer::sat);
}

TEST(Bits, ASystemTooLargeIsRefusedAndNotHalfSolved) {
  System system;
  const Term x = system.variable("x", constraint::float_sort(numeric::binary64));
  system.assert_true(system.compare(Op::cmp_olt, system.operation(Op::fmul, x, x), x));
  EXPECT_NE(BitsSystem(system, {}, Deadline(60), 1000).obstacle().find("1000 gates"), std::string::npos);
  EXPECT_TRUE(BitsSystem(system, {}, Deadline(60)).obstacle().empty());
}

TEST(Bits, NoTimeIsNoAnswer) {
  System system;
  const Term x = system.variable("x", constraint::float_sort(numeric::binary64));
  system.assert_true(system.compare(Op::cmp_olt, system.operation(Op::fdiv, system.constant(1.0), x), x));
  EXPECT_EQ(solve_bits({.system = system, .seconds = 0}).answer, Answer::unknown);
}

INSTANTIATE_TEST_SUITE_P(TinyFormats, BitsOver,
                         testing::Values(BinaryFormat{3, 3}, BinaryFormat{2, 4}, BinaryFormat{4, 4}),
                         [](const auto& info) {
                           return "e" + std::to_string(info.param.exponent_bits) + "s" +
                                  std::to_string(info.param.significand_bits);
                         });

} // namespace
} // namespace faultline::solve
