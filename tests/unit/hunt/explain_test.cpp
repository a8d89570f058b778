// explain: one input gets the findings that a hunt would report there, and what is right is said to be right.
#include "../temporary_folder.h"

#include "hunt/single_target.h"
#include "judge/judge.h"
#include "model/problem.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace faultline::hunt {

using judge::too_long_words;
using model::Explanation;
using model::Fault;
using model::Finding;
using model::Kind;
using model::OracleName;
using model::TargetOutcome;
using model::Verdict;
namespace {

constexpr const char* source = R"(#include <math.h>
#include <stdlib.h>
double hyp(double x, double y) {
  return sqrt(x * x + y * y);
}
double inverse(double x) {
  double d = x * x;
  return 1 / d + 1 / d;
}
double pole(double p) { return p / log(1 / (1 - p)); }
double tiny(double x) { return x * 1e-300 + 1; }
struct result { double val, err; };
int claims(double x, struct result* r) {
  r->val = (1 - cos(x)) / (x * x);
  r->err = 1e-16;
  return 0;
}
double table(double x) {
  static const double t[4] = {1, 20, 300, 4000};
  int i = (int)((x + 1) * 10 - 10);
  return t[i & 3];
}
double same(double x) {
  double y = (x + 1) - 1;
  return y < x ? x * 2 : x + x;
}
double quits(double x) {
  if (x * 2 > 1)
    exit(3);
  return x;
}
double hangs(double x) {
  volatile double y = x;
  while (y > 1)
    ;
  return y;
}
double accurate(double x) { return x * 1.1 + 3; }
double long_sum(double x, int n) {
  double s = 0;
  for (int i = 1; i <= n; i++)
    s += x / i;
  return (s + 1e16) - 1e16;
}
)";

Options options() {
  static const test::TemporaryFolder folder;
  static const std::string file = folder.write("subject.c", source);
  Options options;
  options.sources.files = {file};
  options.limits.call_seconds = 0.3;
  options.limits.native_seconds = 0.5;
  options.worker.silence_seconds = 5;
  return options;
}

Explanation explained(const std::string& function, const std::map<std::string, std::string>& at,
                      Options own = options()) {
  own.functions = {function};
  return explain(own, at, 10);
}

int status(const Explanation& explanation) { return exit_status(report_of(explanation, options())); }

std::vector<Kind> kinds(const Explanation& explanation) {
  std::vector<Kind> kinds;
  for (const Finding& finding : explanation.target.findings)
    kinds.push_back(finding.kind);
  return kinds;
}

bool noted(const Explanation& explanation, const std::string& words) {
  return std::ranges::any_of(explanation.notes,
                             [&](const std::string& note) { return note.find(words) != std::string::npos; });
}

TEST(Explain, TellsWhatAnExceptionDoes) {
  const Explanation explanation = explained("hyp", {{"x", "1e200"}, {"y", "1"}});
  ASSERT_EQ(kinds(explanation), std::vector{Kind::overflow});
  const Finding& finding = explanation.target.findings[0];
  EXPECT_EQ(finding.cause->operation, "fmul");
  EXPECT_EQ(finding.cause->line, 4);
  EXPECT_EQ(finding.verdict, Verdict::avoidable);
  ASSERT_TRUE(finding.aftermath.has_value());
  EXPECT_TRUE(finding.aftermath->reaches_output);
  EXPECT_TRUE(finding.aftermath->silent());
  ASSERT_TRUE(finding.diagnosis.has_value());
  EXPECT_EQ(finding.diagnosis->fault, Fault::intermediate_overflow);
  EXPECT_EQ(status(explanation), 0) << "such magnitudes are not everyday";
}

TEST(Explain, TellsExceptionsInTheOrderOfExecutionAndOnce) {
  const Explanation explanation = explained("inverse", {{"x", "1e-200"}});
  ASSERT_GE(explanation.target.findings.size(), 2u);
  EXPECT_EQ(explanation.target.findings[0].kind, Kind::underflow) << "before the division by what it left";
  EXPECT_EQ(std::ranges::count(kinds(explanation), Kind::underflow), 1);
  EXPECT_TRUE(explanation.target.findings[1].aftermath->after_underflow);
}

