#include "model/set_aside.h"

#include "model/problem.h"

#include "../../golden/sample_report.h"
#include "base/error.h"
#include "model/json/finding_json.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace faultline::model {
namespace {

Report sample() {
  Report report = golden::sample_report();
  for (TargetReport& target : report.targets)
    for (Finding& finding : target.findings)
      finding.fingerprint = "f" + finding.id;
  return report;
}

// Of a target, in the problems that a person reads.
size_t shown_findings(const Report& report, size_t target) {
  size_t count = 0;
  for (const Problem& problem : shown_problems(report))
    count += size_t(std::ranges::count(problem.findings, &report.targets[target], &Evidence::target));
  return count;
}

TEST(Baseline, KnowsFindingsByTheirFingerprints) {
  const Baseline baseline = baseline_from(sample(), "old.json");
  EXPECT_EQ(baseline.findings.size(), 5u);
  EXPECT_EQ(baseline.findings.at("f3f6a90c1").function, "foo");
}

TEST(Baseline, OfAnEarlierVersionIsRefused) {
  try {
    baseline_from(golden::sample_report(), "old.json");
    FAIL() << "everything would be new";
  } catch (const base::UserError& error) {
    EXPECT_EQ(std::string(error.what()), "old.json: finding 3f6a90c1 has no fingerprint");
    EXPECT_NE(error.hint.find("-o old.json"), std::string::npos);
  }
}

TEST(Baseline, CountsWhatIsGoneFromTheFunctionsThatWereHuntedIn) {
  const Baseline baseline = baseline_from(sample(), "old.json");
  Report now = sample();
  EXPECT_EQ(gone(baseline, now), 0u);
  now.targets[1].findings.resize(1); // of three
  now.targets[1].file = "elsewhere/foo.c";
  EXPECT_EQ(gone(baseline, now), 2u);
  now.targets.erase(now.targets.begin() + 1);
  EXPECT_EQ(gone(baseline, now), 0u) << "a function that was not searched is not repaired";
}

TEST(SetAside, WhatIsSetAsideDoesNotFailTheHunt) {
  Report report = sample();
  EXPECT_EQ(exit_status(report), 1);
  for (TargetReport& target : report.targets)
    for (Finding& finding : target.findings)
      finding.novelty = Novelty::known;
  report.targets.pop_back(); // the inconclusive one
  EXPECT_EQ(exit_status(report), 0);
  report.targets[0].findings[0].novelty = Novelty::fresh;
  EXPECT_EQ(exit_status(report), 1);
  report.targets[0].findings[0].suppressed = Suppression{"foo.c", 3, "why"};
  EXPECT_EQ(exit_status(report), 0);
}

TEST(SetAside, AReaderSeesTheRestUnlessAllIsAskedFor) {
  Report report = sample();
  report.targets[0].findings[0].suppressed = Suppression{"foo.c", 3, "why"};
  EXPECT_EQ(shown_findings(report, 0), 0u);
  EXPECT_EQ(shown_findings(report, 1), 3u);
  report.targets[0].shows_all = true;
  EXPECT_EQ(shown_findings(report, 0), 1u);
}

TEST(SetAside, SavedReportsKeepWhatWasSetAside) {
  Report report = sample();
  report.baseline = {"old.json", 3};
  report.remarks = {"foo.c:1: note: a comment"};
  report.targets[0].findings[0].suppressed = Suppression{"foo.c", 3, "why"};
  report.targets[0].findings[0].novelty = Novelty::fresh;
  report.targets[1].findings[0].novelty = Novelty::known;
  const std::string text = json_text(to_json(report));
  const Report back = parse_report(text, "f.json");
  EXPECT_EQ(json_text(to_json(back)), text);
  const Finding& finding = back.targets[0].findings[0];
  EXPECT_EQ(finding.suppressed->reason, "why");
  EXPECT_EQ(finding.suppressed->line, 3);
  EXPECT_EQ(finding.fingerprint, "f3f6a90c1");
  EXPECT_EQ(finding.novelty, Novelty::fresh);
  EXPECT_EQ(back.targets[1].findings[0].novelty, Novelty::known);
  EXPECT_EQ(back.baseline->gone, 3u);
}

} // namespace
} // namespace faultline::model
