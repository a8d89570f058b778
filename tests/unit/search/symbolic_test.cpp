// Algorithm 1 on the paper's own examples. Inputs are single-precision values in [-100, 100], as in its evaluation.
#include "search/fpgen/symbolic.h"

#include "searching.h"

#include <set>

namespace faultline::test {
namespace {

struct Subject {
  exec::Session session;
  search::Space space;

  explicit Subject(const std::string& text, const model::Sizes& sizes = {}) : session(open_math(text, sizes)) {
    for (const model::Cell& cell : session.target().inputs) {
      space.dimensions.push_back(a_float(-100, 100));
      space.dimensions.back().name = cell.name;
    }
  }
};

struct Solved {
  search::SymbolicOutcome outcome;
  std::vector<exec::Input> inputs;
  double error = 0; // the largest
};

// Ended by the count of records, not by the clock.
Solved solve(Subject& subject, const exec::Input& base, uint64_t records = 30'000'000,
             const search::Checks& checks = {}, uint64_t seed = 1) {
  Solved solved;
  search::Budget budget;
  budget.records = records;
  budget.seconds = 1e6;
  std::string outside;
  search::Evaluator evaluator(subject.session, budget,
                              [&](const exec::Input& input, const exec::Run&, const tape::Tape&) {
                                for (size_t i = 0; i < input.size(); ++i)
                                  if (!is_value_of(subject.space.dimensions[i], input[i]))
                                    outside = fmt::format("input {} is {}", i, input[i]);
                              });
  const std::vector<size_t> outputs = {0};
  search::Quest quest{evaluator, subject.space, outputs, numeric::Rng(seed)};
  quest.checks = checks;
  solved.outcome =
      solve_for_inaccuracy(quest, base, 1, [&](const exec::Input& input) { solved.inputs.push_back(input); });
  EXPECT_EQ(outside, "");
  for (const exec::Input& input : solved.inputs)
    solved.error = std::max(solved.error, verified(subject.session, input));
  EXPECT_GE(solved.outcome.solved, solved.inputs.size());
  EXPECT_EQ(std::set<exec::Input>(solved.inputs.begin(), solved.inputs.end()).size(), solved.inputs.size());
  uint64_t by_solver = 0;
  for (const auto& [solver, count] : solved.outcome.by_solver)
    by_solver += count;
  EXPECT_EQ(by_solver, solved.outcome.solved);
  return solved;
}

exec::Input some_base(size_t size) {
  exec::Input base;
  for (size_t i = 0; i < size; ++i)
    base.push_back(float(97.3 - 23.7 * double(i)));
  return base;
}

const char* const recursive = "double f(double A[4]) {\n  for (int i = 3; i > 0; i--)\n    A[i-1] += A[i];\n"
                              "  return A[0];\n}";
const char* const dot = "double f(const double x[4], const double y[4]) {\n  double s = 0;\n"
                        "  for (int i = 0; i < 4; i++)\n    s += x[i] * y[i];\n  return s;\n}";

TEST(Symbolic, RecursiveSummationLosesAndCancelsAtEveryAddition) {
  Subject subject(recursive, {{"A", {4}}});
  const Solved solved = solve(subject, some_base(4));
  EXPECT_EQ(solved.outcome.goals, 6u);
  EXPECT_EQ(solved.outcome.reached, 6u);
  EXPECT_GE(solved.error, 0.5);
}

TEST(Symbolic, PairwiseSummationAsStraightLineCode) {
  Subject subject(
      "double f(double a, double b, double c, double d) {\n  a += b;\n  c += d;\n  a += c;\n  return a;\n}");
  const Solved solved = solve(subject, some_base(4));
  EXPECT_EQ(solved.outcome.reached, 6u);
  EXPECT_GE(solved.error, 0.5);
}

TEST(Symbolic, CompensatedSummation) {
  Subject subject("double f(double A[4]) {\n  double sum, a, e = 0;\n  for (int i = 3; i > 0; i--) {\n    sum = A[i];\n"
                  "    a = A[i-1] + e;\n    A[i-1] = sum + a;\n    e = (sum - A[i-1]) + a;\n  }\n  return A[0];\n}",
                  {{"A", {4}}});
  const Solved solved = solve(subject, some_base(4));
  EXPECT_GE(solved.outcome.reached, 5u);
}

TEST(Symbolic, ADotProductIsSolvedWithOneVectorHeld) {
  Subject subject(dot, {{"*", {4}}});
  const exec::Input base = some_base(8);
  const Solved solved = solve(subject, base);
  EXPECT_GE(solved.error, 1e-5);
  for (const exec::Input& input : solved.inputs) { // x free and y held, or the other way round
    const bool x_held = std::equal(base.begin(), base.begin() + 4, input.begin());
    const bool y_held = std::equal(base.begin() + 4, base.end(), input.begin() + 4);
    EXPECT_TRUE(x_held || y_held);
  }
}

TEST(Symbolic, APathThatSkipsFewerUpdatesIsLookedFor) {
  Subject subject("double f(const double w[3], const double x[3]) {\n  double m = 0, W = 0;\n"
                  "  for (int i = 0; i < 3; i++)\n    if (w[i] > 0) {\n      W += w[i];\n"
                  "      m += (x[i] - m) * (w[i] / W);\n    }\n  return m;\n}",
                  {{"*", {3}}});
  const Solved solved = solve(subject, {-1, -1, 5, 20, 30, 40}, 40'000'000);
  EXPECT_GE(solved.outcome.goals, 10u); // the base input comes to one execution of each of two places
  EXPECT_GE(solved.error, 1e-5);
}

TEST(Symbolic, WhatCannotHappenIsRefuted) {
  Subject subject("double f(const double x[3]) {\n  double s = 0;\n  for (int i = 0; i < 3; i++)\n"
                  "    s += fabs(x[i]);\n  return s;\n}",
                  {{"x", {3}}});
  const Solved solved = solve(subject, some_base(3), 5'000'000);
  EXPECT_EQ(solved.outcome.reached, 2u); // a loss at the second and third addition, and no cancellation
  EXPECT_EQ(solved.outcome.timed_out, 0u);
  EXPECT_GE(solved.outcome.refuted, 4 * solved.outcome.rounds); // two cancellations, leaving something or nothing
}

TEST(Symbolic, WhereACancellationCanLeaveNothingOnlyItDoes) {
  Subject subject("double f(double a, double b) { return a - b; }");
  search::Checks checks;
  checks.cancellation_bits = 60; // more than a double has
  const Solved solved = solve(subject, some_base(2), 30'000'000, checks);
  EXPECT_EQ(solved.outcome.reached, 2u);
}

TEST(Symbolic, EveryInputReachesAGoalAndTheChosenLinesCount) {
  Subject subject("double f(double a, double b, double c) {\n  double s = a + b;\n  double t = s - c;\n"
                  "  return t * s;\n}");
  search::Checks checks;
  checks.lines = {{"subject.c", 5}};
  checks.loss_bits = 20;
  checks.cancellation_bits = 25;
  const Solved solved = solve(subject, some_base(3), 10'000'000, checks);
  EXPECT_EQ(solved.outcome.goals, 2u);
  EXPECT_EQ(solved.outcome.reached, 2u);
  for (const exec::Input& input : solved.inputs) {
    const tape::Tape tape = read(subject.session, input);
    const auto additions = tape::additions(tape);
    const auto at_line = std::ranges::find(
        additions, 5, [&](const tape::Addition& addition) { return tape.site(addition.record).line; });
    ASSERT_NE(at_line, additions.end());
    EXPECT_TRUE(goal::happened({goal::Check::precision_loss, at_line->place, 1, 20}, tape) ||
                goal::happened({goal::Check::cancellation, at_line->place, 1, 25}, tape));
  }
}

TEST(Symbolic, TheSameSeedFindsTheSame) {
  Subject subject(dot, {{"*", {4}}});
  const Solved first = solve(subject, some_base(8), 15'000'000), again = solve(subject, some_base(8), 15'000'000);
  EXPECT_EQ(first.inputs, again.inputs);
  EXPECT_EQ(first.outcome.asked, again.outcome.asked);
}

TEST(Symbolic, CodeWithoutAdditionsHasNothingToAsk) {
  Subject subject("double f(double x, double y) { return x * y; }");
  const Solved solved = solve(subject, {1, 2}, 1'000'000);
  EXPECT_EQ(solved.outcome.asked, 0u);
}

} // namespace
} // namespace faultline::test
