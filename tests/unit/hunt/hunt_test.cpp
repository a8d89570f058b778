// What a hunt finds in small files, and what it tells of it.
#include "hunting_ground.h"

#include "model/problem.h"

#include <cmath>
#include <fmt/format.h>
#include <set>

namespace faultline::hunt {

using model::Finding;
using model::Kind;
using model::Progress;
using model::Report;
using model::TargetOutcome;
using model::TargetReport;
using model::Verdict;
namespace {

TEST(Hunt, FindsTheErrorAndItsLineAndLeavesTheStableOneAlone) {
  Ground ground(three);
  ground.options.settings.ranges = {{"x", {-10, 10}}};
  ground.options.settings.wanted.exceptions = false;
  const Report report = ground.hunt();
  ASSERT_EQ(report.targets.size(), 3u);
  EXPECT_EQ(report.targets[0].function, "bad");
  EXPECT_EQ(report.targets[1].function, "good");
  EXPECT_EQ(report.targets[2].function, "log_near_one");
  const TargetReport& bad = report.targets[0];
  EXPECT_EQ(bad.outcome, TargetOutcome::found);
  ASSERT_FALSE(bad.findings.empty());
  EXPECT_EQ(bad.findings[0].kind, Kind::inaccuracy);
  EXPECT_GT(bad.findings[0].error->relative, 1e-3);
  EXPECT_EQ(bad.findings[0].cause->line, 3);
  EXPECT_EQ(bad.findings[0].cause->operation, "fsub");
  EXPECT_EQ(bad.findings[0].verdict, Verdict::avoidable);
  EXPECT_EQ(bad.inputs.at(0).name, "x");
  EXPECT_EQ(bad.inputs.at(0).low, "-10");
  EXPECT_GT(bad.sites, 3u);
  EXPECT_GT(bad.evaluations, 1000u);
  EXPECT_LE(bad.evaluations, 4000u);
  EXPECT_EQ(report.targets[1].outcome, TargetOutcome::none);
  EXPECT_TRUE(report.targets[1].findings.empty());
  ASSERT_FALSE(report.targets[2].findings.empty());
  EXPECT_EQ(exit_status(report), 1);
  expect_no_child();
}

TEST(Hunt, IsTheSameWithOneWorkerAndWithTwo) {
  Ground ground(three);
  const std::string first = timeless_json(ground.hunt());
  EXPECT_EQ(timeless_json(ground.hunt()), first) << "again";
  ground.options.jobs = 2;
  EXPECT_EQ(timeless_json(ground.hunt()), first) << "with two workers";
  ground.options.jobs = 1;
  ground.options.settings.seed = 2;
  EXPECT_NE(timeless_json(ground.hunt()), first) << "another seed";
}

TEST(Hunt, HasOneFindingACauseAndPerhapsTheLargestBesideIt) {
  Ground ground(three);
  for (const TargetReport& target : ground.hunt().targets) {
    std::multiset<std::string> causes;
    std::set<std::string> ids;
    for (const Finding& finding : target.findings) {
      EXPECT_TRUE(ids.insert(finding.id).second);
      EXPECT_FALSE(finding.replay.empty());
      if (!finding.cause)
        continue;
      const std::string cause = fmt::format("{} {}:{} {}", text(finding.kind), finding.cause->line,
                                            finding.cause->column, finding.cause->operation);
      causes.insert(cause);
      EXPECT_LE(causes.count(cause), is_error(finding.kind) ? 2u : 1u) << target.function;
    }
  }
}

TEST(Hunt, ReportsTheLargestErrorFirst) {
  Ground ground("#include <math.h>\ndouble f(double x, double y) {\n  double a = (1 - cos(x)) / (x * x);\n  double b = "
                "log(1 + y) / y;\n  return a + b * 1e3;\n}");
  double last = INFINITY;
  for (const Finding& finding : of_kind(ground.only(), Kind::inaccuracy)) {
    EXPECT_LE(finding.error->relative, last);
    last = finding.error->relative;
  }
  EXPECT_LT(last, INFINITY);
}

TEST(Hunt, TellsItsListenerOfEverything) {
  Ground ground(three);
  ground.options.corpus = std::make_shared<const model::Corpus>();
  std::vector<std::string> kept;
  Progress latest;
  Listener listener;
  listener.on_keep = [&](const Report& alone, const std::string&) {
    kept.push_back(alone.targets.at(0).function + alone.targets.at(0).findings.at(0).id);
  };
  listener.on_progress = [&](const Progress& progress) { latest = progress; };
  const Report report = ground.hunt(listener);
  std::vector<std::string> expected;
  for (const TargetReport& target : report.targets)
    for (const Finding& finding : target.findings)
      if (finding.counts())
        expected.push_back(target.function + finding.id);
  EXPECT_FALSE(expected.empty());
  EXPECT_EQ(kept, expected);
  EXPECT_EQ(latest.targets, 3u);
  EXPECT_EQ(latest.targets_done, 3u);
  EXPECT_GT(latest.worst_error, 1e-3);
}

TEST(Hunt, FindsExceptionsWithTheirLines) {
  Ground ground("#include <math.h>\ndouble f(double x) {\n  double s = x * x;\n  double q = 1 / (x - 2);\n  return "
                "sqrt(s) + q + log(-x);\n}");
  ground.options.settings.ranges = {{"x", {-1e200, 1e200}}};
  const TargetReport target = ground.only();
  ASSERT_FALSE(of_kind(target, Kind::overflow).empty());
  EXPECT_EQ(of_kind(target, Kind::overflow)[0].cause->line, 3);
  EXPECT_EQ(of_kind(target, Kind::overflow)[0].verdict, Verdict::avoidable);
  ASSERT_FALSE(of_kind(target, Kind::invalid).empty());
  EXPECT_EQ(of_kind(target, Kind::invalid)[0].cause->line, 5);
}

} // namespace
} // namespace faultline::hunt
