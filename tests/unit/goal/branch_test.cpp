#include "goal/exception.h"

#include "../session_fixture.h"

#include <cmath>

namespace faultline::goal {
namespace {

struct Comparison {
  exec::Session session = test::open_text("double f(double x) { return x < 2.0 ? x : 0.5; }");
  uint32_t site = 0;

  Comparison() {
    const auto& sites = session.sites().sites;
    for (uint32_t i = runtime::first_program_site; i < sites.size(); ++i)
      if (ops::is_comparison(sites[i].op))
        site = i;
  }
  double distance_at(double x, int64_t outcome) {
    const exec::Run& run = session.run({x});
    return distance(Branch{site, outcome}, tape::Tape(run, session.sites(), 1));
  }
};

TEST(BranchGoal, IsReachedWhereTheComparisonGoesThatWay) {
  Comparison comparison;
  const exec::Run& run = comparison.session.run({1.0});
  const tape::Tape tape(run, comparison.session.sites(), 1);
  const int64_t outcome = tape::path(tape).at(0).outcome;
  EXPECT_TRUE(happened({comparison.site, outcome}, tape));
  EXPECT_FALSE(happened({comparison.site, 1 - outcome}, tape));
  EXPECT_EQ(distance(Branch{comparison.site, outcome}, tape), 0);
}

TEST(BranchGoal, ComesCloserAsTheOperandsDo) {
  Comparison comparison;
  const exec::Run& run = comparison.session.run({1.0});
  const int64_t other = 1 - tape::path(tape::Tape(run, comparison.session.sites(), 1)).at(0).outcome;
  const double far = comparison.distance_at(1e-300, other), near = comparison.distance_at(1.5, other);
  const double next = comparison.distance_at(std::nextafter(2.0, 0.0), other);
  EXPECT_GT(far, near);
  EXPECT_GT(near, next);
  EXPECT_LE(next, 1);
  EXPECT_EQ(comparison.distance_at(3.0, other), 0);
}

TEST(BranchGoal, IsInfinitelyFarFromARunThatNeverCameThere) {
  exec::Session session = test::open_text("double f(double x) { if (x > 1) { if (x * x < 9) return 2; } return x; }");
  const auto& sites = session.sites().sites;
  const exec::Run& run = session.run({0.5});
  const tape::Tape tape(run, session.sites(), 1);
  size_t unreached = 0;
  for (uint32_t i = runtime::first_program_site; i < sites.size(); ++i)
    if (ops::is_comparison(sites[i].op) && std::isinf(distance(Branch{i, 1}, tape)))
      ++unreached;
  EXPECT_LE(unreached, 1u);
  EXPECT_TRUE(std::isinf(distance(Branch{0, 1}, tape)));
}

} // namespace
} // namespace faultline::goal
