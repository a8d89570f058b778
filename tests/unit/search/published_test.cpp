// The published strategies that are guided by the measured error: what they find, and that nothing a target does throws
// them off.
#include "measuring.h"

#include "search/published/trials.h"
#include "search/strategy.h"

namespace faultline::test {
namespace {

using numeric::Format;
using search::Budget;
using search::Candidate;
using search::Dimension;
using search::Evaluator;
using search::Space;

constexpr long double most = std::numeric_limits<double>::max();

Dimension real(long double low, long double high, Format format = Format::binary64) {
  return {"x", true, format, low, high};
}
Dimension integer(long double low, long double high) { return {"n", false, Format::binary64, low, high}; }

Space reals(size_t inputs, long double low, long double high) {
  return {std::vector<Dimension>(inputs, real(low, high))};
}

exec::Session open_expression(const std::string& expression) {
  return open_text("#include <math.h>\ndouble f(double x) { return " + expression + "; }");
}

struct Search {
  std::vector<Candidate> candidates;
  uint64_t evaluations = 0;
  uint64_t outside = 0; // inputs that are none of the space
  std::set<exec::Input> seen;
};

bool belongs(long double value, const Dimension& dimension) {
  return value >= dimension.low && value <= dimension.high && dimension.nearest(value) == value;
}

Search search_with(const std::string& strategy, exec::Session& session, const Space& space, Budget budget,
                   uint64_t seed = 1) {
  budget.seconds = 120;
  Search search;
  Evaluator evaluator(session, budget, [&](const exec::Input& input, const exec::Run&, const tape::Tape&) {
    search.seen.insert(input);
    for (size_t i = 0; i < input.size(); ++i)
      search.outside += !belongs(input[i], space.dimensions[i]);
  });
  const std::vector<size_t> outputs = {0};
  search::Quest quest{evaluator, space, outputs, numeric::Rng(seed)};
  search.candidates = search::find_strategy(strategy)->run(quest);
  search.evaluations = evaluator.evaluations();
  return search;
}

Search search_with(const std::string& strategy, exec::Session& session, const Space& space, uint64_t evaluations,
                   uint64_t seed = 1) {
  return search_with(strategy, session, space, Budget{.evaluations = evaluations}, seed);
}

class Published : public testing::TestWithParam<const char*> {};

TEST_P(Published, KeepsToTheNumberOfEvaluations) {
  exec::Session session = open_expression("1 - cos(x)");
  for (uint64_t evaluations : {1, 2, 3, 7, 20, 100, 999, 1000, 2500}) {
    const Search search = search_with(GetParam(), session, reals(1, -most, most), evaluations);
    EXPECT_EQ(search.evaluations, evaluations);
    EXPECT_EQ(search.outside, 0u);
  }
}

TEST_P(Published, EndsByItselfAndByTheNumberOfRecords) {
  exec::Session session = open_expression("1 - cos(x)");
  const Search whole = search_with(GetParam(), session, reals(1, -most, most), Budget{});
  EXPECT_GE(whole.evaluations, 1000u);
  EXPECT_LE(whole.evaluations, 100'000u);
  const Search cut = search_with(GetParam(), session, reals(1, -most, most), Budget{.records = 5'000});
  EXPECT_GE(cut.evaluations, 20u);
  EXPECT_LT(cut.evaluations, 1000u);
}

TEST_P(Published, IsTheSameUpToWhereItIsBrokenOff) {
  auto inputs = [&](const Budget& budget) {
    exec::Session session = open_expression("1 - cos(x)"); // a new worker's
    std::vector<exec::Input> inputs;
    Evaluator evaluator(session, budget, [&](const exec::Input& input, const exec::Run&, const tape::Tape&) {
      inputs.push_back(input);
    });
    const std::vector<size_t> outputs = {0};
    const Space space = reals(1, -most, most);
    search::Quest quest{evaluator, space, outputs, numeric::Rng(1)};
    search::find_strategy(GetParam())->run(quest);
    return inputs;
  };
  std::vector<exec::Input> whole = inputs({.evaluations = 600}), part = inputs({.evaluations = 600, .break_off = 70});
  ASSERT_EQ(part.size(), 70u);
  whole.resize(70);
  EXPECT_EQ(part, whole);
}

std::string text_of(const std::vector<Candidate>& candidates) {
  std::string text;
  for (const Candidate& candidate : candidates) {
    text += fmt::format("{} {:a}", candidate.strategy, candidate.score);
    for (long double value : candidate.input)
      text += fmt::format(" {:a}", double(value));
    text += "\n";
  }
  return text;
}

TEST_P(Published, CandidatesDependOnTheSeedAlone) {
  constexpr const char* text = "double f(double x, double y) { return (x + y) - x; }";
  exec::Session session = open_text(text), other = open_text(text);
  const Space space = reals(2, -1e6L, 1e6L);
  const std::string first = text_of(search_with(GetParam(), session, space, 2000).candidates);
  EXPECT_FALSE(first.empty());
  EXPECT_EQ(text_of(search_with(GetParam(), session, space, 2000).candidates), first);
  EXPECT_EQ(text_of(search_with(GetParam(), other, space, 2000).candidates), first);
  EXPECT_NE(text_of(search_with(GetParam(), session, space, 2000, 2).candidates), first);
}

TEST_P(Published, CandidatesAreDistinctAndSortedByTheirError) {
  exec::Session session = open_expression("1 - cos(x)");
  const Space space = reals(1, -10, 10);
  const Search search = search_with(GetParam(), session, space, 3000);
  ASSERT_GT(search.candidates.size(), 3u);
  EXPECT_LE(search.candidates.size(), 24u);
  std::set<exec::Input> inputs;
  for (size_t i = 0; i < search.candidates.size(); ++i) {
    const Candidate& candidate = search.candidates[i];
    EXPECT_EQ(candidate.strategy, GetParam());
    EXPECT_TRUE(inputs.insert(candidate.input).second);
    EXPECT_GT(candidate.score, 0);
    EXPECT_EQ(candidate.score, measured_error(session, space, candidate.input));
    if (i > 0)
      EXPECT_LE(candidate.score, search.candidates[i - 1].score);
  }
}

struct Known {
  const char* expression;
  long double low, high;
  double error; // at least
};

TEST_P(Published, FindsKnownErrors) {
  for (const Known& known : {Known{"1 - cos(x)", -most, most, 1e-10}, Known{"(x + 1) - x", -most, most, 0.1},
                             Known{"x * x - 2", 1, 2, 1e-14}, Known{"sqrt(x + 1) - sqrt(x)", 0, most, 0.1},
                             Known{"(exp(x) - 1) / x", -100, 100, 1e-9}})
    for (uint64_t seed : {1, 2}) {
      exec::Session session = open_expression(known.expression);
      const Search search = search_with(GetParam(), session, reals(1, known.low, known.high), 5000, seed);
      ASSERT_FALSE(search.candidates.empty()) << known.expression;
      EXPECT_GT(search.candidates[0].score, known.error) << known.expression;
    }
}

TEST_P(Published, RespectsRangesFormatsIntegersAndHeldInputs) {
  exec::Session session = open_text(
      "double f(double x, double y, int n, float z, long double w, double h) { return (x + y * n) - x + z + w - h; }");
  const Space space{{real(-5, 5, Format::binary32), real(0.5L, 0.5L), integer(-4, 20), real(2.5L, 3, Format::binary32),
                     real(-1e300L, 1e300L, Format::extended80), real(1e-3L, 1e-3L)}};
  const Search search = search_with(GetParam(), session, space, 2000);
  EXPECT_EQ(search.outside, 0u);
  EXPECT_EQ(search.evaluations, 2000u);
  std::set<long double> integers;
  for (const exec::Input& input : search.seen)
    integers.insert(input[2]);
  EXPECT_GT(integers.size(), 5u);
}

TEST_P(Published, WorksWhereAllInputsAreHeldOrIntegers) {
  exec::Session session = open_text("double f(double x, int n) { return (x + n * 0.1) - x; }");
  EXPECT_EQ(search_with(GetParam(), session, {{real(3, 3), integer(2, 2)}}, 50).evaluations, 50u);
  const Search search = search_with(GetParam(), session, {{real(1e15L, 1e15L), integer(0, 20)}}, 200);
  EXPECT_EQ(search.outside, 0u);
  ASSERT_FALSE(search.candidates.empty());
  EXPECT_GT(search.candidates[0].score, 1e-3);
}

TEST_P(Published, FindsErrorsInSinglePrecision) {
  exec::Session session = open_text("float f(float x) { return (x + 1.0f) - x; }");
  const float largest = std::numeric_limits<float>::max();
  const Search search = search_with(GetParam(), session, {{real(-largest, largest, Format::binary32)}}, 2000);
  EXPECT_EQ(search.outside, 0u);
  ASSERT_FALSE(search.candidates.empty());
  EXPECT_GE(search.candidates[0].score, 1);
}

TEST_P(Published, WorksWithArrays) {
  Options options;
  options.sizes = {{"a", {200}}};
  exec::Session session =
      open_text("double f(const double a[200]) { double s = 0; for (int i = 0; i < 200; i++) s += a[i]; return s; }",
                ".c", "f", options);
  const Search search = search_with(GetParam(), session, reals(200, -100, 100), 500);
  EXPECT_EQ(search.evaluations, 500u);
  EXPECT_EQ(search.outside, 0u);
  ASSERT_FALSE(search.candidates.empty());
  EXPECT_EQ(search.candidates[0].input.size(), 200u);
}

TEST_P(Published, SurvivesTargetsThatShowNoError) {
  for (const char* text :
       {"#include <stdlib.h>\ndouble f(double x) { abort(); }", "double f(double x) { return x / 0.0 * 0.0; }",
        "double f(double x) { return 1; }", "double f(double x) { return x; }",
        "double f(double x) { return *(volatile double*)0 + x; }"}) {
    exec::Session session = open_text(text);
    const Search search = search_with(GetParam(), session, reals(1, -most, most), 300);
    EXPECT_EQ(search.evaluations, 300u) << text;
    EXPECT_TRUE(search.candidates.empty()) << text;
  }
}

TEST_P(Published, SearchesAroundCrashes) {
  exec::Session session =
      open_text("#include <math.h>\n#include <stdlib.h>\ndouble f(double x) { if (x < 0) abort(); if (x > 1e20) "
                "return 0 / (x - x); return sqrt(x + 1) - sqrt(x); }");
  const Search search = search_with(GetParam(), session, reals(1, -1e25L, 1e25L), 2000);
  ASSERT_FALSE(search.candidates.empty());
  EXPECT_GT(search.candidates[0].input[0], 0);
}

INSTANTIATE_TEST_SUITE_P(All, Published, testing::Values("ga", "lsga", "s3fp", "demc"),
                         [](const auto& info) { return std::string(info.param); });

TEST(Lsga, FindsWhatOnlyFewExponentsShow) {
  for (const Known& known : {Known{"1 - cos(x)", -most, most, 0.1}, Known{"x - sin(x)", -most, most, 0.1},
                             Known{"log(x) - 1", 0, most, 1e-13}}) {
    exec::Session session = open_expression(known.expression);
    const Search search = search_with("lsga", session, reals(1, known.low, known.high), 5000);
    ASSERT_FALSE(search.candidates.empty()) << known.expression;
    EXPECT_GT(search.candidates[0].score, known.error) << known.expression;
  }
}

TEST(Lsga, CoversExponentsAndFavoursTheMedian) {
  exec::Session session = open_expression("x");
  const Search search = search_with("lsga", session, reals(1, -most, most), 2 * 5000);
  std::map<int, int> times;
  for (const exec::Input& input : search.seen)
    ++times[search::exponent_of(real(-most, most), input[0]) / 128];
  EXPECT_EQ(times.size(), 16u);
  EXPECT_GT(times[7] + times[8], 2.5 * (times[2] + times[3])) << "exponents 896 to 1151 hold the dense part";
}

} // namespace
} // namespace faultline::test
