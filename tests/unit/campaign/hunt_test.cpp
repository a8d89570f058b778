// Hunts from end to end: real findings on small files, whatever the files do to the worker.
#include "../temporary_folder.h"

#include "campaign/explain.h"
#include "campaign/hunt.h"
#include "finding/json/finding_json.h"
#include "finding/problem.h"

#include "campaign/list.h"
#include "campaign/replay.h"
#include "frontend/error.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <sys/wait.h>

namespace faultline::campaign {

using finding::Explanation;
using finding::Finding;
using finding::json_text;
using finding::Kind;
using finding::ListedTarget;
using finding::OperationRow;
using finding::OracleName;
using finding::Progress;
using finding::ReplayResult;
using finding::Report;
using finding::TargetOutcome;
using finding::TargetReport;
using finding::Verdict;
namespace {

const std::atomic<bool> never = false;

// A file and the options to hunt in it.
struct Ground {
  explicit Ground(const std::string& text, const std::string& name = "subject.c") {
    options.sources.files = {folder.write(name, text)};
    options.settings.evaluations = 4000;
    options.settings.budget_seconds = 60;
    options.limits.call_seconds = 0.3;
    options.limits.native_seconds = 0.5;
    options.worker.silence_seconds = 5;
  }
  Report hunt(const Listener& listener = {}) { return campaign::hunt(options, listener, never); }
  TargetReport only() {
    Report report = hunt();
    EXPECT_EQ(report.targets.size(), 1u);
    return report.targets.at(0);
  }

