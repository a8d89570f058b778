#include "model/problem.h"

#include <gtest/gtest.h>

namespace faultline::model {
namespace {

TEST(Finding, EveryNameReadsBack) {
  for (int i = 0; i <= static_cast<int>(Kind::bound_violated); ++i)
    EXPECT_EQ(kind_of(text(Kind(i))), Kind(i));
  for (int i = 0; i <= static_cast<int>(Verdict::unknown); ++i)
    EXPECT_EQ(verdict_of(text(Verdict(i))), Verdict(i));
  for (int i = 0; i <= static_cast<int>(TargetOutcome::interrupted); ++i)
    EXPECT_EQ(target_outcome_of(text(TargetOutcome(i))), TargetOutcome(i));
  EXPECT_FALSE(kind_of("Inaccuracy"));
  EXPECT_FALSE(verdict_of(""));
}

TEST(ExitStatus, IsTheContractOfTheCommandLine) {
  Report report;
  EXPECT_EQ(exit_status(report), 0);
  report.targets.resize(2);
  EXPECT_EQ(exit_status(report), 0);
  for (const auto outcome :
       {TargetOutcome::unknown, TargetOutcome::timed_out, TargetOutcome::crashed, TargetOutcome::interrupted}) {
    report.targets[1].outcome = outcome;
    EXPECT_EQ(exit_status(report), 4) << text(outcome);
  }
  report.targets[0].findings.resize(1);
  report.targets[0].findings[0].everyday = true;
  EXPECT_EQ(exit_status(report), 4) << "its verdict is unknown: a warning";
  report.fail_on = Tier::warning;
  EXPECT_EQ(exit_status(report), 1) << "a problem outweighs what is not known";
  report.fail_on = Tier::note;
  report.targets[0].findings[0].verdict = Verdict::ill_conditioned;
  EXPECT_EQ(exit_status(report), 1);
}

} // namespace
} // namespace faultline::model
