// Runs on a path that rounding chose: their error is not what the operations on that path say, and a ranking by these
// puts the wrong inputs first.
#include "searching.h"

#include "search/scorer.h"
#include "tape/path.h"

namespace faultline::test {
namespace {

// As far as the code in high precision, on its own path, says.
double lifted_error(exec::Session& session, const exec::Input& input) {
  const long double computed = session.run(input).outputs[0].value;
  return numeric::relative_error(computed, session.lift(input, 1000).outputs[0]);
}

struct Looked {
  std::optional<double> error;
  uint64_t evaluations;
};

Looked look(exec::Session& session, const search::Space& space, const exec::Input& input,
            uint64_t evaluations = 100'000) {
  search::Budget budget;
  budget.evaluations = evaluations;
  budget.seconds = 120;
  search::Evaluator evaluator(session, budget, [](const exec::Input&, const exec::Run&, const tape::Tape&) {});
  const std::vector<size_t> outputs = {0};
  search::Quest quest{evaluator, space, outputs, numeric::Rng(1)};
  search::ExactPaths paths(quest);
  return {paths.error(input), evaluator.evaluations()};
}

constexpr const char* odd_or_even = "double f(double x) { long n = (long)(x * 100); return n % 2 ? 1 + x : 1000 - x; }";

// A sine as libraries have it: huge arguments are reduced in double precision, to the wrong octant. The last comparison
// keeps small arguments, which know all octants, from standing in for huge ones.
constexpr const char* reduced_sine = R"(
  double f(double x) {
    double y = floor(x / 0.7853981633974483), z, result;
    int octant = (int)(y - 8 * floor(y / 8));
    if (octant % 2) { octant = (octant + 1) % 8; y += 1; }
    z = (x - y * 7.85398125648498535156e-1) - y * 3.77489470793079817668e-8;
    result = octant % 4 == 0 ? z - z * z * z / 6 : 1 - z * z / 2;
    if (octant > 3) result = -result;
    if (x > 0x1p52) result *= 1.5;
    return result;
  })";

TEST(ExactPath, IsFoundBesideAnIntegerThatRoundingDecided) {
  exec::Session session = open_math(odd_or_even);
  const search::Space space{{a_double(0, 10)}};
  const Looked looked = look(session, space, {0.35}); // 34.999999999999997... before it is rounded
  ASSERT_TRUE(looked.error.has_value());
  EXPECT_NEAR(*looked.error, (999.65 - 1.35) / 999.65, 1e-6);
  EXPECT_NEAR(*looked.error, lifted_error(session, {0.35}), 1e-9);
}

TEST(ExactPath, OfARunThatDecidedRightIsNotLookedFor) {
  exec::Session session = open_math(odd_or_even);
  const Looked looked = look(session, {{a_double(0, 10)}}, {0.362});
  EXPECT_FALSE(looked.error.has_value());
  EXPECT_EQ(looked.evaluations, 1u);
}

TEST(ExactPath, StaysUnknownIfNoInputOfTheRangeTakesIt) {
  exec::Session session = open_math(odd_or_even);
  EXPECT_FALSE(look(session, {{a_double(0.35, 0.3501)}}, {0.35}).error.has_value());
}

TEST(ExactPath, OfIntegersAloneIsNotLookedForForEver) {
  exec::Session session = open_math("double f(int n) { long k = (long)(n * 0.01 * 100); return k % 2 ? 1 : 1000; }");
  // 29 * 0.01 * 100 is 28.999999999999996 in the machine, and a little more than 29 in exact arithmetic.
  for (int n = 0; n < 100; ++n)
    EXPECT_LE(look(session, {{an_integer(0, 99)}}, {(long double)n}).evaluations, 2u);
}

TEST(ExactPath, OfAHugeArgumentIsThatOfASmallerOne) {
  exec::Session session = open_math(reduced_sine);
  const search::Space space{{a_double(-largest_double, largest_double)}};
  numeric::Rng rng(11);
  int wrong = 0, found = 0;
  for (int i = 0; i < 60; ++i) {
    const exec::Input input = {std::ldexp(1 + rng.uniform(), 53 + int(rng.below(9)))};
    const Looked looked = look(session, space, input);
    const double expected = lifted_error(session, input);
    if (looked.error && expected > 1e-10)
      EXPECT_NEAR(*looked.error / expected, 1, 1e-6) << double(input[0]);
    const exec::LiftedRun lifted = session.lift(input, 1000);
    wrong += tape::divergence(read(session, input), lifted.decisions).has_value();
    found += looked.error.has_value();
  }
  EXPECT_GT(wrong, 20);
  EXPECT_GE(found, wrong * 9 / 10);
}

TEST(ExactPath, IsLookedForWithinTheBudget) {
  exec::Session session = open_math(reduced_sine);
  const search::Space space{{a_double(-largest_double, largest_double)}};
  for (uint64_t evaluations : {1, 2, 5, 40})
    EXPECT_LE(look(session, space, {0x1.8p58}, evaluations).evaluations, evaluations);
}

TEST(ExactPath, RanksTheCandidatesOfASearch) {
  exec::Session session = open_math(reduced_sine);
  const Searched searched = search_in(session, {{a_double(1, 0x1p62)}});
  ASSERT_GT(searched.candidates.size(), 10u);
  size_t agree = 0;
  for (const search::Candidate& candidate : searched.candidates) {
    const double expected = lifted_error(session, candidate.input);
    agree += candidate.score >= expected / 10 && candidate.score <= expected * 10;
  }
  EXPECT_GE(agree, searched.candidates.size() * 9 / 10) << "of " << searched.candidates.size();
}

} // namespace
} // namespace faultline::test
