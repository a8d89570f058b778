// Hunts go on, whatever the files do to the worker.
#include "hunting_ground.h"

#include "base/error.h"

#include <chrono>
#include <cmath>

namespace faultline::hunt {

using model::Finding;
using model::Kind;
using model::Progress;
using model::ReplayResult;
using model::Report;
using model::TargetOutcome;
using model::TargetReport;
namespace {

TEST(Hunt, FilesTheInputThatKilledItsWorkerAndGoesOn) {
  Ground ground(killing);
  ground.options.settings.ranges = {{"x", {0, 100}}};
  ground.options.settings.strategy = "random";
  ground.options.settings.evaluations = 2000;
  const TargetReport target = ground.only();
  const std::vector<Finding> crashes = of_kind(target, Kind::crash);
  ASSERT_EQ(crashes.size(), 1u) << "one finding, however often it happens";
  EXPECT_GT(number(crashes[0]), 50);
  EXPECT_LT(number(crashes[0]), 50.2);
  EXPECT_EQ(crashes[0].detail, "killed the worker process");
  ASSERT_FALSE(of_kind(target, Kind::inaccuracy).empty()) << "what else there is";
  EXPECT_EQ(of_kind(target, Kind::inaccuracy)[0].cause->line, 7);
  EXPECT_EQ(target.outcome, TargetOutcome::found);
  EXPECT_GE(target.evaluations, 1999u);
  const ReplayResult again = replay(ground.options, target, crashes[0]);
  EXPECT_TRUE(again.reproduced) << again.what;
  expect_no_child();
}

TEST(Hunt, FilesADeathThatComesAgainAndAgainOnce) {
  Ground ground("#include <math.h>\n#include <signal.h>\n#include <unistd.h>\ndouble f(double x) {\n  if (x > 50)\n    "
                "kill(getpid(), SIGKILL);\n  return (1 - cos(x)) / (x * x);\n}");
  ground.options.settings.ranges = {{"x", {0, 100}}};
  const TargetReport target = ground.only();
  EXPECT_EQ(of_kind(target, Kind::crash).size(), 1u);
  EXPECT_EQ(target.outcome, TargetOutcome::found) << "what was found before the first death is lost";
  expect_no_child();
}

TEST(Hunt, IsTheSameWithTwoWorkersThatAreKilled) {
  const std::string text = killing;
  Ground ground(text + "double g(double x) { return x > 30 && x < 30.1 ? kill(getpid(), SIGKILL) : log(1 + x) / x; }");
  ground.options.settings.ranges = {{"x", {0, 100}}};
  ground.options.settings.strategy = "random";
  ground.options.settings.evaluations = 2000;
  const std::string first = timeless_json(ground.hunt());
  ground.options.jobs = 2;
  EXPECT_EQ(timeless_json(ground.hunt()), first);
}

TEST(Hunt, KillsACallThatSleepsForEver) {
  Ground ground(
      "#include <unistd.h>\ndouble f(double x) {\n  while (x > 99)\n    pause();\n  return (x + 1e16) - 1e16;\n}");
  ground.options.settings.ranges = {{"x", {0, 100}}};
  ground.options.settings.strategy = "random";
  ground.options.settings.evaluations = 600;
  ground.options.worker.silence_seconds = 0.4;
  const auto start = std::chrono::steady_clock::now();
  const TargetReport target = ground.only();
  const std::vector<Finding> hangs = of_kind(target, Kind::timeout);
  ASSERT_EQ(hangs.size(), 1u);
  EXPECT_GT(number(hangs[0]), 99);
  EXPECT_FALSE(of_kind(target, Kind::inaccuracy).empty()) << "what else there is";
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 20);
  const ReplayResult again = replay(ground.options, target, hangs[0]);
  EXPECT_TRUE(again.reproduced) << again.what;
  expect_no_child();
}

TEST(Hunt, FilesCrashesAndLoopsAsWhatTheyAre) {
  Ground ground("#include <stdlib.h>\nstatic volatile int n;\ndouble f(double x) {\n  if (x > 90)\n    abort();\n  "
                "while (x < -90)\n    n++;\n  return x + 1;\n}");
  ground.options.settings.ranges = {{"x", {-100, 100}}};
  ground.options.settings.evaluations = 500;
  const TargetReport target = ground.only();
  ASSERT_EQ(of_kind(target, Kind::crash).size(), 1u);
  EXPECT_EQ(of_kind(target, Kind::crash)[0].detail, "called abort");
  EXPECT_GT(number(of_kind(target, Kind::crash)[0]), 90);
  ASSERT_EQ(of_kind(target, Kind::timeout).size(), 1u);
  EXPECT_LT(number(of_kind(target, Kind::timeout)[0]), -90);
  for (const Finding& finding : target.findings)
    EXPECT_TRUE(replay(ground.options, target, finding).reproduced) << text(finding.kind);
}

TEST(Hunt, GoesOnAfterATargetThatCannotBeLinked) {
  Ground ground("double elsewhere(double);\ndouble a(double x) { return elsewhere(x) + 1; }\ndouble b(double x) { "
                "return (x + 1e16) - 1e16; }");
  const Report report = ground.hunt();
  ASSERT_EQ(report.targets.size(), 2u);
  EXPECT_EQ(report.targets[0].outcome, TargetOutcome::unknown);
  EXPECT_NE(report.targets[0].note.find("elsewhere"), std::string::npos);
  EXPECT_EQ(report.targets[1].outcome, TargetOutcome::found);
  ground.options.functions = {"a"};
  EXPECT_EQ(ground.hunt().targets.at(0).outcome, TargetOutcome::unknown);
}

TEST(Hunt, StopsWhenTold) {
  Ground ground(
      "#include <unistd.h>\ndouble f(double x) { for (;;) pause(); return x; }\ndouble g(double x) { return x + 1; }");
  ground.options.worker.silence_seconds = 60;
  std::atomic<bool> stop = false;
  Listener listener;
  listener.on_progress = [&](const Progress& progress) { stop = progress.seconds > 0.5; };
  const Report report = hunt(ground.options, listener, stop);
  ASSERT_EQ(report.targets.size(), 2u);
  for (const TargetReport& target : report.targets)
    EXPECT_EQ(target.outcome, TargetOutcome::interrupted);
  expect_no_child();
}

} // namespace
} // namespace faultline::hunt
