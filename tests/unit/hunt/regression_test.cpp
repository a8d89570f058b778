// What regression tests may demand.
#include "hunt/reruns.h"

#include "../temporary_folder.h"
#include "hunt/hunt.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace faultline::hunt {

using model::Error;
using model::Finding;
using model::Kind;
using model::NamedNumber;
using model::RegressionCase;
using model::RegressionTarget;
using model::Report;
using model::TargetReport;
using model::Verdict;
using model::Witness;
namespace {

// A report as if a hunt had found this.
class Found {
public:
  explicit Found(const std::string& source) { options.sources.files = {folder.write("subject.c", source)}; }

  Finding& add(Kind kind, Verdict verdict, const std::vector<NamedNumber>& input) {
    Finding finding;
    finding.id = "f" + std::to_string(target.findings.size());
    finding.kind = kind;
    finding.verdict = verdict;
    finding.input = input;
    finding.everyday = true;
    target.findings.push_back(finding);
    return target.findings.back();
  }

  std::vector<RegressionCase> cases() {
    target.function = "f";
    Report report;
    report.targets = {target};
    const std::vector<RegressionTarget> targets = regression_targets(report, options);
    return targets.empty() ? std::vector<RegressionCase>() : targets.front().cases;
  }

  test::TemporaryFolder folder;
  Options options;
  TargetReport target;
};

const NamedNumber small = {"x", {"2^-27", "0x1p-27"}};

constexpr const char* one_minus_cos = "#include <math.h>\ndouble f(double x) { return (1 - cos(x)) / (x * x); }";

TEST(Regression, AnAvoidableErrorAsksForAFewUlps) {
  Found found(one_minus_cos);
  found.add(Kind::inaccuracy, Verdict::avoidable, {small});
  const std::vector<RegressionCase> cases = found.cases();
  ASSERT_EQ(cases.size(), 1u);
  ASSERT_TRUE(cases[0].expected) << cases[0].left_out;
  EXPECT_EQ(cases[0].expected->reference.hex, "0x1p-1");
  EXPECT_GE(cases[0].expected->bound, 8);
  EXPECT_LT(cases[0].expected->bound, 10);
  EXPECT_GT(cases[0].expected->ulps, 1e10);
}

TEST(Regression, TheBoundGrowsWithTheConditionOfTheProblem) {
  Found found("#include <math.h>\ndouble f(double x, double y) { return (1 - cos(x)) / (x * x) * exp(y); }");
  found.add(Kind::inaccuracy, Verdict::avoidable, {small, {"y", {"512", "0x1p+9"}}});
  const std::vector<RegressionCase> cases = found.cases();
  ASSERT_TRUE(cases.at(0).expected) << cases.at(0).left_out;
  EXPECT_GT(cases[0].expected->bound, 8 * 200) << "no library's exp is better than the last digit of y";
  EXPECT_LT(cases[0].expected->bound, 8 * 1100);
}

TEST(Regression, NothingImpossibleIsDemanded) {
  Found found("double f(double x, double y) { return x + y; }");
  found.add(Kind::inaccuracy, Verdict::ill_conditioned, {{"x", {"1", "0x1p+0"}}, {"y", {"-1", "-0x1p+0"}}});
  found.add(Kind::overflow, Verdict::inherent, {{"x", {"1e308", "0x1p+1023"}}, {"y", {"1e308", "0x1p+1023"}}});
  EXPECT_TRUE(found.cases().empty()) << "notes are no tests";
}

TEST(Regression, ARightResultIsNoTest) {
  Found found("double f(double x) { return 1 / (x * x); }");
  Finding& finding = found.add(Kind::overflow, Verdict::avoidable, {{"x", {"2", "0x1p+1"}}});
  finding.aftermath.emplace();
  finding.aftermath->reaches_output = true;
  EXPECT_EQ(found.cases().at(0).left_out, "the result is right all the same");
}

TEST(Regression, TheLargestFloatHasANeighbourToo) {
  Found found("double f(double x, double y) { return (x + y) / 2; }");
  Finding& finding = found.add(Kind::overflow, Verdict::avoidable,
                               {{"x", {"1e307", "0x1p+1020"}}, {"y", {"1.79e308", "0x1.fffffffffffffp+1023"}}});
  finding.aftermath.emplace();
  finding.aftermath->reaches_output = true;
  EXPECT_EQ(found.cases().at(0).left_out, "");
}

TEST(Regression, AWrongBranchIsToldByAQuarterOfTheError) {
  Found found("float f(float x) { float y = 1e12f, sum = x + y; return sum > y ? 2 * x : 3 * x; }");
  found.add(Kind::branch_flip, Verdict::unknown, {{"x", {"4", "0x1p+2"}}});
  const std::vector<RegressionCase> cases = found.cases();
  ASSERT_TRUE(cases.at(0).expected) << cases.at(0).left_out;
  EXPECT_EQ(cases[0].expected->reference.hex, "0x1p+3");
  EXPECT_DOUBLE_EQ(cases[0].expected->bound, cases[0].expected->ulps / 4);
}

TEST(Regression, AProblemIsOneTestAtItsMostOrdinaryInput) {
  Found found(one_minus_cos);
  found.add(Kind::inaccuracy, Verdict::avoidable, {small});
  found.add(Kind::inaccuracy, Verdict::avoidable, {{"x", {"1e-8", "0x1.5798ee2308c3ap-27"}}});
  const std::vector<RegressionCase> cases = found.cases();
  ASSERT_EQ(cases.size(), 1u);
  EXPECT_TRUE(cases[0].expected) << cases[0].left_out;
  EXPECT_EQ(cases[0].input.at(0).value.decimal, "1e-08");
  EXPECT_EQ(cases[0].fault, "inaccuracy");
}

TEST(Regression, AnInputThatCannotBeTestedGivesWayToTheNext) {
  Found found(one_minus_cos);
  found.add(Kind::inaccuracy, Verdict::avoidable, {{"x", {"1", "0x1p+0"}}}); // right by now
  found.add(Kind::inaccuracy, Verdict::avoidable, {small});
  const std::vector<RegressionCase> cases = found.cases();
  ASSERT_EQ(cases.size(), 1u);
  EXPECT_EQ(cases[0].input.at(0).value.hex, "0x1p-27");
  EXPECT_EQ(cases[0].left_out, "");
}

TEST(Regression, TheSameInputIsTestedOnce) {
  Found found(one_minus_cos);
  for (int line : {2, 3})
    found.add(Kind::inaccuracy, Verdict::avoidable, {small}).cause = model::Cause{"subject.c", line, 1, "f"};
  const std::vector<RegressionCase> cases = found.cases();
  ASSERT_EQ(cases.size(), 2u);
  EXPECT_EQ(cases[0].left_out, "");
  EXPECT_EQ(cases[1].left_out, "another test has the same input");
}

TEST(Regression, AnotherInputIsTestedWhereTheWorstHasAnExactResultOfZero) {
  Found found("double f(double x) { return ((x + 1e16) - 1e16) - 0.75; }");
  Finding& finding = found.add(Kind::inaccuracy, Verdict::avoidable, {{"x", {"0.75", "0x1.8p-1"}}});
  finding.error = Error{INFINITY, 1, INFINITY, INFINITY};
  finding.also = {Witness{{{"x", {"0.75", "0x1.8p-1"}}}, {}, INFINITY, 1},
                  Witness{{{"x", {"0.5", "0x1p-1"}}}, {}, 1, 1}};
  const std::vector<RegressionCase> cases = found.cases();
  ASSERT_EQ(cases.size(), 1u);
  EXPECT_EQ(cases[0].input.at(0).value.decimal, "0.5");
}

TEST(Regression, ACrashNeedsNoRunAndATimeOutIsNoTest) {
  Found found("#include <stdlib.h>\ndouble f(double x) { if (x > 1) abort(); return x * 3; }");
  found.add(Kind::crash, Verdict::unknown, {{"x", {"2", "0x1p+1"}}});
  found.add(Kind::timeout, Verdict::unknown, {{"x", {"2", "0x1p+1"}}});
  const std::vector<RegressionCase> cases = found.cases();
  ASSERT_EQ(cases.size(), 2u);
  for (const RegressionCase& made : cases) {
    EXPECT_EQ(made.left_out.empty(), made.kind == Kind::crash);
    EXPECT_FALSE(made.expected);
  }
}

TEST(Regression, AFunctionThatIsGoneIsAReasonNotAnError) {
  Found found("double g(double x) { return x * 3; }");
  found.add(Kind::inaccuracy, Verdict::avoidable, {small});
  EXPECT_NE(found.cases().at(0).left_out.find("no function 'f'"), std::string::npos);
}

} // namespace
} // namespace faultline::hunt
