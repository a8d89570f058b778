#include "search/paths/paths.h"

#include "searching.h"

#include "tape/path.h"

namespace faultline::search {
namespace {

using test::a_double;
using test::a_float;
using test::an_integer;

exec::Session open_as_written(const std::string& text) {
  test::TemporaryFolder folder;
  program::Sources sources{{folder.write("subject.c", "#include <math.h>\n" + text)}, {}, ""};
  sources.as_written = true;
  auto program = program::Program::load(sources);
  auto target = program.find({"f"}, {}).at(0);
  return exec::Session(std::move(program), target, test::short_limits(), nullptr, {.decisions = true});
}

struct Explored {
  Exploration found;
  std::vector<runtime::Site> sites;

  size_t count(BranchState state) const {
    return size_t(std::count_if(found.outcomes.begin(), found.outcomes.end(),
                                [state](const BranchOutcome& outcome) { return outcome.state == state; }));
  }
  BranchState state(int line, int64_t outcome) const {
    for (const BranchOutcome& branch : found.outcomes)
      if (sites[branch.site].line == line && branch.outcome == outcome)
        return branch.state;
    ADD_FAILURE() << "no decision in line " << line;
    return BranchState::open;
  }
};

Explored explore(const std::string& text, std::vector<Dimension> dimensions, PathsLimits limits = {}) {
  exec::Session session = open_as_written(text);
  Budget budget;
  budget.seconds = 60;
  Evaluator evaluator(session, budget, [](const exec::Input&, const exec::Run&, const tape::Tape&) {});
  const Space space{std::move(dimensions)};
  Explored explored{explore_paths(evaluator, space, session.target(), limits, numeric::Rng(1)), session.sites().sites};
  // What is claimed is so.
  for (const BranchOutcome& branch : explored.found.outcomes) {
    if (branch.state != BranchState::covered)
      continue;
    const tape::Tape tape = evaluator.run(branch.input);
    const auto path = tape::path(tape);
    EXPECT_TRUE(std::any_of(path.begin(), path.end(), [&](const tape::Branch& taken) {
      return taken.site == branch.site && taken.outcome == branch.outcome;
    }));
  }
  return explored;
}

constexpr long double most_float = std::numeric_limits<float>::max();

TEST(Paths, TheSlidesFirstProgramHasAPathThatNoFloatTakes) {
  const Explored explored = explore(R"(float f(float x) {
  float y = 1.0e12f, z = 0;
  if (x < 10000.0f) {
    z = x + y;
    if (z > y) return 1;
  }
  return 0;
})",
                                    {a_float(-most_float, most_float)});
  EXPECT_EQ(explored.state(6, 1), BranchState::infeasible);
  EXPECT_EQ(explored.count(BranchState::covered), 3u);
  EXPECT_TRUE(explored.found.complete);
}

TEST(Paths, TheSlidesSecondProgramIsCoveredByFloatsThatNoRealNumberStandsFor) {
  const Explored explored = explore(R"(float f(float x) {
  float y = 1.0e12f;
  if (x > 0.0f) {
    if (x + y == y) return 1;
  }
  return 0;
})",
                                    {a_float(-most_float, most_float)});
  EXPECT_EQ(explored.count(BranchState::covered), 4u);
}

TEST(Paths, ANeedleIsFoundBySolving) {
  const Explored explored = explore(R"(double f(double x, double y) {
  if (x * 3.0 == 0.1 && y > x && y * y < 0.0012)
    return 1;
  return 0;
})",
                                    {a_double(-1e3, 1e3), a_double(-1e3, 1e3)});
  EXPECT_EQ(explored.count(BranchState::open), 0u);
  EXPECT_EQ(explored.count(BranchState::covered), 6u);
}

TEST(Paths, ConversionsToIntegersArePartOfAPath) {
  const Explored explored = explore(R"(double f(double x) {
  int n = (int)x;
  if (n == 12345 && x > 12345.25) return 1;
  return x > 12346.5 && n == 12346;
})",
                                    {a_double(-1e6, 1e6)});
  EXPECT_EQ(explored.count(BranchState::infeasible), 0u);
}

TEST(Paths, AnIntegerInputIsTurnedByTrying) {
  const Explored explored = explore(R"(double f(double x, int n) {
  if (n == 37) return x;
  return 0;
})",
                                    {a_double(-1, 1), an_integer(-100, 100)});
  EXPECT_EQ(explored.count(BranchState::covered), 2u);
}

TEST(Paths, ALoopIsTurnedAsOftenAsItsBoundSays) {
  PathsLimits limits;
  limits.loop_bound = 3;
  limits.every_path = true;
  const Explored explored = explore(R"(double f(double x) {
  int n = 0;
  while (x > 1.0) {
    x = x / 2;
    n++;
  }
  return n;
})",
                                    {a_double(0, 1e300)}, limits);
  EXPECT_EQ(explored.count(BranchState::covered), 2u);
  EXPECT_GT(explored.found.bounded, 0u);
  EXPECT_FALSE(explored.found.complete);
}

TEST(Paths, WhatNobodyCanProveStaysOpen) {
  // No x has this sine and this cosine, but no solver here knows that.
  const Explored explored =
      explore("double f(double x) { return sin(x) == 0.5 && cos(x) == 0.25 ? 1 : 0; }", {a_double(-10, 10)});
  EXPECT_EQ(explored.count(BranchState::infeasible), 0u);
  EXPECT_GT(explored.count(BranchState::open), 0u);
  EXPECT_FALSE(explored.found.complete);
}

TEST(Paths, ARangeMakesABranchInfeasible) {
  const Explored explored = explore("double f(double x) { return sqrt(x) > 10 ? 1 : 0; }", {a_double(0, 100)});
  EXPECT_EQ(explored.count(BranchState::infeasible), 1u);
}

} // namespace
} // namespace faultline::search