TEST(Explain, TellsWhereAnInfinityBeginsIfNotWithAnException) {
  const Explanation explanation = explained("pole", {{"p", "1e-19"}});
  EXPECT_EQ(kinds(explanation), std::vector{Kind::divide_by_zero});
  EXPECT_TRUE(noted(explanation, "the error of return begins at "));
  EXPECT_TRUE(noted(explanation, "1 - 1e-19 = 1"));
}

TEST(Explain, AHarmlessUnderflowIsToldAndDoesNotCount) {
  const Explanation explanation = explained("tiny", {{"x", "1e-10"}});
  ASSERT_EQ(kinds(explanation), std::vector{Kind::underflow});
  EXPECT_TRUE(explanation.target.findings[0].aftermath->harmless);
  EXPECT_EQ(status(explanation), 0);
}

TEST(Explain, TellsOfAClaimThatIsViolated) {
  const Explanation explanation = explained("claims", {{"x", "1e-8"}});
  EXPECT_EQ(kinds(explanation), (std::vector{Kind::bound_violated, Kind::inaccuracy}));
  EXPECT_NE(explanation.target.findings[0].detail.find("r.err says 1e-16"), std::string::npos);
  Options generous = options();
  generous.settings.bound_factor = 1e30;
  EXPECT_EQ(kinds(explained("claims", {{"x", "1e-8"}}, generous)), std::vector{Kind::inaccuracy});
}

TEST(Explain, AskedForOneKindByAConfigurationItStillTellsAll) {
  Options narrow = options();
  narrow.settings.wanted = {.error = false, .exceptions = false, .crashes = false, .branches = false, .bound = false};
  EXPECT_EQ(kinds(explained("hyp", {{"x", "1e200"}, {"y", "1"}}, narrow)), std::vector{Kind::overflow});
}

TEST(Explain, TellsADecisionThatExactArithmeticMakesDifferently) {
  const Explanation explanation = explained("table", {{"x", "0.3"}});
  ASSERT_EQ(kinds(explanation), std::vector{Kind::branch_flip});
  ASSERT_TRUE(explanation.target.findings[0].diagnosis.has_value());
  EXPECT_NE(explanation.target.findings[0].diagnosis->why.find("gives 3; exact arithmetic converts 2.9999"),
            std::string::npos);
}

TEST(Explain, TellsSuchADecisionAlsoWhereItDoesNotMatter) {
  const Explanation explanation = explained("same", {{"x", "0.9"}});
  EXPECT_TRUE(explanation.target.findings.empty());
  EXPECT_TRUE(noted(explanation, "0.8999999999999999 < 0.9 is true; exact arithmetic compares 0.90000000000000002 < "
                                 "0.90000000000000002 and goes the other way; the result is right all the same"));
  EXPECT_TRUE(explained("same", {{"x", "0.5"}}).notes.empty());
}

TEST(Explain, TellsHowACallEndedAndWhatItDidLast) {
  const Explanation explanation = explained("quits", {{"x", "1"}});
  ASSERT_EQ(kinds(explanation), std::vector{Kind::exception});
  EXPECT_EQ(explanation.outcome, "called exit");
  EXPECT_TRUE(explanation.target.findings[0].detail.starts_with("exit("));
  EXPECT_TRUE(noted(explanation, ":28:13: 2 > 1 is true")) << (explanation.notes.empty() ? "" : explanation.notes[0]);
  EXPECT_EQ(explanation.target.outcome, TargetOutcome::found);
  EXPECT_EQ(status(explanation), 1);
}

TEST(Explain, TellsOfATimeOut) {
  const Explanation explanation = explained("hangs", {{"x", "2"}});
  EXPECT_EQ(kinds(explanation), std::vector{Kind::timeout});
  EXPECT_EQ(explanation.target.outcome, TargetOutcome::timed_out);
}

