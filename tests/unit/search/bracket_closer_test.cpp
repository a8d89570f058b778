// Closing in: the worst input sits beside a zero, one float wide. A bisection that stops short of it finds nothing.
#include "searching.h"

#include "search/bracket/line_search.h"

namespace faultline::test {
namespace {

using numeric::Int128;
using search::Bracket;
using search::BracketCloser;
using search::DangerReader;
using search::Line;
using search::Scorer;
using search::Signal;
using search::Space;
using search::Spot;

// A target of one input, and the tools to close in on a place of it.
struct Place {
  Place(const std::string& text, search::Dimension dimension, uint64_t evaluations = 100'000)
      : session(open_math(text)), space{{std::move(dimension)}}, budget{.evaluations = evaluations, .seconds = 60},
        evaluator(session, budget,
                  [this](const exec::Input& input, const exec::Run&, const tape::Tape&) { runs.push_back(input[0]); }),
        line(Line::along(space, {space.dimensions[0].low}, 0)) {}

  // Around the first spot with this signal whose reading changes between two values.
  Bracket around(long double low, long double high, Signal signal) {
    std::vector<search::Reading> before, after;
    reader.read(read(session, {low}), before);
    reader.read(read(session, {high}), after);
    for (const search::Reading& a : before)
      for (const search::Reading& b : after)
        if (a.spot == b.spot && reader.signal(a.spot) == signal && search::changes(signal, a.value, b.value))
          return {a.spot, line.position(low), line.position(high), a.value, b.value, high - low};
    ADD_FAILURE() << "nothing changes";
    return {};
  }

  bool ran(long double value) const { return std::find(runs.begin(), runs.end(), value) != runs.end(); }

  std::vector<long double> runs;
  exec::Session session;
  Space space;
  search::Budget budget;
  search::Evaluator evaluator;
  const std::vector<size_t> outputs = {0};
  search::Quest quest{evaluator, space, outputs, numeric::Rng(1)};
  Scorer scorer{quest, "test"};
  DangerReader reader{session.sites()};
  BracketCloser closer{scorer, reader, 1e-3};
  Line line;
};

TEST(BracketCloser, EndsAtTheTwoFloatsBesideARoot) {
  Place place("double f(double x) { return x * x - 2; }", a_double(0, 100));
  EXPECT_GT(place.closer.close(place.line, place.around(1, 50, Signal::crossing)), 0.1);
  EXPECT_TRUE(place.ran(1.4142135623730951));
  EXPECT_TRUE(place.ran(1.4142135623730949));
  EXPECT_LT(place.runs.size(), 130u);
  const auto best = place.scorer.best(10, 10);
  ASSERT_FALSE(best.empty());
  EXPECT_NEAR(double(best[0].input[0]), 1.4142135623730951, 3e-16);
  EXPECT_GT(verified(place.session, best[0].input), 0.1);
}

TEST(BracketCloser, EndsAtTheTwoFloatsBesideARootOfFloats) {
  Place place("float f(float x) { return x * x - 2; }", a_float(0, 100));
  EXPECT_GT(place.closer.close(place.line, place.around(1, 50, Signal::crossing)), 1e-2);
  EXPECT_TRUE(place.ran(1.41421354f));
  EXPECT_TRUE(place.ran(std::nextafter(1.41421354f, 2.0f)));
}

TEST(BracketCloser, EndsAtTheRootOfLongDoubles) {
  Place place("long double f(long double x) { return x * x - 2; }", a_long_double(0, 1e4000L));
  EXPECT_GT(place.closer.close(place.line, place.around(1, 50, Signal::crossing)), 1e-2);
  const long double root = std::sqrt(2.0L);
  EXPECT_TRUE(place.ran(root));
  EXPECT_TRUE(place.ran(std::nextafter(root, root * root < 2 ? 2.0L : 1.0L)));
}

TEST(BracketCloser, EndsAtABranchBoundaryAndItsNeighbour) {
  for (const char* text : {"double f(double x) { return x < 0.1 ? x * 3.3 : x / 7; }",
                           "double f(double x) { return x >= 0.1 ? x * 3.3 : x / 7; }",
                           "double f(double x) { return x > 0.1 ? x * 3.3 : x / 7; }"}) {
    Place place(text, a_double(-1e300L, 1e300L));
    place.closer.close(place.line, place.around(-5, 20, Signal::decision));
    EXPECT_TRUE(place.ran(0.1)) << text;
    EXPECT_TRUE(place.ran(std::nextafter(0.1, 0))) << text;
    EXPECT_TRUE(place.ran(std::nextafter(0.1, 1))) << text;
  }
}

TEST(BracketCloser, EndsAtAJumpAndItsNeighbour) {
  Place place("double f(double x) { return floor(x) * 0.3 - x; }", a_double(-1e300L, 1e300L));
  place.closer.close(place.line, place.around(6.5, 7.5, Signal::jump));
  EXPECT_TRUE(place.ran(7));
  EXPECT_TRUE(place.ran(std::nextafter(7.0, 0)));
}

TEST(BracketCloser, AlsoClosesAlongALineThatRunsDown) {
  Place place("double f(double x) { return x * x - 2; }", a_double(0, 100));
  const Line down = Line::between(place.space, {50}, {1});
  const Bracket up = place.around(1, 50, Signal::crossing);
  EXPECT_GT(place.closer.close(down, {up.spot, 0, down.length(), up.at_high, up.at_low, 49}), 0.1);
  EXPECT_TRUE(place.ran(1.4142135623730951));
}

// The sum has a zero, and that zero does no harm: what it is added to is not small.
TEST(BracketCloser, GivesUpWhereTheErrorDoesNotGrow) {
  const std::string sum = "double f(double x) { double t = exp(x) * x - 0.7; return ";
  Place harmless(sum + "5 + t * (0.3 + t * 0.01); }", a_double(-1, 1)), harmful(sum + "t * 3; }", a_double(-1, 1));
  EXPECT_EQ(harmless.closer.close(harmless.line, harmless.around(0.1, 0.9, Signal::crossing)), 0);
  EXPECT_GT(harmful.closer.close(harmful.line, harmful.around(0.1, 0.9, Signal::crossing)), 1e-2);
  auto scanned = [](Place& place) { // three neighbours in a row
    return std::any_of(place.runs.begin(), place.runs.end(), [&](long double value) {
      const double next = std::nextafter(double(value), 2.0);
      return place.ran(next) && place.ran(std::nextafter(next, 2.0));
    });
  };
  EXPECT_TRUE(scanned(harmful));
  EXPECT_FALSE(scanned(harmless));
  EXPECT_TRUE(harmless.scorer.best(10, 10).empty()) << "nothing that the oracle has to see";
}

TEST(BracketCloser, GivesUpWhereTheSpotIsNotReached) {
  Place place("double f(double x) { volatile double s = 1; if (x < 1 || x > 2) s = x - 1.5; return s * 3; }",
              a_double(0, 10));
  EXPECT_EQ(place.closer.close(place.line, place.around(0.5, 9, Signal::crossing)), 0);
}

TEST(BracketCloser, GivesUpWhereTheCodeCrashes) {
  Place place("double f(double x) { if (x > 1 && x < 2) abort(); return x * x - 2.5; }", a_double(0, 10));
  EXPECT_EQ(place.closer.close(place.line, place.around(0.5, 9, Signal::crossing)), 0);
}

TEST(BracketCloser, KeepsToTheBudget) {
  for (uint64_t evaluations : {0, 1, 5, 40, 60, 70, 75}) {
    Place place("double f(double x) { return x * x - 2; }", a_double(0, 100), evaluations);
    place.closer.close(place.line, place.around(1, 50, Signal::crossing));
    EXPECT_LE(place.evaluator.evaluations(), evaluations);
  }
}

TEST(Climbing, ReachesAPeak) {
  // Absorbed in 1e12, whatever is left of x: worst where the result is smallest, at 3.
  Place place("double f(double x) { return ((x - 3) * (x - 3) + 1e-4 + 1e8) - 1e8; }", a_double(0, 100));
  const Int128 from = place.line.position(3.5);
  const tape::EstimatedError start = place.scorer.score(place.line.at(from)).error;
  const BracketCloser::Top top = place.closer.climb(place.line, from, start, Int128(1) << 48, 0);
  EXPECT_GT(top.error.relative, 100 * start.relative);
  EXPECT_NEAR(double(place.line.at(top.position)[0]), 3, 0.05);
  const auto best = place.scorer.best(10, 10);
  ASSERT_FALSE(best.empty());
  EXPECT_GE(best[0].score, top.error.relative);
}

TEST(Climbing, NeverGoesDownAndStaysOnTheLine) {
  Place place("double f(double x) { return (1 - cos(x)) / (x * x); }", a_double(1e-9, 1e-3));
  numeric::Rng rng(2);
  for (int i = 0; i < 50; ++i) {
    const Int128 from = search::uniform_between(0, place.line.length(), rng);
    const tape::EstimatedError start = place.scorer.score(place.line.at(from)).error;
    const BracketCloser::Top top = place.closer.climb(place.line, from, start, Int128(1) << 50, 0);
    EXPECT_GE(top.error.relative, start.relative);
    EXPECT_EQ(place.scorer.score(place.line.at(top.position)).error.relative, top.error.relative);
  }
  for (long double value : place.runs)
    EXPECT_TRUE(value >= 1e-9 && value <= 1e-3);
}

TEST(Climbing, ByAbsoluteErrorPrefersALargeResult) {
  Place lost("double f(double x) { return (x * 1.1 + 1e18) - 1e18; }", a_double(1, 1e4));
  const tape::EstimatedError start = lost.scorer.score({10}).error;
  const BracketCloser::Top relative = lost.closer.climb(lost.line, lost.line.position(10), start, Int128(1) << 48, 0);
  const BracketCloser::Top absolute =
      lost.closer.climb(lost.line, lost.line.position(10), start, Int128(1) << 48, 0, BracketCloser::Measure::absolute);
  EXPECT_GE(absolute.error.absolute, start.absolute);
  EXPECT_GT(absolute.error.absolute, relative.error.absolute * 0.999);
  EXPECT_GE(absolute.error.absolute, 50) << "half of the spacing of floats at 1e18";
}

TEST(Climbing, MeasuresAbsoluteErrorsOnlyWhereTheyCountRelatively) {
  Place place("double f(double x) { return x; }", a_double(0, 1));
  EXPECT_EQ(place.closer.height({1e-6, 1e10, 7}, BracketCloser::Measure::absolute), 0);
  EXPECT_EQ(place.closer.height({1e-2, 1e10, 7}, BracketCloser::Measure::absolute), 1e10);
  EXPECT_EQ(place.closer.height({1e-2, 1e10, 7}, BracketCloser::Measure::relative), 1e-2);
  EXPECT_EQ(place.closer.height({1e-2, 1e10, 7}, BracketCloser::Measure::claim), 7);
}

} // namespace
} // namespace faultline::test
