#include "search/strategy.h"

#include "searching.h"

#include <gtest/gtest.h>
#include <set>

namespace faultline::search {
namespace {

using test::a_double;
using test::an_integer;
using test::Quests;

constexpr const char* two_integers = "double f(int n, int m) { return n / 3.0 - m / 7.0; }";

TEST(FewInputs, AreCountedOverAllDimensions) {
  EXPECT_EQ(number_of_inputs({{an_integer(-4, 20)}}), 25u);
  EXPECT_EQ(number_of_inputs({{an_integer(0, 63), an_integer(1, 64)}}), few_inputs);
  EXPECT_EQ(number_of_inputs({{an_integer(0, 63), an_integer(0, 64)}}), std::nullopt);
  EXPECT_EQ(number_of_inputs({{an_integer(3, 3), a_double(0.5, 0.5)}}), 1u);
  EXPECT_EQ(number_of_inputs({{an_integer(0, 1), a_double(0, 1)}}), std::nullopt);
  EXPECT_EQ(number_of_inputs({{a_double(1, 1 + 3 * 0x1p-52L)}}), 4u) << "floats can be few, too";
  EXPECT_EQ(number_of_inputs({{an_integer(-9223372036854775808.0L, 18446744073709551615.0L)}}), std::nullopt);
}

TEST(FewInputs, EachIsTriedOnceWhateverTheStrategy) {
  exec::Session session = test::open_math(two_integers);
  const Space space{{an_integer(-3, 9), an_integer(0, 4)}};
  for (const std::string& strategy : strategy_names()) {
    const test::Searched searched = test::search_in(session, space, {.strategy = strategy, .few = true});
    const std::set<exec::Input> seen(searched.runs.begin(), searched.runs.end());
    EXPECT_EQ(seen.size(), 65u) << strategy;
    EXPECT_EQ(searched.outside, "") << strategy;
    EXPECT_LE(searched.evaluations, 3 * 65u) << strategy; // candidates are looked at twice
  }
}

TEST(FewInputs, OneAloneIsLeftToTheStrategy) {
  exec::Session session = test::open_math(two_integers);
  const test::Searched searched =
      test::search_in(session, {{an_integer(3, 3), an_integer(4, 4)}}, {.strategy = "fpgen", .few = true});
  EXPECT_EQ(searched.evaluations, 1u);
}

TEST(FewInputs, TheWorstOfAllIsAmongTheCandidates) {
  // Nearly cancels at one pair only.
  exec::Session session = test::open_math("double f(int n, int m) { return n * 0.1 - m * 0.3; }");
  const Space space{{an_integer(1, 40), an_integer(1, 40)}};
  double worst = 0;
  for (uint64_t n = 0; n < *number_of_inputs(space); ++n)
    worst = std::max(worst, test::verified(session, input_of_number(space, n)));
  const test::Searched searched = test::search_in(session, space, {.few = true});
  EXPECT_GT(worst, 0);
  EXPECT_EQ(test::largest_verified(session, searched.candidates), worst);
}

TEST(FewInputs, ThoseThatRunForEverDoNotHideTheRest) {
  exec::Session session = test::open_text("double f(int n) { while (n < 0) __asm__ volatile(\"\"); return n / 3.0; }",
                                          ".c", "f", {.limits = {.call_seconds = 0.05}});
  const test::Searched searched = test::search_in(session, {{an_integer(-4, 20)}}, {.few = true});
  EXPECT_TRUE(std::ranges::any_of(searched.runs, [](const exec::Input& input) { return input[0] > 0; }));
}

// More integers than can be tried one by one, and nothing else.
class OnlyIntegers : public testing::TestWithParam<std::string> {};

TEST_P(OnlyIntegers, AreSearchedByEveryStrategyWithinItsBudget) {
  exec::Session session = test::open_math(two_integers);
  const Space space{{an_integer(-1'000'000, 1'000'000), an_integer(0, 255)}};
  const test::Searched searched =
      test::search_in(session, space, {.strategy = GetParam(), .evaluations = 3000, .few = true});
  EXPECT_EQ(searched.outside, "");
  EXPECT_LE(searched.evaluations, 3100u); // some look twice at the last one
  EXPECT_GT(std::set<exec::Input>(searched.runs.begin(), searched.runs.end()).size(),
            GetParam() == "paths" ? 0u : 100u);
}

INSTANTIATE_TEST_SUITE_P(All, OnlyIntegers, testing::ValuesIn(strategy_names()),
                         [](const auto& info) { return info.param; });

} // namespace
} // namespace faultline::search
