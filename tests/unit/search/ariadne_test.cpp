#include "searching.h"

#include "search/exception_descent.h"
#include "tape/exceptions.h"

#include <gtest/gtest.h>
#include <map>
#include <set>

namespace faultline::search {
namespace {

using ops::Exception;
using test::a_double;
using test::an_integer;
using test::largest_double;

Space doubles(size_t count) {
  Space space;
  for (size_t i = 0; i < count; ++i)
    space.dimensions.push_back(a_double(-largest_double, largest_double));
  return space;
}

// What whole runs of a search have raised: operation and kind, and by which means first.
struct Raised {
  std::map<std::pair<ops::Op, Exception>, std::string> events;
  uint64_t evaluations = 0;

  bool has(ops::Op op, Exception kind) const { return events.contains({op, kind}); }
  std::string by(ops::Op op, Exception kind) const { return has(op, kind) ? events.at({op, kind}) : "none"; }
};

Raised search(const std::string& text, const Space& space, uint64_t seed = 1) {
  exec::Session session = test::open_math(text);
  Raised raised;
  Evaluator* running = nullptr;
  Evaluator evaluator(session, {}, [&](const exec::Input& input, const exec::Run& run, const tape::Tape& tape) {
    for (size_t i = 0; i < input.size(); ++i)
      EXPECT_TRUE(test::is_value_of(space.dimensions[i], input[i]));
    for (const tape::ExceptionEvent& event : tape::exceptions(tape))
      raised.events.try_emplace({tape.site(event.record).op, event.kind}, running->found_by());
  });
  running = &evaluator;
  const std::vector<size_t> outputs{0};
  Quest quest{evaluator, space, outputs, numeric::Rng(seed)};
  quest.errors_wanted = false;
  quest.exceptions_wanted = true;
  EXPECT_TRUE(search_ariadne(quest).empty());
  raised.evaluations = evaluator.evaluations();
  return raised;
}

TEST(Ariadne, FindsEveryKindInAFewLines) {
  const Raised raised = search("double f(double nu, double x) { double mu = 4 * nu * nu;"
                               " return sqrt(1.57 / x) * (1 + (mu - 1) / (8 * x)); }",
                               doubles(2));
  EXPECT_TRUE(raised.has(ops::Op::fmul, Exception::overflow));
  EXPECT_TRUE(raised.has(ops::Op::fmul, Exception::underflow));
  EXPECT_TRUE(raised.has(ops::Op::fdiv, Exception::divide_by_zero));
  EXPECT_TRUE(raised.has(ops::Op::sqrt, Exception::invalid));
}

TEST(Ariadne, StaysWithinTheSpace) { // checked with every run
  Space space = doubles(2);
  space.dimensions[0] = a_double(1, 2);
  space.dimensions.push_back(an_integer(-3, 3));
  const Raised raised = search("double f(double x, double y, int n) { return n > 2 ? x / y : log(x - 1) * n; }", space);
  EXPECT_TRUE(raised.has(ops::Op::fdiv, Exception::divide_by_zero));
  EXPECT_TRUE(raised.has(ops::Op::log, Exception::divide_by_zero));
  EXPECT_FALSE(raised.has(ops::Op::log, Exception::invalid)) << "x is at least 1";
}

TEST(Ariadne, BracketsADivisorThatHasARoot) {
  const Raised raised = search("double f(double x) { return 1 / (x * x + 92.125 * x - 128.5625); }", doubles(1));
  EXPECT_EQ(raised.by(ops::Op::fdiv, Exception::divide_by_zero), "bracketing");
}

TEST(Ariadne, AsksTheSolversForWhatNoSampleMeets) {
  const Raised raised = search("double f(double x) { double p = x * x * x * x * x - x - 3.7;"
                               " if (fabs(p) < 1e-11) return sqrt(x - 2); return p; }",
                               doubles(1));
  EXPECT_EQ(raised.by(ops::Op::sqrt, Exception::invalid), "real");
}

TEST(Ariadne, TurnsDecisionsOneByOne) {
  const Raised raised = search("double f(double x, double y) { if (x + y == 40.375)"
                               " if (x - y == 5.125) return 1 / (x - 22.75); return x; }",
                               doubles(2));
  EXPECT_TRUE(raised.has(ops::Op::fdiv, Exception::divide_by_zero));
}

TEST(Ariadne, FindsNothingInSterbenzsAverage) {
  const Raised raised = search("double f(double x, double y) { if ((x >= 0) != (y >= 0)) return (x + y) / 2;"
                               " return y >= x ? x + (y - x) / 2 : y + (x - y) / 2; }",
                               doubles(2));
  for (const ops::Op op : {ops::Op::fadd, ops::Op::fsub, ops::Op::fmul, ops::Op::fdiv})
    EXPECT_FALSE(raised.has(op, Exception::overflow)) << ops::name(op);
}

TEST(Ariadne, IsTheSameSearchWithTheSameSeed) {
  const char* text = "double f(double x, double y) { return exp(x) / (y - 3.25) + log(x * y); }";
  const Raised one = search(text, doubles(2), 5), other = search(text, doubles(2), 5);
  EXPECT_EQ(one.events, other.events);
  EXPECT_EQ(one.evaluations, other.evaluations);
}

TEST(Ariadne, EndsOnLoopsWithoutEnd) {
  const Raised raised = search("double f(double x) { double s = 0; for (int i = 1; i < 300000; ++i) s += x / i;"
                               " return s > 1e300 ? s * s : 1 / x; }",
                               doubles(1));
  EXPECT_TRUE(raised.has(ops::Op::fdiv, Exception::divide_by_zero));
}

TEST(ExceptionBoard, CopiesOfAPlaceAreOneGoal) {
  exec::Session session = test::open_math("static double q(double a) { return 1 / a; }\n"
                                          "double f(double x) { return q(x) + q(x - 1) * q(x + 1); }");
  const ExceptionBoard board(session.sites());
  size_t divisions = 0;
  for (const ExceptionBoard::Goal& goal : board.goals())
    divisions += goal.kind == Exception::divide_by_zero;
  EXPECT_EQ(divisions, 1u);
}

TEST(ExceptionBoard, RunsThatWereCutShortAreHintsOnly) {
  exec::Session session = test::open_math(
      "double f(double x) { double s = x * x; for (int i = 0; i < 1000; ++i) s += x / (i + 1); return s; }");
  ExceptionBoard board(session.sites());
  const exec::Input input{1e200L};
  const exec::Run& cut = session.run_briefly(input, 200);
  EXPECT_EQ(cut.outcome, exec::Outcome::tape_full);
  EXPECT_LE(cut.records.size(), 256u);
  board.watch(input, cut, tape::Tape(cut, session.sites(), 1));
  EXPECT_EQ(board.seen(), 0u);
  EXPECT_EQ(board.unconfirmed_inputs(), std::vector<exec::Input>{input});
  const exec::Run& whole = session.run(input);
  EXPECT_EQ(whole.outcome, exec::Outcome::returned);
  board.watch(input, whole, tape::Tape(whole, session.sites(), 1));
  EXPECT_GT(board.seen(), 0u);
  EXPECT_TRUE(board.unconfirmed_inputs().empty());
}

TEST(ExceptionDescent, MovesInputsTogetherWhereOneAloneDoesNotHelp) {
  exec::Session session =
      test::open_math("double f(double x, double y) { return fabs(x - y) < x * 1e-3 && x > 0 ? x + y : 0; }");
  const Space space = doubles(2);
  Evaluator evaluator(session, {}, [](const exec::Input&, const exec::Run&, const tape::Tape&) {});
  ExceptionBoard board(session.sites());
  const Evaluator::Listening listening(evaluator, [&](const exec::Input& input, const exec::Run& run,
                                                      const tape::Tape& tape) { board.watch(input, run, tape); });
  evaluator.run({1000, 1000.1L});
  ExceptionDescent descent(evaluator, space, board);
  for (size_t goal = 0; goal < board.goals().size(); ++goal)
    if (board.goals()[goal].kind == Exception::overflow)
      descent.descend(goal, 200);
  bool overflow = false;
  for (const ExceptionBoard::Goal& goal : board.goals())
    overflow |= goal.seen && goal.kind == Exception::overflow;
  EXPECT_TRUE(overflow);
}

TEST(ValuePool, DrawsAndChangesStayWithinTheSpace) {
  exec::Session session = test::open_math("double f(double x, double y, int n) { return x > 2.5 ? y * 1e-7 : n; }");
  Space space = doubles(1);
  space.dimensions.push_back(a_double(-3, 7));
  space.dimensions.push_back(an_integer(-2, 5));
  const ValuePool pool(space, session.sites());
  numeric::Rng rng(3);
  std::set<long double> constants, integers;
  exec::Input input = pool.draw(rng);
  for (int i = 0; i < 20'000; ++i) {
    input = i % 2 ? pool.draw(rng) : pool.mutate(input, rng);
    for (size_t k = 0; k < input.size(); ++k)
      ASSERT_TRUE(test::is_value_of(space.dimensions[k], input[k])) << input[k];
    if (std::fabs(input[0]) == 2.5L)
      constants.insert(input[0]);
    integers.insert(input[2]);
  }
  EXPECT_EQ(constants.size(), 2u) << "the constant of the code, with both signs";
  EXPECT_EQ(integers.size(), 8u);
}

} // namespace
} // namespace faultline::search
