// Everyday inputs: what tests that people read are made of.
#include "search/paths/path_tree.h"
#include "search/space.h"

#include "search/paths/ordinary.h"
#include "search/paths/paths.h"
#include "searching.h"

#include "tape/path.h"

#include <set>

namespace faultline::search {
namespace {

using test::a_double;
using test::a_float;
using test::an_integer;
using test::largest_double;

const Dimension any_double = a_double(-largest_double, largest_double);
constexpr long double most_float = std::numeric_limits<float>::max();

TEST(Everyday, IsZeroAndWhatIsNeitherHugeNorTiny) {
  for (const double value : {0.0, 1e-9, -1e9, 3.0})
    EXPECT_TRUE(is_everyday(any_double, value)) << value;
  for (const long double value : {1e10L, -1e-10L, 2.7e199L})
    EXPECT_FALSE(is_everyday(any_double, value)) << double(value);
  EXPECT_FALSE(is_everyday(a_float(-most_float, most_float), 1e7L));
  EXPECT_FALSE(is_everyday(a_float(-most_float, most_float), 1e-7L));
  EXPECT_TRUE(is_everyday(a_float(-most_float, most_float), 1e-6f));
  EXPECT_TRUE(is_everyday(an_integer(-4, 20), 20));
}

TEST(Everyday, IsWhatAnInputIsInPracticeWhereThatIsKnown) {
  Dimension known = a_double(-40, 2000);
  known.everyday = {-20, 1000, 0.5L};
  for (const long double value : {0.0L, 0.5L, -20.0L, 1000.0L})
    EXPECT_TRUE(is_everyday(known, value)) << double(value);
  for (const long double value : {0.25L, -30.0L, 1500.0L})
    EXPECT_FALSE(is_everyday(known, value)) << double(value);
  EXPECT_TRUE(reaches_beyond_usual({{known}}));
  const Dimension part = everyday_part(Space{{known}}).dimensions.front();
  EXPECT_EQ(part.low, -20);
  EXPECT_EQ(part.high, 1000);
  EXPECT_EQ(part.least, 0.5L);
  Dimension whole = an_integer(0, 16);
  whole.everyday = {1, 8, 0};
  EXPECT_FALSE(is_everyday(whole, 16));
  EXPECT_EQ(everyday_part(Space{{whole}}).dimensions.front().high, 8);
}

TEST(Everyday, IsEverythingOfARangeThatHasNothingElse) {
  EXPECT_TRUE(is_everyday(a_double(1e20L, 1e30L), 1e25L));
  EXPECT_FALSE(is_everyday(a_double(1, 1e30L), 1e25L));
}

TEST(Everyday, IsEverythingOfARangeThatTheUserGave) {
  Dimension given = a_double(1e-12L, 1e30L);
  given.all_everyday = true;
  for (const long double value : {1e-12L, 1.0L, 1e30L})
    EXPECT_TRUE(is_everyday(given, value)) << double(value);
  EXPECT_EQ(everyday_part(Space{{given}}).dimensions.front(), given);
  EXPECT_TRUE(reaches_beyond_usual({{given}})) << "usual magnitudes are searched first";
  EXPECT_EQ(usual_part(Space{{given}}).dimensions.front().high, 1e9L);
}

TEST(EverydayPart, HasZeroAndNothingBetweenItAndTheLeastMagnitude) {
  const Dimension part = everyday_part(Space{{any_double}}).dimensions[0];
  EXPECT_EQ(part.low, -1e9L);
  EXPECT_EQ(part.high, 1e9L);
  EXPECT_EQ(part.at(0), 0);
  EXPECT_EQ(part.at(1), (long double)1e-9);
  EXPECT_EQ(part.at(-2), -(long double)1e-9);
  EXPECT_TRUE(std::signbit(part.at(-1))) << "-0";
  for (const long double value : {1e-9L, 3e-5L, 1.0L, 77.25L, 1e9L})
    for (const long double x : {(long double)double(value), -(long double)double(value)}) {
      EXPECT_EQ(part.at(part.order(x)), x);
      EXPECT_TRUE(is_everyday(any_double, x));
    }
  EXPECT_EQ(part.order(1e-12L), 1) << "what is left out lies beside 0";
  EXPECT_EQ(part.order(-1e-12L), -2);
  EXPECT_EQ(part.nearest(1e-12L), 0);
  EXPECT_EQ(part.nearest(-9e-10L), -(long double)1e-9);
  numeric::Rng rng(1);
  for (int i = 0; i < 1000; ++i)
    EXPECT_TRUE(is_everyday(any_double, Space{{part}}.sample_floats(rng)[0]));
}

TEST(EverydayPart, KeepsToTheRangeAndIsTheRangeWhereThatHasNothingElse) {
  auto part = [](long double low, long double high) {
    return everyday_part(Space{{a_double(low, high)}}).dimensions[0];
  };
  EXPECT_EQ(part(2, 5).low, 2);
  EXPECT_EQ(part(2, 5).high, 5);
  EXPECT_EQ(part(2, 5), a_double(2, 5)) << "there is nothing to be left out";
  EXPECT_EQ(part(-5, -2), a_double(-5, -2));
  EXPECT_EQ(part(-5, -1e-12L).high, -(long double)1e-9);
  EXPECT_EQ(part(-1e-12L, 5).low, 0);
  EXPECT_EQ(part(1e-12L, 5).low, (long double)1e-9);
  EXPECT_EQ(part(-5, 1e-12L).high, 0);
  EXPECT_EQ(part(1e20L, 1e30L), a_double(1e20L, 1e30L));
  EXPECT_EQ(part(0, 1e-12L), a_double(0, 1e-12L)) << "0 alone is not worth a search";
}

TEST(Everyday, ThereIsARestBeyondItOnEitherSide) {
  auto has_rest = [](const Dimension& dimension) { return reaches_beyond_usual(Space{{a_double(0, 1), dimension}}); };
  EXPECT_TRUE(has_rest(a_double(-1, 1e10L)));
  EXPECT_TRUE(has_rest(a_double(-1e10L, 1)));
  EXPECT_FALSE(has_rest(a_double(-1e9L, 1e9L)));
  EXPECT_FALSE(has_rest(a_double(1e10L, 1e10L))) << "held";
  EXPECT_FALSE(has_rest(a_double(1e20L, 1e30L))) << "everyday itself";
  EXPECT_FALSE(has_rest(an_integer(-2e9L, 2e9L)));
}

TEST(Everyday, RangesForASolverAreCutAtBothEnds) {
  const Space space{{any_double, a_double(2, 5), an_integer(-2e9L, 2e9L)}};
  std::vector<constraint::InputRange> ranges(3);
  for (size_t i = 0; i < ranges.size(); ++i) {
    ranges[i].low = space.dimensions[i].low;
    ranges[i].high = space.dimensions[i].high;
  }
  ranges = everyday_ranges(ranges, space);
  EXPECT_EQ(ranges[0].low, -1e9L);
  EXPECT_EQ(ranges[0].high, 1e9L);
  EXPECT_EQ(ranges[1].low, 2);
  EXPECT_EQ(ranges[1].high, 5);
  EXPECT_EQ(ranges[2].low, -2e9L);
  EXPECT_EQ(ranges[2].high, 2e9L);
}

TEST(Everyday, StrangenessIsInTheOrderOfAReader) {
  const long double order[] = {0, 1, 3, 9, 10, 100, 37.5L, -37.5L, 1e9L, 277825, 0.69314718056L, 1e10L, 2.7e199L};
  for (size_t i = 1; i < std::size(order); ++i)
    EXPECT_LT(strangeness(any_double, order[i - 1]), strangeness(any_double, order[i])) << double(order[i]);
}

TEST(Everyday, PointsAreEverydayWithinTheRangesAndAsManyAsAreAllowed) {
  const Space space{{any_double, a_double(0.25L, 7), an_integer(-4, 20)}};
  const auto points = everyday_points(space, {0.3L, 1e12L}, 500, numeric::Rng(1));
  EXPECT_LE(points.size(), 500u);
  EXPECT_GT(points.size(), 300u);
  for (const exec::Input& point : points)
    for (size_t i = 0; i < point.size(); ++i)
      EXPECT_TRUE(test::is_value_of(space.dimensions[i], point[i]) && is_everyday(space.dimensions[i], point[i]));
  EXPECT_EQ(points, everyday_points(space, {0.3L, 1e12L}, 500, numeric::Rng(1)));
}

TEST(Everyday, AHundredInputsHavePointsToo) {
  const Space space{std::vector<Dimension>(100, any_double)};
  EXPECT_LE(everyday_points(space, {}, 500, numeric::Rng(1)).size(), 500u);
}

TEST(Everyday, TheConstantsOfTheProgramAndWhatLiesBesideThemAreTried) {
  const std::vector<long double> values = everyday_values(any_double, {42});
  for (const long double value : {42, 41, 43, 21, 84, -42, 3})
    EXPECT_NE(std::ranges::find(values, value), values.end()) << double(value);
  EXPECT_EQ(values.front(), 0);
}

// Explores as cover does, and returns the input that shows each outcome, by line and outcome.
std::map<std::pair<int, int64_t>, std::vector<exec::Input>> shown(const std::string& text,
                                                                  std::vector<Dimension> dimensions) {
  test::TemporaryFolder folder;
  program::Sources sources{{folder.write("subject.c", "#include <math.h>\n" + text)}, {}, ""};
  sources.as_written = true;
  auto program = program::Program::load(sources);
  auto target = program.find({"f"}, {}, true).at(0);
  exec::Session session(std::move(program), target, test::short_limits(), nullptr, {.decisions = true});
  Budget budget;
  budget.seconds = 60;
  Evaluator evaluator(session, budget, [](const exec::Input&, const exec::Run&, const tape::Tape&) {});
  PathsLimits limits;
  limits.everyday = true;
  const Space space{std::move(dimensions)};
  std::map<std::pair<int, int64_t>, std::vector<exec::Input>> inputs;
  for (const BranchOutcome& branch :
       explore_paths(evaluator, space, session.target(), limits, numeric::Rng(1)).outcomes)
    if (branch.state == BranchState::covered)
      inputs[{session.sites().sites[branch.site].line, branch.outcome}].push_back(branch.input);
  return inputs;
}

TEST(EverydayPaths, ARightAngledTriangleHasSmallWholeSides) {
  const auto inputs = shown(R"(int f(double a, double b, double c) {
  if (a <= 0 || b <= 0 || c <= 0) return -1;
  if (a + b <= c || b + c <= a || c + a <= b) return 0;
  if (a == b || b == c || c == a) return 2;
  if (a * a + b * b == c * c) return 4;
  return 1;
})",
                            {any_double, any_double, any_double});
  const exec::Input right = inputs.at({6, 1}).at(0);
  EXPECT_EQ(right, (exec::Input{3, 4, 5}));
  size_t outcomes = 0;
  for (const auto& [outcome, all] : inputs)
    for (const exec::Input& input : all) {
      ++outcomes;
      for (const long double side : input)
        EXPECT_TRUE(side >= 0 && side <= 10 && side == std::rint(side)) << outcome.first << " " << double(side);
    }
  EXPECT_EQ(outcomes, 20u);
}

