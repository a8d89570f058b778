// The portfolio behind a plain `hunt`: it ends, in time, and uses what it is given.
#include "searching.h"

namespace faultline::test {
namespace {

using search::Candidate;
using search::Dimension;
using search::Space;

struct Subject {
  std::string name, text;
  Space space;
};
void PrintTo(const Subject& subject, std::ostream* stream) { *stream << subject.name; }

class Auto : public testing::TestWithParam<Subject> {};

TEST_P(Auto, NeverMakesMoreEvaluationsThanAllowed) {
  exec::Session session = open_math(GetParam().text);
  for (bool use_all : {false, true})
    for (uint64_t evaluations : {0, 1, 2, 3, 7, 20, 64, 150, 999, 4000}) {
      const Searched searched =
          search_in(session, GetParam().space, {.strategy = "auto", .evaluations = evaluations, .use_all = use_all});
      EXPECT_LE(searched.evaluations, evaluations);
      EXPECT_EQ(searched.outside, "");
    }
}

TEST_P(Auto, UsesUpABudgetThatWasAskedFor) {
  exec::Session session = open_math(GetParam().text);
  const bool free = std::any_of(GetParam().space.dimensions.begin(), GetParam().space.dimensions.end(),
                                [](const Dimension& dimension) { return !dimension.held(); });
  for (uint64_t evaluations : {1, 10, 500, 7777, 60'000}) {
    const Searched searched =
        search_in(session, GetParam().space, {.strategy = "auto", .evaluations = evaluations, .use_all = true});
    EXPECT_EQ(searched.evaluations, free ? evaluations : 1);
  }
}

TEST_P(Auto, DependsOnTheSeedAlone) {
  exec::Session session = open_math(GetParam().text);
  const Quests wishes{.strategy = "auto", .evaluations = 6000, .use_all = true};
  EXPECT_EQ(search_in(session, GetParam().space, wishes).runs, search_in(session, GetParam().space, wishes).runs);
}

INSTANTIATE_TEST_SUITE_P(
    All, Auto,
    testing::Values(
        Subject{"one_input", "double f(double x) { return x * x - 2; }", {{a_double(-largest_double, largest_double)}}},
        Subject{"one_small_range", "double f(double x) { return x * x - 2; }", {{a_double(1, 1 + 0x1p-50)}}},
        Subject{"two_inputs",
                "double f(double x, double y) { return x * x - y; }",
                {std::vector<Dimension>(2, a_double(-largest_double, largest_double))}},
        Subject{"an_integer",
                "double f(double x, int n) { return n * 0.1 - x; }",
                {{a_double(0.25, 0.25), an_integer(-5, 5)}}},
        Subject{"held", "double f(double x) { return x * x - 2; }", {{a_double(3, 3)}}},
        Subject{"crashing", "double f(double x) { if (x == x) abort(); return x; }", {{a_double(-1, 1)}}},
        Subject{"never_finite", "double f(double x) { return x / 0; }", {{a_double(1, 100)}}}),
    [](const auto& info) { return info.param.name; });

TEST(AutoSearch, EndsWhereNoEvaluationIsLeft) {
  exec::Session session = open_math("double f(double x) { return x * x - 2; }");
  const Space space{{a_double(-5, 5)}};
  search::Evaluator evaluator(session, {.evaluations = 100, .break_off = 0},
                              [](const exec::Input&, const exec::Run&, const tape::Tape&) {});
  const std::vector<size_t> outputs = {0};
  search::Quest quest{evaluator, space, outputs, numeric::Rng(1), {.use_all = true}};
  EXPECT_TRUE(search::search_auto(quest).empty());
  EXPECT_EQ(evaluator.evaluations(), 0u);
}

TEST(AutoSearch, EndsWhereEveryCallTimesOut) {
  exec::Session session = open_math("static volatile int n;\ndouble f(double x) { while (x == x) n++; return x; }");
  const Space space{{a_double(-5, 5)}};
  const Searched searched = search_in(session, space, {.strategy = "auto", .evaluations = 100'000, .use_all = true});
  EXPECT_LT(searched.evaluations, 10u);
  EXPECT_TRUE(searched.candidates.empty());
}

TEST(AutoSearch, LooksShortlyWhereNobodyNamedABudget) {
  exec::Session session = open_math("double f(double x) { return x * x - 2; }");
  const Searched searched =
      search_in(session, {{a_double(-largest_double, largest_double)}}, {.strategy = "auto", .evaluations = 1'000'000});
  EXPECT_LT(searched.evaluations, 8000u);
  EXPECT_GT(largest_verified(session, searched.candidates), 1e-3);
}

TEST(AutoSearch, FindsMoreWithMore) {
  exec::Session session = open_math("double f(double x, double y) { return x * x * x - y * y * 1.1 - 3; }");
  const Space space{std::vector<Dimension>(2, a_double(-1e6, 1e6))};
  const Searched searched = search_in(session, space, {.strategy = "auto", .evaluations = 300'000, .use_all = true});
  EXPECT_GT(largest_verified(session, searched.candidates), 1e-2);
  std::set<std::string> strategies;
  for (const Candidate& candidate : searched.candidates)
    strategies.insert(candidate.strategy);
  EXPECT_TRUE(strategies.contains("bracket"));
  EXPECT_TRUE(strategies.contains("atomu"));
}

} // namespace
} // namespace faultline::test
