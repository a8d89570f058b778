// The other published bounds: which count, and how many are as good.
#include "suite/bounds.h"

#include <gtest/gtest.h>

namespace faultline::suite {
namespace {

OtherBound one(const char* name, double published, double proven) {
  OtherBound bound;
  bound.row.benchmark = {name, {}, published, "daisy_subdiv"};
  bound.row.bounds.outputs.resize(1);
  bound.row.bounds.outputs.front().sides[size_t(finding::ErrorMeasure::absolute)].proven = proven;
  return bound;
}

TEST(OtherBounds, CountThoseWithinAFactorUnlessTheyHoldForStablePathsOnly) {
  OtherBounds evaluation;
  evaluation.rows = {one("as_good", 1e-15, 1.05e-15), one("worse", 1e-15, 2e-15), one("stable", 1e-15, 1e-15),
                     one("open", 1e-15, 1e-15)};
  evaluation.rows[2].stable_paths_only = true;
  evaluation.rows[3].obstacle = "a comparison";
  EXPECT_EQ(evaluation.counted(), 3u);
  EXPECT_EQ(evaluation.within(1.1), 1u);
  EXPECT_EQ(evaluation.within(3), 2u);
  const std::string table = other_bounds_table(evaluation);
  EXPECT_NE(table.find("1 of 3 (33 %)"), std::string::npos) << table;
  EXPECT_NE(table.find("daisy_subdiv *"), std::string::npos) << table;
  EXPECT_NE(other_bounds_csv(evaluation).find("open,1e-15,daisy_subdiv,,,"), std::string::npos);
}

} // namespace
} // namespace faultline::suite