TEST(EverydayPaths, ConstantsAreMetByThemselves) {
  const auto inputs = shown(R"(double f(double income, int children) {
  if (income < 9984) return 0;
  if (children > 3 && income < 20000) return 0;
  if (income == 277825) return 1;
  if (income * 3 == 300000.75) return 2;
  return income * 0.45;
})",
                            {any_double, an_integer(-4, 20)});
  EXPECT_EQ(inputs.at({5, 1}).at(0), (exec::Input{277825, 0}));
  EXPECT_EQ(inputs.at({6, 1}).at(0), (exec::Input{100000.25L, 0}));
  for (const auto& [outcome, all] : inputs)
    for (const exec::Input& input : all)
      EXPECT_LE(strangeness(any_double, input[0]), strangeness(any_double, 100000.25L)) << outcome.first;
}

TEST(EverydayPaths, EquationsOfSeveralInputsAreMetByTheirConstants) {
  const auto inputs = shown(R"(float f(float t, float w) {
  if (t + w == 37.5f && t < w) return 1;
  return 0;
})",
                            {a_float(-most_float, most_float), a_float(-most_float, most_float)});
  EXPECT_EQ(inputs.at({3, 1}).at(1), (exec::Input{0, 37.5L}));
}

TEST(EverydayPaths, NumbersOfASolverLoseTheirDigits) {
  const auto inputs = shown(R"(double f(double x) {
  if (exp(x) > 2 && exp(x) < 2.00001) return 1;
  return 0;
})",
                            {any_double});
  const long double x = inputs.at({3, 1}).at(1)[0];
  EXPECT_LE(strangeness(any_double, x), strangeness(any_double, 0.69315L)) << double(x);
}

