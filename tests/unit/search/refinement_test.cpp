// The hill climb on the true error: upwards only, inside the space, and with an observer.
#include "errand.h"

#include "search/fpgen/refinement.h"

namespace faultline::test {
namespace {

using search::Aim;
using search::Cancelling;
using search::error_of;
using search::Refinement;
using search::ScoredInput;

struct Climber {
  Errand errand;
  Cancelling cancelling{errand.quest, errand.errors};
  Refinement refinement{errand.quest, errand.errors, cancelling};

  Climber(const std::string& text, const model::Sizes& sizes, std::vector<search::Dimension> dimensions,
          uint64_t seed = 1)
      : errand(text, sizes, std::move(dimensions), 0, {0}, seed) {}

  ScoredInput at(exec::Input input) {
    ScoredInput found{std::move(input), {}};
    found.error = errand.errors.measure(found.input);
    return found;
  }
  ScoredInput climb(const ScoredInput& from, Aim aim, int patience) {
    return refinement.climb(from, aim, patience, [](const ScoredInput&) {});
  }
};

// Nothing is alike: what is a value of one is none of another.
const std::vector<search::Dimension> unlike = {a_float(0, 1),         a_double(0, 10),      a_double(0, 1),
                                               a_float(-100, 100),    a_double(-100, -1),   an_integer(0, 3),
                                               an_integer(-100, 100), a_double(2.5, 2.5),   a_long_double(0, 1e4000L),
                                               a_double(-1e-300, 0),  a_float(0, 0x1p-140f)};
constexpr const char* many =
    "double f(double a, double b, double c, double d, double e, int n, int m, double h, long "
    "double l, double s, float t) { return a * b - c * d + e * n - m * h + (double)(l * s) + t; "
    "}";

TEST(Refinement, NeverReturnsSomethingWorse) {
  Climber climber(sum_of_array, {{"a", {8}}}, array_of(8, -100, 100));
  for (Aim aim : {Aim::any, Aim::not_zero})
    for (int i = 0; i < 20; ++i) {
      const ScoredInput start = climber.at(climber.errand.space.sample_reals(climber.errand.quest.rng));
      const ScoredInput top = climber.climb(start, aim, 30);
      EXPECT_GE(error_of(top.error, aim), error_of(start.error, aim));
      EXPECT_EQ(error_of(climber.at(top.input).error, aim), error_of(top.error, aim)) << "the error is the input's";
    }
}

TEST(Refinement, ClimbsFarByBothMeasures) {
  for (Aim aim : {Aim::any, Aim::not_zero}) {
    Climber climber(sum_of_array, {{"a", {8}}}, array_of(8, -100, 100));
    double best = 0;
    for (int i = 0; i < 5; ++i)
      best = std::max(
          best,
          error_of(
              climber.climb(climber.at(climber.errand.space.sample_reals(climber.errand.quest.rng)), aim, 300).error,
              aim));
    EXPECT_GT(best, 1e15);
  }
}

TEST(Refinement, AimedAtResultsThatAreNotZeroReachesSuchResults) {
  Climber climber(sum_of_array, {{"a", {8}}}, array_of(8, -100, 100));
  const ScoredInput top = climber.climb(climber.at({1, 2, 3, 4, 5, 6, 7, 8, 8}), Aim::not_zero, 300);
  EXPECT_GT(top.error.not_zero, 1);
  EXPECT_GE(climber.errand.exact(top.input).log2_magnitude(), -126);
}

TEST(Refinement, StaysInTheSpace) {
  Climber climber(many, {}, unlike);
  for (uint64_t i = 0; i < 20; ++i)
    climber.climb(climber.at(climber.errand.space.sample_floats(climber.errand.quest.rng)),
                  i % 2 ? Aim::any : Aim::not_zero, 100);
  EXPECT_GT(climber.errand.runs.size(), 1000u);
  EXPECT_EQ(climber.errand.outside, "");
}

TEST(Refinement, MovesEveryFreeInput) {
  Climber climber(many, {}, unlike);
  climber.climb(climber.at(climber.errand.space.sample_floats(climber.errand.quest.rng)), Aim::any, 200);
  for (size_t i = 0; i < unlike.size(); ++i) {
    std::set<long double> values;
    for (const exec::Input& input : climber.errand.runs)
      values.insert(input[i]);
    EXPECT_EQ(values.size() > 1, !unlike[i].held()) << i;
  }
}

TEST(Refinement, IsWatched) {
  Climber climber(sum_of_array, {{"a", {8}}}, array_of(8, -100, 100));
  const ScoredInput start = climber.at({1, -2, 3, -4, 5, -6, 7, -8, 8});
  const std::set<exec::Input> before(climber.errand.runs.begin(), climber.errand.runs.end());
  std::vector<ScoredInput> seen;
  const ScoredInput top =
      climber.refinement.climb(start, Aim::any, 100, [&](const ScoredInput& found) { seen.push_back(found); });
  ASSERT_GT(seen.size(), 100u) << "progress starts the count anew";
  double largest = start.error.any;
  for (const ScoredInput& found : seen) {
    EXPECT_EQ(climber.at(found.input).error.any, found.error.any);
    largest = std::max(largest, found.error.any);
  }
  EXPECT_EQ(top.error.any, largest) << "what is larger is kept";
  EXPECT_TRUE(
      std::any_of(seen.begin(), seen.end(), [&](const ScoredInput& found) { return found.input == top.input; }));
}

TEST(Refinement, GivesUpAfterSoManyMovesThatCameToNothing) {
  Climber climber("double f(double x, double y) { return x; }", {}, floats(2, -1, 1)); // no error anywhere
  int moves = 0;
  climber.refinement.climb(climber.at({0.5, 0.25}), Aim::any, 37, [&](const ScoredInput&) { ++moves; });
  EXPECT_EQ(moves, 37);
}

TEST(Refinement, DependsOnTheSeedAlone) {
  const auto top = [](uint64_t seed) {
    Climber climber(sum_of_array, {{"a", {8}}}, array_of(8, -100, 100), seed);
    return climber.climb(climber.at({1, -2, 3, -4, 5, -6, 7, -8, 8}), Aim::any, 100).input;
  };
  EXPECT_EQ(top(3), top(3));
  EXPECT_NE(top(3), top(4));
}

TEST(Refinement, DoesNotTakeWhatIsNotUsable) {
  Climber climber("double f(double x, double y) { if (x < 0.5) abort(); return y > 0.9 ? NAN : (x + 1e10) - 1e10; }",
                  {}, floats(2, 0, 1));
  for (int i = 0; i < 20; ++i) {
    const ScoredInput top = climber.climb(climber.at({0.75, 0.25}), Aim::any, 50);
    EXPECT_TRUE(top.error.usable);
    EXPECT_GE(top.input[0], 0.5);
    EXPECT_LE(top.input[1], 0.9f);
  }
}

TEST(Refinement, OfNothingFreeIsTheStart) {
  Climber climber("double f(double x, int n) { return x * n; }", {}, {a_double(3, 3), an_integer(2, 2)});
  const ScoredInput top = climber.climb(climber.at({3, 2}), Aim::any, 10);
  EXPECT_EQ(top.input, (exec::Input{3, 2}));
}

} // namespace
} // namespace faultline::test
