#include "model/vectors/vector.h"

#include <gtest/gtest.h>
#include <set>

namespace faultline::model {
namespace {

VectorCandidate candidate(Region region, long double x, std::vector<Decision> decisions, size_t error = 0) {
  return {region, {x}, std::move(decisions), error};
}

TEST(VectorChoice, EveryProblemAndEveryOutcomeIsAmongFew) {
  std::vector<VectorCandidate> all;
  for (int i = 0; i < 100; ++i)
    all.push_back(candidate(Region::ordinary, 1 + i, {{1, 0}}));
  all.push_back(candidate(Region::branch, -3, {{1, 1}, {2, 0}}));
  all.push_back(candidate(Region::branch, -4, {{1, 1}, {2, 1}}));
  all.push_back(candidate(Region::problem, 0.5, {{1, 0}}));
  all.push_back(candidate(Region::problem, 0.25, {{1, 0}}));
  const std::vector<size_t> chosen = chosen_vectors(all, 5);
  ASSERT_EQ(chosen.size(), 5u);
  EXPECT_EQ(outcomes_shown(all, chosen), 4u);
  EXPECT_EQ(chosen[0], 102u); // problems first
  EXPECT_EQ(chosen[1], 103u);
}

TEST(VectorChoice, OfThoseThatShowTheSameOneIsTakenWhileThereAreOthers) {
  std::vector<VectorCandidate> all;
  for (const long double x : {1.0L, 1.25L, 1.5L, 2.0L, 4.0L})
    all.push_back(candidate(Region::ordinary, x, {{1, 0}}));
  EXPECT_EQ(chosen_vectors(all, 3), (std::vector<size_t>{0, 3, 4}));    // one a binade
  EXPECT_EQ(chosen_vectors(all, 4), (std::vector<size_t>{0, 1, 3, 4})); // there are no others
  all[1].error = 3;                                                     // an error of another size shows something else
  EXPECT_EQ(chosen_vectors(all, 4), (std::vector<size_t>{0, 1, 3, 4}));
  EXPECT_EQ(chosen_vectors(all, 9).size(), 5u);
}

TEST(VectorChoice, NoInputIsTakenTwiceButZerosDiffer) {
  const std::vector<VectorCandidate> all = {candidate(Region::problem, 0.0L, {}), candidate(Region::special, 0.0L, {}),
                                            candidate(Region::special, -0.0L, {})};
  EXPECT_EQ(chosen_vectors(all, 9), (std::vector<size_t>{0, 2}));
}

TEST(VectorChoice, RegionsHaveTheirTurns) {
  std::vector<VectorCandidate> all;
  for (int i = 0; i < 20; ++i)
    for (const Region region : {Region::border, Region::special, Region::ordinary})
      all.push_back(candidate(region, std::exp2(double(all.size())), {}));
  std::multiset<Region> regions;
  for (const size_t i : chosen_vectors(all, 9))
    regions.insert(all[i].region);
  for (const Region region : {Region::border, Region::special, Region::ordinary})
    EXPECT_EQ(regions.count(region), 3u);
}

TEST(Histogram, CountsBySizeAndNamesTheLargest) {
  std::vector<TestVector> vectors(4);
  const auto with = [](double ulps) {
    return VectorOutput{"return", {"1", "0x1p+0"}, {"1", "0x1p+0"}, ulps, "lifted"};
  };
  vectors[0].outputs = {with(0)};
  vectors[1].outputs = {with(0.25), with(300)}; // the worst of a vector counts
  vectors[2].outputs = {with(INFINITY)};
  vectors[3].ending = "called abort";
  const ErrorHistogram histogram = histogram_of(vectors);
  EXPECT_EQ(text(histogram), "0: 1, <=65536: 1, infinite: 1, unknown: 1");
  EXPECT_EQ(histogram.largest, INFINITY);
  EXPECT_EQ(class_of(vectors[0], 53), "correctly rounded");
  EXPECT_EQ(class_of(vectors[3], 53), "ended");
  vectors[1].outputs[1].computed.hex = "0x1.0000000000001p+0";
  EXPECT_EQ(class_of(vectors[1], 53), "inaccurate");
  EXPECT_EQ(class_of(vectors[1], 8), "wrong");
}

} // namespace
} // namespace faultline::model