TEST(EverydayPaths, WhatOnlyHugeNumbersReachIsReachedByOneOfOneDigit) {
  const auto inputs = shown(R"(double f(double x) {
  if (x > 3e40) return 1;
  return 0;
})",
                            {any_double});
  const long double x = inputs.at({3, 1}).at(0)[0];
  EXPECT_LE(strangeness(any_double, x), strangeness(any_double, 1e41)) << double(x);
}

TEST(EverydayPaths, NoInfinityIsComparedWhereANumberWillDo) {
  const auto inputs = shown(R"(double f(double x) {
  if (exp(x) > 1e100) return 1;
  return 0;
})",
                            {any_double});
  const long double x = inputs.at({3, 1}).at(0)[0];
  EXPECT_TRUE(x > 230 && x < 710) << double(x);
}

TEST(EverydayPaths, RangesHold) {
  const auto inputs =
      shown("double f(double x) {\n  if (x > 12.34) return 1;\n  return 0;\n}", {a_double(12.25L, 12.5L)});
  for (const int64_t outcome : {0, 1}) {
    const long double x = inputs.at({3, outcome}).at(0)[0];
    EXPECT_TRUE(test::is_value_of(a_double(12.25L, 12.5L), x)) << double(x);
  }
}

TEST(EverydayPaths, TheDefaultKeepsTheFirstInputs) {
  PathsLimits limits;
  EXPECT_FALSE(limits.everyday) << "a hunt's findings do not depend on what is easy to read";
}

} // namespace
} // namespace faultline::search
