// A diagnosis that contradicts itself is seen, by its data alone.
#include "judge/tasks/work.h"

#include <cmath>
#include <gtest/gtest.h>

namespace faultline::judge {
namespace {

using model::ChainLink;
using model::Finding;

// 1 - cos(1e-7), divided by x * x.
Finding consistent() {
  Finding finding;
  finding.error = {7.99e-4, 0, 0, 0};
  finding.diagnosis.emplace();
  finding.diagnosis->fault = model::Fault::cancellation;
  finding.diagnosis->chain = {
      {"f.c", 1, 1, "f", "cos", "cos(1e-07) = 0.9", "0.9", 0, 0},
      {"f.c", 1, 1, "f", "fsub", "1 - 0.9 = 0.0999", "0.1", 1e-3, 0},
      {"f.c", 2, 1, "f", "fdiv", "0.0999 / 2 = 0.04995", "0.05", 1e-3, 0},
  };
  finding.diagnosis->lines = {{"f.c", 1, "f", 1.25, 2}, {"f.c", 2, "f", -0.25, 1}};
  finding.diagnosis->accounted = 1e-3 / 7.99e-4;
  return finding;
}

std::string first_violation(const Finding& finding) {
  const auto violations = chain_violations(finding);
  return violations.empty() ? "" : violations.front().what;
}

TEST(ChainCheck, IsContentWithADiagnosisThatAddsUp) {
  EXPECT_EQ(first_violation(consistent()), "");
  EXPECT_EQ(first_violation(Finding()), "") << "there is nothing to check";
}

TEST(ChainCheck, SeesSharesThatDoNotAddUp) {
  Finding finding = consistent();
  finding.diagnosis->lines[1].share = -0.2501;
  EXPECT_EQ(first_violation(finding), "sum of the shares of the lines");
}

TEST(ChainCheck, SeesAStepWithAnErrorThatIsNotItsOwn) {
  Finding finding = consistent();
  finding.diagnosis->chain[1].error = 2e-3;
  EXPECT_TRUE(first_violation(finding).starts_with("error of a step: f.c:1")) << first_violation(finding);
}

TEST(ChainCheck, SeesAStepThatDoesNotUseTheOneBefore) {
  Finding finding = consistent();
  finding.diagnosis->chain[2].text = "0.0998 / 2 = 0.04995";
  EXPECT_TRUE(first_violation(finding).starts_with("operand of a step: f.c:2")) << first_violation(finding);
  finding.diagnosis->chain[2].skipped = 1;
  EXPECT_EQ(first_violation(finding), "") << "steps between them are left out";
}

TEST(ChainCheck, SeesAnEndThatIsNotTheErrorOfTheOutput) {
  Finding finding = consistent();
  finding.diagnosis->accounted = 1;
  EXPECT_EQ(first_violation(finding), "error at the end of the chain");
  finding.diagnosis->accounted = NAN;
  EXPECT_EQ(first_violation(finding), "part that is accounted for");
}

} // namespace
} // namespace faultline::judge
