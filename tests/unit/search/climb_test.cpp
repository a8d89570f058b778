// The climb to the largest error, however small it is.
#include "search/climb.h"
#include "searching.h"

namespace faultline::test {
namespace {

using search::Candidate;
using search::ErrorMeasure;
using search::Space;

constexpr const char* root = "float f(float x) { return sqrtf(x * x + 1); }";

struct Climbed {
  std::vector<Candidate> candidates;
  uint64_t evaluations = 0;
};

Climbed climb_in(exec::Session& session, const Space& space, uint64_t evaluations, ErrorMeasure counted_in,
                 uint64_t seed = 1) {
  search::Budget budget;
  budget.evaluations = evaluations;
  budget.seconds = 120;
  search::Evaluator evaluator(session, budget, [](const exec::Input&, const exec::Run&, const tape::Tape&) {});
  const std::vector<size_t> outputs = {0};
  search::Quest quest{evaluator, space, outputs, numeric::Rng(seed), {.counted_in = counted_in, .climbs = true}};
  return {search::climb(quest), evaluator.evaluations()};
}

double ulps_at(exec::Session& session, const exec::Input& input) {
  const exec::Run& run = session.run(input);
  const tape::Tape tape(run, session.sites(), input.size());
  return numeric::ulp_error(float(run.outputs[0].value), tape::replay(tape, 300).values[run.outputs[0].record],
                            numeric::Format::binary32);
}

TEST(SearchClimb, FindsErrorsThatOtherSearchesTakeForNone) {
  exec::Session session = open_math(root);
  const Climbed climbed = climb_in(session, {{a_float(-100, 100)}}, 200'000, ErrorMeasure::ulps);
  ASSERT_FALSE(climbed.candidates.empty());
  const double found = ulps_at(session, climbed.candidates.front().input);
  EXPECT_GT(found, 0.97 * 1.0274) << "the worst of all floats of the range: docs/exhaustive.md";
  EXPECT_NEAR(climbed.candidates.front().score, found, 1e-6);
  EXPECT_EQ(climbed.evaluations, 200'000u) << "all that it may";
}

TEST(SearchClimb, TriesAllOfARangeThatIsSmallEnough) {
  exec::Session session = open_math(root);
  const Space space{{a_float(0.5, 0.5009765625)}}; // 16,384 floats
  double worst = 0;
  for (float x = 0.5F; x <= 0.5009765625F; x = std::nextafter(x, 1.0F))
    worst = std::max(worst, ulps_at(session, {x}));
  const Climbed climbed = climb_in(session, space, 30'000, ErrorMeasure::ulps);
  ASSERT_FALSE(climbed.candidates.empty());
  EXPECT_NEAR(climbed.candidates.front().score, worst, 1e-6);
  EXPECT_LT(climbed.evaluations, 17'000u);
}

TEST(SearchClimb, GoesByTheMeasureThatCounts) {
  exec::Session session = open_math("double f(double x, double y) { return x * y + 1; }");
  const Space space{{a_double(1, 1000), a_double(1, 1000)}};
  const Climbed absolute = climb_in(session, space, 20'000, ErrorMeasure::absolute);
  const Climbed relative = climb_in(session, space, 20'000, ErrorMeasure::relative);
  ASSERT_FALSE(absolute.candidates.empty());
  ASSERT_FALSE(relative.candidates.empty());
  EXPECT_GT(absolute.candidates.front().score, 5.7e-11) << "half a unit in the last place of a million";
  EXPECT_GT(verified(session, relative.candidates.front().input), 1.5e-16);
}

TEST(SearchClimb, DependsOnTheSeedAlone) {
  exec::Session session = open_math(root);
  const Space space{{a_float(-100, 100)}};
  const Climbed one = climb_in(session, space, 5'000, ErrorMeasure::ulps),
                two = climb_in(session, space, 5'000, ErrorMeasure::ulps);
  ASSERT_EQ(one.candidates.size(), two.candidates.size());
  for (size_t i = 0; i < one.candidates.size(); ++i)
    EXPECT_EQ(one.candidates[i].input, two.candidates[i].input);
}

} // namespace
} // namespace faultline::test