TEST(Explain, LeavesWhatIsRightAlone) {
  const Explanation explanation = explained("accurate", {{"x", "0.3"}});
  EXPECT_TRUE(explanation.target.findings.empty());
  EXPECT_FALSE(explanation.uncounted.has_value());
  ASSERT_TRUE(explanation.error.has_value());
  EXPECT_LE(explanation.error->ulps, 1);
  EXPECT_EQ(explanation.target.outcome, TargetOutcome::none);
  EXPECT_EQ(status(explanation), 0);
}

TEST(Explain, AnErrorBelowTheThresholdIsExplainedAndDoesNotCount) {
  Options strict = options();
  strict.settings.bounds = {"r.val"}; // not a claimed bound
  strict.settings.threshold = 1e-3;
  strict.settings.outputs = {"r.val"};
  const Explanation explanation = explained("claims", {{"x", "1e-7"}}, strict);
  EXPECT_TRUE(explanation.target.findings.empty());
  ASSERT_TRUE(explanation.uncounted.has_value());
  EXPECT_EQ(explanation.uncounted->cause->operation, "fsub");
  EXPECT_EQ(explanation.uncounted->detail, "the relative error is not above 0.001 (--threshold)");
  EXPECT_EQ(status(explanation), 0);
  strict.settings.threshold = 1e-4;
  EXPECT_EQ(kinds(explained("claims", {{"x", "1e-7"}}, strict)), std::vector{Kind::inaccuracy});
}

// 400,002 operations: they are recorded, but not carried out in high precision. 6 million: they are not recorded.
TEST(Explain, ARunThatIsTooLongIsJudgedAllTheSame) {
  for (const char* n : {"200000", "3000000"}) {
    const Explanation explanation = explained("long_sum", {{"x", "0.1"}, {"n", n}});
    EXPECT_EQ(explanation.outcome, "returned");
    ASSERT_EQ(kinds(explanation), std::vector{Kind::inaccuracy}) << n;
    const Finding& finding = explanation.target.findings[0];
    EXPECT_FALSE(finding.cause.has_value());
    EXPECT_EQ(finding.detail, too_long_words());
    EXPECT_NE(finding.detail.find("262144"), std::string::npos);
    ASSERT_TRUE(explanation.output && explanation.error);
    EXPECT_FALSE(explanation.output->reference.decimal.empty());
    EXPECT_GT(explanation.error->relative, 0.1);
    EXPECT_EQ(explanation.rows.size(), 10u) << "the first ones";
    EXPECT_GT(explanation.omitted + explanation.too_long, 0u);
  }
}

TEST(Explain, ALongRunWithoutAFindingSaysThatItIsTooLong) {
  Options lenient = options();
  lenient.settings.threshold = 1e9;
  EXPECT_TRUE(noted(explained("long_sum", {{"x", "0.1"}, {"n", "200000"}}, lenient), too_long_words()));
  lenient.settings.oracle = OracleName::replay;
  const Explanation unjudged = explained("long_sum", {{"x", "0.1"}, {"n", "3000000"}}, lenient);
  EXPECT_TRUE(noted(unjudged, too_long_words()));
  EXPECT_EQ(unjudged.target.outcome, TargetOutcome::unknown);
  EXPECT_EQ(status(unjudged), 4);
}

TEST(Explain, FindingsCanBeRunAgain) {
  Options own = options();
  own.command = {"explain", "subject.c", "-o", "e.json"};
  const Finding finding = explained("hyp", {{"x", "1e200"}, {"y", "1"}}, own).target.findings.at(0);
  EXPECT_TRUE(finding.replay.starts_with("faultline explain ")) << finding.replay;
  EXPECT_FALSE(finding.fingerprint.empty());
  EXPECT_EQ(finding.strategy, "given");
}

} // namespace
} // namespace faultline::hunt
