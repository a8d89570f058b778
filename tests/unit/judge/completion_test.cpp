// The completion of a finding before it is reported: its cause, and an input that is easy to type.
#include "workshop.h"

#include "judge/tasks/work.h"

namespace faultline::judge {

using model::ChainLink;
using model::Diagnosis;
using model::Fault;
using model::Finding;
using model::Kind;
using model::NamedNumber;
using model::Settings;
namespace {

TEST(LargestError, IsLookedForNextToTheRootOfTheExactResult) {
  Workshop workshop("double f(double x) {\n  return x * x - 2;\n}");
  const double root = 1.4142135623730951;
  std::vector<JudgedFinding> found = workshop.judge.errors({root + 20 * 0x1p-52}, "bracket");
  ASSERT_EQ(found.size(), 1u);
  const double before = found.front().finding.error->relative;
  RemedyTrial trial(workshop.session, workshop.settings, workshop.judge, workshop.space, workshop.everyday);
  Completion completion(workshop.session, workshop.judge, workshop.exceptions, workshop.space, workshop.everyday,
                        trial);
  completion.approach_root(found.front());
  EXPECT_GT(found.front().finding.error->relative, 5 * before);
  EXPECT_LE(std::fabs(double(found.front().finding.values[0]) - root), 0x1p-52);

  std::vector<JudgedFinding> as_it_is = workshop.judge.errors({root + 20 * 0x1p-52}, "bracket");
  Completion of_a_suite(workshop.session, workshop.judge, workshop.exceptions, workshop.space, workshop.everyday, trial,
                        false);
  of_a_suite.approach_root(as_it_is.front());
  EXPECT_EQ(as_it_is.front().finding.error->relative, before);
}

TEST(Diagnosis, SaysWhyWhereAndWhatHelps) {
  const Finding finding = Workshop(one_minus_cos).finished({-9.414135636334465e-09});
  ASSERT_TRUE(finding.diagnosis);
  const Diagnosis& diagnosis = *finding.diagnosis;
  EXPECT_EQ(diagnosis.fault, Fault::cancellation);
  EXPECT_EQ(diagnosis.why, "subtracting 1 from 1 cancels all 53 bits; the operand 1 carried an error of 0.4 ulp "
                           "(exactly 0.999999999999999956)");
  ASSERT_EQ(diagnosis.chain.size(), 3u);
  EXPECT_EQ(diagnosis.chain[0].operation, "cos");
  EXPECT_EQ(diagnosis.chain[1].operation, "fsub");
  EXPECT_EQ(diagnosis.chain[2].operation, "fdiv");
  EXPECT_LT(diagnosis.chain[0].error, 1e-16);
  EXPECT_EQ(diagnosis.chain[1].error, 1);
  ASSERT_FALSE(diagnosis.lines.empty());
  EXPECT_EQ(diagnosis.lines[0].line, 3);
  EXPECT_NEAR(diagnosis.lines[0].share, 1, 1e-6);
  EXPECT_GT(diagnosis.lines[0].growth, 1e15);
  EXPECT_NEAR(diagnosis.accounted, 1, 1e-6);
  ASSERT_TRUE(diagnosis.remedy);
  EXPECT_EQ(diagnosis.remedy->name, "half-angle");
  EXPECT_LT(diagnosis.remedy->relative, 1e-15);
}

TEST(Diagnosis, OfALongWayShowsItsEndsAndWhatMattersMost) {
  const Finding finding =
      Workshop("double f(double x) {\n  double d = 1 - cos(x);\n  for (int i = 0; i < 60; i++)\n    d *= 1.1;\n  "
               "return d;\n}")
          .finished({1e-8});
  ASSERT_TRUE(finding.diagnosis);
  const std::vector<ChainLink>& chain = finding.diagnosis->chain;
  EXPECT_LE(chain.size(), 12u);
  EXPECT_EQ(chain.front().operation, "cos");
  EXPECT_EQ(chain[1].operation, "fsub");
  size_t all = chain.size();
  for (const ChainLink& step : chain)
    all += step.skipped;
  EXPECT_EQ(all, 62u);
}

TEST(Diagnosis, OfAFlippedBranchShowsBothComparisons) {
  const Finding finding =
      Workshop("double f(double x) {\n  if (x * x + 1 > 1)\n    return 2;\n  return 1;\n}").finished({1e-9});
  ASSERT_EQ(finding.kind, Kind::branch_flip);
  ASSERT_TRUE(finding.diagnosis);
  EXPECT_EQ(finding.diagnosis->fault, Fault::branch_flip);
  EXPECT_NE(finding.diagnosis->why.find("goes the other way"), std::string::npos) << finding.diagnosis->why;
  EXPECT_FALSE(finding.diagnosis->chain.empty());
}

TEST(SimplestInput, HasFewDigitsAndShowsTheSame) {
  const Finding finding = Workshop(one_minus_cos).simplified({-9.414135636334465e-09});
  EXPECT_EQ(finding.input[0].value.decimal, "1e-08");
  EXPECT_GE(finding.error->relative, 0.5);
  EXPECT_TRUE(finding.diagnosis) << "the diagnosis is made for it";
}

TEST(SimplestInput, HasFewInputsThatAreNotDefaults) {
  const Finding finding =
      Workshop("double f(double a, double b, double c, double d) {\n  double s = (a + b) - a;\n  return s + c * d;\n}")
          .simplified({-8.123456789e17, 1.23456789, 1e-30, 3.7e-5});
  EXPECT_EQ(finding.input[1].value.decimal, "1");
  EXPECT_TRUE(finding.input[2].value.decimal == "0" || finding.input[3].value.decimal == "0");
  EXPECT_EQ(finding.input[0].value.decimal, "1e+18");
}

TEST(SimplestInput, HasNoNegativeZero) {
  Workshop workshop("double f(double x, double y) { return (x + 1e17) - 1e17 + y; }");
  const model::Finding finding = workshop.simplified({3, -0.0L});
  ASSERT_EQ(finding.values.size(), 2u);
  EXPECT_EQ(finding.values[1], 0);
  EXPECT_FALSE(std::signbit(finding.values[1]));
}

TEST(SimplestInput, IsEverydayIfThereIsOne) {
  const Finding finding = Workshop(one_minus_cos).simplified({1.23456e-100});
  EXPECT_TRUE(finding.everyday);
  EXPECT_EQ(finding.verdict, model::Verdict::avoidable);
}

TEST(SimplestInput, StaysInTheRangeAndKeepsWhatIsHeld) {
  Settings settings;
  settings.ranges["x"] = {1.5e-9, 1.6e-9};
  EXPECT_EQ(Workshop(one_minus_cos, settings).simplified({1.56789123e-9}).input[0].value.decimal, "1.5e-09");
  settings.ranges["x"] = {1.56789123e-9, 1.56789123e-9};
  EXPECT_EQ(Workshop(one_minus_cos, settings).simplified({1.56789123e-9}).input[0].value.decimal, "1.56789123e-09");
}

TEST(SimplestInput, IsTheSameWhereEveryDigitMatters) {
  // Only beside the root of two is the error as large.
  const Finding finding =
      Workshop("double f(double x) {\n  double p = x * x;\n  return p - 2;\n}").simplified({1.4142135623730951});
  EXPECT_EQ(finding.input[0].value.decimal, "1.4142135623730951");
}

TEST(SimplestInput, OfAnArrayHasZeros) {
  const Finding finding = Workshop("double f(const double *a) {\n  double s = 0;\n  for (int i = 0; i < 8; i++)\n    s "
                                   "+= a[i];\n  return s;\n}",
                                   {}, {{"a", {8}}})
                              .simplified({1.23e17, 3.21, 4.5, 0.125, -1.23e17, 7.7, 3.3, 1.1});
  EXPECT_GE(std::ranges::count(finding.input, std::string("0"),
                               [](const NamedNumber& number) { return number.value.decimal; }),
            3);
}

TEST(Sightings, AreToldInLongSearchesOnlyAndWhenTheyAreNews) {
  Settings strict;
  strict.threshold = 1e-3;
  Workshop workshop(one_minus_cos, strict);
  search::Budget budget;
  search::Evaluator evaluator(workshop.session, budget, [](auto&&...) {});
  std::vector<Finding> told;
  Judge judge(workshop.session, workshop.settings, workshop.judge.outputs(), nullptr);
  Sightings sightings(evaluator, std::move(judge), [&](const Finding& finding) { told.push_back(finding); });
  sightings.promising({1e-7}, 1e-3);
  sightings.between_runs();
  EXPECT_TRUE(told.empty()) << "the search has only begun";
  evaluator.charge(30'000'000);
  sightings.between_runs();
  sightings.between_runs();
  ASSERT_EQ(told.size(), 0u) << "below the threshold";
  sightings.promising({1e-8}, 1);
  sightings.between_runs();
  EXPECT_TRUE(told.empty()) << "too soon after the last one";
  evaluator.charge(30'000'000);
  sightings.between_runs();
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].error->relative, 1);
  evaluator.charge(30'000'000);
  sightings.promising({1e-9}, 2);
  sightings.between_runs();
  EXPECT_EQ(told.size(), 1u) << "hardly larger";
}

} // namespace
} // namespace faultline::judge
