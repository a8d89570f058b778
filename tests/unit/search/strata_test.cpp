// Integers beside floats: where they are drawn anew with each sample, an error that one of them alone has is missed.
#include "searching.h"

#include "search/bracket/line_search.h"
#include "search/bracket/strata.h"

namespace faultline::test {
namespace {

using search::Space;

struct Stratified {
  std::string name, text;
  std::vector<search::Dimension> dimensions;
};
void PrintTo(const Stratified& stratified, std::ostream* stream) { *stream << stratified.name; }

class OneInteger : public testing::TestWithParam<Stratified> {};

TEST_P(OneInteger, OfManyIsSearched) {
  exec::Session session = open_math(GetParam().text);
  for (uint64_t seed : {1, 2, 3}) {
    const Searched searched = search_in(session, {GetParam().dimensions}, {.evaluations = 40'000, .seed = seed});
    EXPECT_GT(largest_verified(session, searched.candidates), 1e-3) << seed;
    EXPECT_EQ(searched.outside, "");
  }
}

// Their errors lie at a zero within the range, where no sample lies by chance.
INSTANTIATE_TEST_SUITE_P(
    All, OneInteger,
    testing::Values(
        Stratified{"a_case",
                   "double f(int k, double x) { return k == 412 ? x * x - 1.3 * x - 1.04 : k * (x + 1); }",
                   {an_integer(1, 1000), a_double(0, 3)}},
        Stratified{"the_end",
                   "double f(int k, double x) { return k >= 99999999 ? exp(x) - 2.3 : k + x; }",
                   {an_integer(0, 100'000'000), a_double(0, 3)}},
        Stratified{"a_power_of_two",
                   "double f(long k, double x) { return k > 99 && (k & (k - 1)) == 0 ? exp(x) - 2.3 : k + x; }",
                   {an_integer(0, 1e9), a_double(0, 3)}},
        Stratified{"equal_ones",
                   "double f(int n, int m, double x) { return n == m ? exp(-x) - 0.2 * (x + 1) : n + m + 1 + x; }",
                   {an_integer(0, 200), an_integer(0, 200), a_double(0, 10)}},
        Stratified{"a_zero_of_its_own",
                   "double f(int k, double x) { return x * x + 0.21 * x - (k == 333 ? 0.37 : 17.5 + k); }",
                   {an_integer(0, 999), a_double(0, 1)}},
        Stratified{"beside_two_floats",
                   "double f(int k, double x, double y) { return k == 607 ? x * y - 7.7 : (x + y) / k; }",
                   {an_integer(1, 1000), a_double(1, 10), a_double(1, 10)}}),
    [](const auto& info) { return info.param.name; });

struct Scouting {
  exec::Session session;
  Space space;
  std::vector<size_t> outputs = {0};
  std::vector<exec::Input> runs;
  search::Evaluator evaluator;
  search::Quest quest;
  search::Scorer scorer;
  search::DangerReader reader;
  search::Strata strata;

  Scouting(const std::string& text, std::vector<search::Dimension> dimensions)
      : session(open_math(text)), space{std::move(dimensions)},
        evaluator(session, {},
                  [this](const exec::Input& input, const exec::Run&, const tape::Tape&) { runs.push_back(input); }),
        quest{evaluator, space, outputs, numeric::Rng(1)}, scorer(quest, "strata"), reader(session.sites()),
        strata(quest, scorer, reader) {}

  void scout(uint64_t most) { strata.scout(search::spread_points(space, 8, quest.rng), most); }
};

constexpr const char* one_case = "double f(int k, double x) { return k == 412 ? x * x - 2 : k * (x + 1); }";

TEST(Strata, AreThereOnlyWithIntegersBesideFloats) {
  EXPECT_TRUE(Scouting(one_case, {an_integer(1, 1000), a_double(0, 3)}).strata.any());
  EXPECT_FALSE(Scouting(one_case, {an_integer(7, 7), a_double(0, 3)}).strata.any());
  EXPECT_FALSE(Scouting(one_case, {an_integer(1, 1000), a_double(2, 2)}).strata.any());
}

TEST(Strata, AreScoutedWithinTheirNumber) {
  for (uint64_t most : {0, 1, 2, 3, 50, 1999, 2000, 5000, 100'000}) {
    Scouting scouting(one_case, {an_integer(1, 1000), a_double(0, 3)});
    scouting.scout(most);
    EXPECT_LE(scouting.runs.size(), most);
    EXPECT_LE(scouting.runs.size(), 8 * 1000u) << "no more points than there are";
  }
}

TEST(Strata, OfTheRarestGroupComeEarly) {
  Scouting scouting(one_case, {an_integer(1, 1000), a_double(0, 3)});
  scouting.scout(2000);
  std::vector<long double> held;
  for (int i = 0; i < 4; ++i) {
    exec::Input input = {5, 1.25L};
    scouting.strata.hold_next(input);
    EXPECT_EQ(input[1], 1.25L) << "floats are not held";
    held.push_back(input[0]);
  }
  EXPECT_EQ(held[1], 412);
}

TEST(Strata, BesideTheBestComeAgain) {
  Scouting scouting("double f(int k, double x) { return k * (x + 1); }", {an_integer(1, 1000), a_double(0, 3)});
  scouting.scout(2000);
  exec::Input input = {5, 1.25L};
  scouting.strata.hold_next(input);
  const long double best = input[0];
  scouting.strata.reward(0.5);
  bool beside = false;
  for (int i = 0; i < 12; ++i) {
    scouting.strata.hold_next(input);
    scouting.strata.reward(0.25);
    beside |= input[0] != best && (std::fabs(input[0] - best) == 1 || input[0] == 2 * best);
  }
  EXPECT_TRUE(beside);
}

// All runs of one integer may crash: the others are searched.
TEST(Strata, ThatDoNotReturnAreLeftOut) {
  Scouting scouting("double f(int k, double x) { if (k != 77) abort(); return x * 3; }",
                    {an_integer(1, 100), a_double(0, 3)});
  scouting.scout(200);
  for (int i = 0; i < 5; ++i) {
    exec::Input input = {5, 1.25L};
    scouting.strata.hold_next(input);
    EXPECT_EQ(input[0], 77);
    scouting.strata.hold_any(input);
    EXPECT_EQ(input[0], 77);
  }
}

} // namespace
} // namespace faultline::test