  test::TemporaryFolder folder;
  Options options;
};

void expect_no_child() {
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

std::vector<Finding> of_kind(const TargetReport& target, Kind kind) {
  std::vector<Finding> all;
  std::copy_if(target.findings.begin(), target.findings.end(), std::back_inserter(all),
               [&](const Finding& finding) { return finding.kind == kind; });
  return all;
}

long double number(const Finding& finding, size_t input = 0) {
  return std::strtold(finding.input.at(input).value.hex.c_str(), nullptr);
}

ReplayResult replay(const Options& options, const TargetReport& target, const Finding& finding) {
  return Replayer(options).replay(target, {finding}).at(0);
}

std::string timeless_json(Report report) {
  for (TargetReport& target : report.targets)
    target.seconds = target.total_seconds = 0;
  return json_text(to_json(report), 1);
}

constexpr const char* three = R"(#include <math.h>
double bad(double x) {
  double d = 1 - cos(x);
  return d / (x * x);
}
double good(double x) {
  double s = sin(x / 2) / x;
  return x == 0 ? 0.5 : 2 * s * s;
}
double log_near_one(double x) {
  double t = 1 + x;
  return log(t) / x;
}
)";

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
  ground.options.corpus = std::make_shared<const finding::Corpus>();
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

constexpr const char* killing = R"(#include <math.h>
#include <signal.h>
#include <unistd.h>
double f(double x) {
  if (x > 50 && x < 50.2)
    kill(getpid(), SIGKILL);
  double d = 1 - cos(x);
  return d / (x * x);
}
)";

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
  EXPECT_THROW(ground.hunt(), frontend::UserError);
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

TEST(Replay, ReproducesEveryFinding) {
  Ground ground("#include <math.h>\ndouble f(double x, double y) {\n  double d = 1 - cos(x);\n  double s = x * x;\n  "
                "return d / s + log(y) + (y + 1 - y == 1 ? 0 : 1e3 * y);\n}");
  const TargetReport target = ground.only();
  EXPECT_GT(target.findings.size(), 2u);
  for (const Finding& finding : target.findings) {
    const ReplayResult result = replay(ground.options, target, finding);
    EXPECT_TRUE(result.reproduced) << text(finding.kind) << ": " << result.what;
    EXPECT_FALSE(result.what.empty());
  }
}

TEST(Replay, DoesNotReproduceWhatIsNotThere) {
  Ground ground(three);
  ground.options.functions = {"bad"};
  const TargetReport target = ground.only();
  for (Finding finding : target.findings) {
    finding.input[0].value = {"2", "0x1p+1"};
    const ReplayResult result = replay(ground.options, target, finding);
    EXPECT_FALSE(result.reproduced) << text(finding.kind);
    EXPECT_FALSE(result.what.empty());
  }
  ASSERT_FALSE(target.findings.empty());
}

TEST(Explain, ShowsTheOperationsOfThePapersFigure) {
  Ground ground(three);
  ground.options.functions = {"bad"};
  const Explanation explanation = explain(ground.options, {{"x", "1e-7"}}, 100);
  EXPECT_EQ(explanation.outcome, "returned");
  ASSERT_EQ(explanation.rows.size(), 4u);
  EXPECT_EQ(explanation.omitted, 0u);
  const auto subtraction = std::find_if(explanation.rows.begin(), explanation.rows.end(),
                                        [](const OperationRow& row) { return row.operation == "fsub"; });
  ASSERT_NE(subtraction, explanation.rows.end());
  EXPECT_EQ(subtraction->line, 3);
  EXPECT_EQ(subtraction->function, "bad");
  ASSERT_EQ(subtraction->operands.size(), 2u);
  EXPECT_EQ(subtraction->operands[0], "1");
  EXPECT_EQ(std::stod(subtraction->operands[1]), std::cos(1e-7));
  ASSERT_EQ(subtraction->conditions.size(), 2u);
  EXPECT_NEAR(std::max(subtraction->conditions[0], subtraction->conditions[1]) / 2.0016e14, 1, 1e-4);
  EXPECT_EQ(std::stod(subtraction->result), 1 - std::cos(1e-7));
  EXPECT_NEAR(std::stod(subtraction->reference), 5e-15, 1e-20);
  EXPECT_NEAR(subtraction->relative_error, 7.992e-4, 1e-6);
  double shares = 0;
  for (const OperationRow& row : explanation.rows)
    shares += row.share;
  EXPECT_NEAR(shares, 1, 1e-6);
  ASSERT_TRUE(explanation.error.has_value()) << "also below the threshold";
  EXPECT_NEAR(explanation.error->relative, 7.992e-4, 1e-6);
  ASSERT_TRUE(explanation.output.has_value());
  EXPECT_EQ(explain(ground.options, {{"x", "1e-7"}}, 1).rows.size(), 1u);
  EXPECT_EQ(explain(ground.options, {{"x", "1e-7"}}, 1).omitted, 3u);
}

TEST(Explain, SaysHowACrashEnded) {
  Ground ground(killing);
  const Explanation killed = explain(ground.options, {{"x", "50.1"}}, 10);
  EXPECT_TRUE(killed.interrupted);
  EXPECT_NE(killed.outcome.find("killed"), std::string::npos);
  EXPECT_EQ(explain(ground.options, {{"x", "1"}}, 10).outcome, "returned");
}

struct Misuse {
  std::string name;
  std::function<void(Ground&)> commit;
  int status;
  std::string said;
};
void PrintTo(const Misuse& misuse, std::ostream* stream) { *stream << misuse.name; }

class Misused : public testing::TestWithParam<Misuse> {};

TEST_P(Misused, HuntsSayWhatToTry) {
  Ground ground(three);
  GetParam().commit(ground);
  try {
    ground.hunt();
    FAIL() << "nobody minds";
  } catch (const frontend::UserError& error) {
    EXPECT_EQ(error.status, GetParam().status) << error.what();
    EXPECT_NE((error.what() + error.hint).find(GetParam().said), std::string::npos) << error.what() << "\n"
                                                                                    << error.hint;
  }
  expect_no_child();
}

INSTANTIATE_TEST_SUITE_P(
    All, Misused,
    testing::Values(Misuse{"unknown_strategy", [](Ground& ground) { ground.options.settings.strategy = "luck"; }, 2,
                           "atomu"},
                    Misuse{"unknown_function", [](Ground& ground) { ground.options.functions = {"goood"}; }, 3, "good"},
                    Misuse{"unknown_input",
                           [](Ground& ground) {
                             ground.options.settings.ranges = {{"zz", {0, 1}}};
                           },
                           2, "zz"},
                    Misuse{"unknown_output", [](Ground& ground) { ground.options.settings.outputs = {"zz"}; }, 2, "zz"},
                    Misuse{"missing_file", [](Ground& ground) { ground.options.sources.files = {"/nowhere/a.c"}; }, 2,
                           "/nowhere/a.c"},
                    Misuse{"reference_for_many",
                           [](Ground& ground) { ground.options.settings.oracle = OracleName::reference; }, 2, "-f"},
                    Misuse{"missing_reference",
                           [](Ground& ground) {
                             ground.options.settings.oracle = OracleName::reference;
                             ground.options.functions = {"bad"};
                             ground.options.settings.reference_file = "/nowhere/r.c";
                             ground.options.settings.reference_function = "r";
                           },
                           2, "/nowhere/r.c"},
                    Misuse{"nothing_suitable",
                           [](Ground& ground) {
                             ground.options.sources.files = {
                                 ground.folder.write("none.c", "int f(int a) { return a; }")};
                           },
                           3, "harness"}),
    [](const auto& info) { return info.param.name; });

// A reference that misbehaves must not take the hunt with it.
struct Misbehaved {
  std::string name, text;
};
void PrintTo(const Misbehaved& reference, std::ostream* stream) { *stream << reference.name; }

class BadReference : public testing::TestWithParam<Misbehaved> {};

TEST_P(BadReference, EndsAsUnknown) {
  Ground ground("double f(double x) { return (x + 1e16) - 1e16; }");
  ground.options.settings.oracle = OracleName::reference;
  ground.options.settings.reference_file = ground.folder.write("reference.c", GetParam().text);
  ground.options.settings.reference_function = "reference";
  ground.options.settings.evaluations = 100;
  ground.options.settings.wanted.exceptions = false;
  ground.options.worker.silence_seconds = 0.3;
  std::atomic<bool> stop = false;
  Listener listener;
  listener.on_progress = [&](const Progress& progress) { stop = progress.seconds > 8; };
  ground.options.limits.call_seconds = 0.05;
  const Report report = hunt(ground.options, listener, stop);
  EXPECT_FALSE(stop) << "it did not end by itself";
  EXPECT_EQ(report.targets.at(0).outcome, TargetOutcome::unknown) << text(report.targets.at(0).outcome);
  EXPECT_FALSE(report.targets.at(0).note.empty());
  expect_no_child();
}

INSTANTIATE_TEST_SUITE_P(
    All, BadReference,
    testing::Values(Misbehaved{"crashes", "double reference(double x) { return *(volatile double*)8 + x; }"},
                    Misbehaved{"aborts", "#include <stdlib.h>\ndouble reference(double x) { abort(); }"},
                    Misbehaved{"exits", "#include <stdlib.h>\ndouble reference(double x) { exit(0); }"},
                    Misbehaved{"sleeps", "#include <unistd.h>\ndouble reference(double x) { for (;;) pause(); }"},
                    Misbehaved{"loops",
                               "double reference(double x) { volatile int n = 1; while (n) n = 1; return x; }"}),
    [](const auto& info) { return info.param.name; });

} // namespace
} // namespace faultline::campaign
