// The search along one line: what is done on it, and how much. A site that is given up too early hides its faults, and
// one that is never given up uses up what others need.
#include "searching.h"

#include "search/bracket/line_search.h"

namespace faultline::test {
namespace {

using search::Line;
using search::LineEffort;

constexpr LineEffort brackets_only{{64, 16, 1, 4}, 64, 8, 0};

// A target of one input, and its line.
struct Searcher {
  Searcher(const std::string& text, long double low, long double high)
      : session(open_math(text)), space{{a_double(low, high)}}, line(Line::along(space, {low}, 0)) {}

  // The number of runs.
  uint64_t explore(const LineEffort& effort, bool only_float = false) {
    const uint64_t before = evaluator.evaluations();
    largest = search.explore(line, effort, only_float);
    return evaluator.evaluations() - before;
  }

  exec::Session session;
  search::Space space;
  search::Evaluator evaluator{session, {.seconds = 60}, [](const exec::Input&, const exec::Run&, const tape::Tape&) {}};
  const std::vector<size_t> outputs = {0};
  search::Quest quest{evaluator, space, outputs, numeric::Rng(1)};
  search::Scorer scorer{quest, "test"};
  search::DangerReader reader{session.sites()};
  search::BracketCloser closer{scorer, reader, 1e-3};
  search::LineSearch search{quest, scorer, reader, closer};
  Line line;
  double largest = 0;
};

TEST(LineSearch, ClosesTheBracketOfARoot) {
  Searcher searcher("double f(double x) { return x * x - 2; }", 0, 100);
  searcher.explore(brackets_only);
  EXPECT_GT(searcher.largest, 1e-2);
  const std::vector<search::Candidate> best = searcher.scorer.best(1, 1);
  ASSERT_FALSE(best.empty());
  EXPECT_NEAR(double(best[0].input[0]), 1.4142135623730951, 1e-12);
}

TEST(LineSearch, ClosesNoMoreBracketsThanItMay) {
  const std::string sine = "double f(double x) { return sin(x); }"; // 318 roots
  Searcher none(sine, 0, 1000), some(sine, 0, 1000);
  const uint64_t samples = none.explore({{64, 16, 1, 4}, 0, 8, 0});
  const uint64_t all = some.explore({{64, 16, 1, 4}, 2, 8, 0});
  EXPECT_GT(all, samples);
  EXPECT_LT(all, samples + 2 * 80); // a bisection takes some sixty runs
}

// A sign that changes hundreds of times, with exact results on either side.
TEST(LineSearch, GivesUpASiteWhoseBracketsAreFruitlessUntilItIsToldToForget) {
  Searcher searcher("double f(double x) { return sin(x) > 0 ? x : 2 * x; }", 1, 1000);
  std::vector<uint64_t> runs;
  for (int i = 0; i < 12; ++i)
    runs.push_back(searcher.explore(brackets_only));
  EXPECT_LT(runs.back(), runs.front() * 2 / 3);
  searcher.search.forget_failures();
  EXPECT_GT(searcher.explore(brackets_only), runs.back() * 5 / 4);
}

// 1e11 absorbs the digits of what is around 0: the last errors that count are at about 0.08 to either side.
TEST(LineSearch, KeepsTheEndsOfARangeOfErrorsOnlyWhereNothingElseMoves) {
  const std::string absorbs = "double f(double x) { return ((x * x + 1e-4) + 1e11) - 1e11; }";
  const auto highest = [&](bool only_float) {
    Searcher searcher(absorbs, -100, 100);
    searcher.explore({search::whole_space, 0, 0, 0}, only_float);
    long double highest = 0;
    for (const search::Candidate& candidate : searcher.scorer.best(64, 64))
      highest = std::max(highest, candidate.input[0]);
    return highest;
  };
  EXPECT_GT(highest(true), 0.02L);
  EXPECT_EQ(highest(false), 0);
}

} // namespace
} // namespace faultline::test
