// Two states of a library compared, and what another search need not tell again.
#include "model/comparison.h"

#include <gtest/gtest.h>

namespace faultline::model {
namespace {

Finding finding_at(int line, const std::string& fingerprint, double error, Verdict verdict = Verdict::avoidable) {
  Finding finding;
  finding.id = fingerprint + std::to_string(error);
  finding.fingerprint = fingerprint;
  finding.input = {{"x", {"1", "0x1p+0"}}};
  finding.values = {1};
  finding.everyday = true;
  finding.error = {error, error, 1, 1};
  finding.verdict = verdict;
  finding.cause = {"a.c", line, 5, "f", "fsub", 1, 1};
  return finding;
}

Report report_with(std::vector<Finding> findings, const std::string& function = "f") {
  Report report;
  report.targets.emplace_back();
  report.targets[0].function = function;
  report.targets[0].file = "a.c";
  report.targets[0].line = 1;
  report.targets[0].findings = std::move(findings);
  return report;
}

TEST(Comparison, NewFixedChangedAndUnchangedAreToldApart) {
  const Report before =
      report_with({finding_at(3, "same", 0.5), finding_at(5, "fixed", 0.5), finding_at(7, "worse", 0.01)});
  const Report after =
      report_with({finding_at(3, "same", 0.5), finding_at(9, "new", 0.5), finding_at(7, "worse", 0.5)});
  const Comparison comparison = compare(before, after);
  ASSERT_EQ(comparison.fresh.size(), 1u);
  EXPECT_EQ(comparison.fresh[0]->line, 9);
  ASSERT_EQ(comparison.fixed.size(), 1u);
  EXPECT_EQ(comparison.fixed[0]->line, 5);
  ASSERT_EQ(comparison.changed.size(), 1u);
  EXPECT_EQ(comparison.changed[0].after->line, 7);
  EXPECT_EQ(comparison.unchanged.size(), 1u);
  EXPECT_TRUE(has_new(comparison, Tier::error));
  EXPECT_EQ(to_json(comparison)["new"].size(), 1u);
}

TEST(Comparison, LinesThatMoveAreNoNews) {
  const Report before = report_with({finding_at(3, "same", 0.5)}), after = report_with({finding_at(33, "same", 0.5)});
  const Comparison comparison = compare(before, after);
  EXPECT_TRUE(comparison.fresh.empty());
  EXPECT_TRUE(comparison.fixed.empty());
}

TEST(Comparison, ALineThatWasChangedAndIsStillWrongIsNotNew) {
  const Report before = report_with({finding_at(3, "then", 0.5)}), after = report_with({finding_at(3, "now", 0.5)});
  EXPECT_TRUE(compare(before, after).fresh.empty());
}

// An operation that is inaccurate and overflows is two problems with findings of one fingerprint.
TEST(Comparison, AStateIsUnchangedAgainstItself) {
  Finding overflow = finding_at(3, "same", 0.001);
  overflow.kind = Kind::overflow;
  const Report report = report_with({finding_at(3, "same", 0.5), overflow});
  const Comparison comparison = compare(report, report);
  EXPECT_TRUE(comparison.changed.empty());
  EXPECT_TRUE(comparison.fresh.empty());
  EXPECT_EQ(comparison.unchanged.size(), comparison.after.size());
}

TEST(Comparison, NewNotesAreNoReasonToFailUnlessAskedFor) {
  const Report before = report_with({}), after = report_with({finding_at(3, "n", 0.5, Verdict::ill_conditioned)});
  const Comparison comparison = compare(before, after);
  EXPECT_FALSE(has_new(comparison, Tier::warning));
  EXPECT_TRUE(has_new(comparison, Tier::note));
}

TEST(Comparison, WhatIsGoneWithItsFunctionIsNotCalledFixed) {
  const Report before = report_with({finding_at(3, "a", 0.5)}), after = report_with({}, "other");
  const Comparison comparison = compare(before, after);
  EXPECT_TRUE(comparison.fixed.empty());
  EXPECT_EQ(comparison.gone.size(), 1u);
}

bool is_old_news(const Finding& known, const Finding& found) {
  return says_nothing_new({found, std::nullopt}, known_causes({known}));
}

TEST(KnownCause, OnlyWhatIsWorseIsDiagnosedAgain) {
  const Finding known = finding_at(3, "a", 0.01, Verdict::unknown);
  EXPECT_TRUE(is_old_news(known, finding_at(3, "a", 0.015, Verdict::unknown)));
  EXPECT_FALSE(is_old_news(known, finding_at(4, "a", 0.01, Verdict::unknown)));
  EXPECT_FALSE(is_old_news(known, finding_at(3, "a", 0.1, Verdict::unknown)));
  EXPECT_FALSE(is_old_news(known, finding_at(3, "a", 0.01, Verdict::avoidable)));
  Finding elsewhere = known;
  elsewhere.everyday = false;
  EXPECT_FALSE(is_old_news(elsewhere, known));
  EXPECT_TRUE(is_old_news(known, elsewhere));
}

} // namespace
} // namespace faultline::model
