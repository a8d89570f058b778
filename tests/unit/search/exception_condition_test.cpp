#include "constraint/tape_terms.h"

#include "../tape/reading.h"
#include "solve/solver.h"
#include "tape/exceptions.h"

#include <gtest/gtest.h>
#include <limits>

namespace faultline::constraint {
namespace {

using Kind = ops::Exception;
constexpr long double largest = std::numeric_limits<double>::max();

std::vector<InputRange> doubles(size_t count) {
  return std::vector<InputRange>(count,
                                 {"x", true, numeric::Format::binary64, numeric::Format::binary64, -largest, largest});
}

struct Asked {
  solve::Answer answer = solve::Answer::unknown;
  bool raised = false; // by the run of the model, at the same site
};

// Asks for the exception at the last execution of the operation, on the path of this input.
Asked ask(const std::string& text, ops::Op op, Kind kind, const exec::Input& input) {
  exec::Session session = test::open_text("#include <math.h>\n" + text, ".c", "f");
  const std::vector<InputRange> inputs = doubles(input.size());
  const tape::Tape tape = test::read(session, input);
  uint32_t record = 0;
  for (uint32_t index = 1; index < tape.size(); ++index)
    if (tape.site(index).op == op)
      record = index;
  const uint32_t site = tape.record(record).site;
  const auto condition = exception_condition(tape, record, kind, inputs, Leaves::as_they_were);
  if (!condition)
    return {};
  solve::Question question{condition->system, 5};
  question.near = {model_of(*condition, inputs, input)};
  question.in_process = true;
  const solve::Result result = solve::solve(*solve::find_solver("portfolio"), question);
  Asked asked{result.answer};
  if (result.answer == solve::Answer::sat) {
    const tape::Tape again = test::read(session, input_of(*condition, inputs, result.model, input));
    asked.raised = goal::happened({site, kind}, again);
  }
  return asked;
}

void expect_raised(const std::string& text, ops::Op op, Kind kind, const exec::Input& input) {
  const Asked asked = ask(text, op, kind, input);
  EXPECT_EQ(asked.answer, solve::Answer::sat) << text;
  EXPECT_TRUE(asked.raised) << text;
}

TEST(ExceptionCondition, ModelsRaiseTheException) {
  expect_raised("double f(double x, double y) { return x * y; }", ops::Op::fmul, Kind::overflow, {2, 3});
  expect_raised("double f(double x, double y) { return x + y; }", ops::Op::fadd, Kind::overflow, {2, 3});
  expect_raised("double f(double x, double y) { return 1 / (x * x - y); }", ops::Op::fdiv, Kind::divide_by_zero,
                {2, 3});
  expect_raised("double f(double x, double y) { return x / y; }", ops::Op::fdiv, Kind::invalid, {2, 3});
  expect_raised("double f(double x) { return sqrt(x * x - 2); }", ops::Op::sqrt, Kind::invalid, {2});
  expect_raised("double f(double x) { return exp(3 * x + 1); }", ops::Op::exp, Kind::overflow, {2});
  expect_raised("double f(double x) { return log(x - 5); }", ops::Op::log, Kind::divide_by_zero, {8});
  expect_raised("double f(double x) { return asin(x / 7); }", ops::Op::asin, Kind::invalid, {1});
  expect_raised("double f(double x) { return (int)(x * 3); }", ops::Op::to_int, Kind::invalid, {1});
}

TEST(ExceptionCondition, ThePathToTheOperationStays) {
  const std::string guarded =
      "double f(double x) { if (x * x < 10) return 0; if (x > 0) return 1; return sqrt(x + 50); }";
  const Asked asked = ask(guarded, ops::Op::sqrt, Kind::invalid, {-5});
  EXPECT_EQ(asked.answer, solve::Answer::sat);
  EXPECT_TRUE(asked.raised);
}

TEST(ExceptionCondition, WhatTheGuardExcludesIsProvenImpossible) {
  EXPECT_EQ(
      ask("double f(double x) { if (x < 1) return 0; return sqrt(x); }", ops::Op::sqrt, Kind::invalid, {4}).answer,
      solve::Answer::unsat);
  EXPECT_EQ(
      ask("double f(double x) { if (x < 1) return 0; return 1 / x; }", ops::Op::fdiv, Kind::divide_by_zero, {4}).answer,
      solve::Answer::unsat);
}

TEST(ExceptionCondition, OperationsThatCannotRaiseItHaveNone) {
  exec::Session session = test::open_text("double f(double x, double y) { return x + y; }", ".c", "f");
  const tape::Tape tape = test::read(session, {1, 2});
  EXPECT_FALSE(
      exception_condition(tape, test::find(tape, ops::Op::fadd), Kind::underflow, doubles(2), Leaves::as_they_were));
}

} // namespace
} // namespace faultline::constraint
