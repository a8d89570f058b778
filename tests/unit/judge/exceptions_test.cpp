// From an observed exception to a finding: confirmed by the flags, judged, followed to the output, told or silent.
#include "../tape/reading.h"

#include "judge/exceptions/exceptions.h"
#include "judge/space_of_target.h"
#include "model/finding.h"

namespace faultline::judge {

using model::Finding;
using model::Kind;
using model::Settings;
using model::Status;
using model::Verdict;
namespace {

using ops::Exception;
using ops::Op;
using test::open_text;

struct Court {
  explicit Court(const std::string& text, Settings given = {})
      : settings(std::move(given)),
        session(open_text("#include <math.h>\n#include <stdlib.h>\n#include <errno.h>\n" + text)),
        judge(session, settings, judged_outputs(session.target(), settings), nullptr), locations(session.sites()),
        reporting(session.target(), settings), exceptions(session, settings, judge, locations, reporting) {}
  Settings settings;
  exec::Session session;
  Judge judge;
  Locations locations;
  CallerNotice reporting;
  ExceptionJudge exceptions;

  std::vector<Finding> findings(const exec::Input& input, Op op, Exception kind) {
    return exceptions.findings({input, {{locations.of(test::site_of(session, op)), kind, "sampling"}}}, "random");
  }
  Finding finding(const exec::Input& input, Op op, Exception kind) {
    const std::vector<Finding> found = findings(input, op, kind);
    EXPECT_EQ(found.size(), 1u);
    if (found.empty()) {
      Finding none;
      none.aftermath.emplace();
      return none;
    }
    EXPECT_TRUE(found[0].aftermath.has_value());
    return found[0];
  }
};

bool says(const Finding& finding, const std::string& words) {
  EXPECT_NE(finding.detail.find(words), std::string::npos) << finding.detail;
  return finding.detail.find(words) != std::string::npos;
}

Settings with_status(const std::string& name) {
  Settings settings;
  settings.status = Status{name, 0};
  return settings;
}

TEST(Exceptions, DoNotShowTheErrorOfAnotherFaultAsTheirOwn) {
  // The infinity is divided into zero, which is as good as right; what is wrong is the sum that loses its 1.
  Court court(
      "double f(double x) {\n  double tail = 1 / (x * x);\n  double one = (x + 1) - x;\n  return one + tail;\n}");
  const Finding finding = court.finding({1e200}, Op::fmul, Exception::overflow);
  EXPECT_TRUE(says(finding, "the infinity is divided into zero"));
  EXPECT_TRUE(says(finding, "the result is wrong for another reason"));
  EXPECT_FALSE(finding.error) << finding.error->relative;
  EXPECT_EQ(finding.aftermath->result, model::Result::unknown);
  EXPECT_EQ(tier_of(finding), model::Tier::note);
}

TEST(Exceptions, ShowTheErrorThatASwallowedInfinityMakes) {
  Court court("double f(double x) {\n  return 1e300 / (x * x);\n}");
  const Finding finding = court.finding({1e200}, Op::fmul, Exception::overflow);
  EXPECT_TRUE(says(finding, "the infinity is divided into zero"));
  ASSERT_TRUE(finding.error);
  EXPECT_EQ(finding.error->relative, 1);
  EXPECT_EQ(finding.aftermath->result, model::Result::wrong);
}

TEST(Exceptions, ThatABetterFormulaAvoidsAreAvoidable) {
  Court court("double f(double x, double y) {\n  double s = x * x;\n  return sqrt(s + y);\n}");
  const Finding finding = court.finding({1e200, 1}, Op::fmul, Exception::overflow);
  EXPECT_EQ(finding.kind, Kind::overflow);
  EXPECT_EQ(finding.verdict, Verdict::avoidable);
  EXPECT_EQ(finding.cause->line, 5);
  EXPECT_EQ(finding.cause->operation, "fmul");
  EXPECT_EQ(finding.output->computed.decimal, "inf");
  EXPECT_EQ(std::stod(finding.output->reference.decimal), 1e200);
  EXPECT_TRUE(finding.aftermath->reaches_output);
  EXPECT_TRUE(finding.aftermath->silent());
  EXPECT_FALSE(finding.aftermath->consequence);
  EXPECT_TRUE(finding.aftermath->flags);
  EXPECT_TRUE(says(finding, "it reaches the output"));
  EXPECT_EQ(finding.strategy, "random");
  EXPECT_EQ(finding.found_by, "sampling");
}

TEST(Exceptions, OfResultsThatDoNotFitAreInherent) {
  Court court("double f(double x, double y) { return x * y; }");
  EXPECT_EQ(court.finding({1e200, 1e200}, Op::fmul, Exception::overflow).verdict, Verdict::inherent);
}

TEST(Exceptions, OfResultsThatAreTooSmallForAnyFormatAreInherent) {
  Court court("double f(double x, double y) { return x / 1e300 / (y * y); }"); // 0 / inf
  const Finding finding = court.finding({1e-200, 1e250}, Op::fmul, Exception::overflow);
  EXPECT_EQ(finding.verdict, Verdict::inherent) << "the exact result is 1e-1000, and no double";
  Court spoiled("double f(double x, double y) { return x * x / exp(y); }"); // inf / inf
  EXPECT_EQ(spoiled.finding({1e200, 5000}, Op::fdiv, Exception::invalid).verdict, Verdict::avoidable)
      << "zero would be right";
}

TEST(Exceptions, OfEachKindHaveTheirName) {
  Court divide("double f(double x, double y) { return x / y; }");
  EXPECT_EQ(divide.finding({1, 0}, Op::fdiv, Exception::divide_by_zero).kind, Kind::divide_by_zero);
  EXPECT_EQ(divide.finding({0, 0}, Op::fdiv, Exception::invalid).kind, Kind::invalid);
}

TEST(Exceptions, OfUndefinedResultsAreInherentAndOfOthersAvoidable) {
  Court divide("double f(double x, double y) { return x / y; }");
  EXPECT_EQ(divide.finding({1, 0}, Op::fdiv, Exception::divide_by_zero).verdict, Verdict::inherent);
  EXPECT_EQ(divide.finding({0, 0}, Op::fdiv, Exception::invalid).verdict, Verdict::inherent);
  Court sinc("double f(double x) { double d = (x + 1) - 1; return x / d; }");
  EXPECT_EQ(sinc.finding({1e-30}, Op::fdiv, Exception::divide_by_zero).verdict, Verdict::avoidable);
  Court lost("double f(double x) { double r = sqrt(x); return 1 / (r * r - x); }");
  EXPECT_NE(lost.finding({11}, Op::fdiv, Exception::divide_by_zero).verdict, Verdict::avoidable)
      << "the exact divisor is zero, which no precision tells";
}

TEST(Exceptions, ThatAreNotThereAreNoFindings) {
  Court court("double f(double x, double y) { return x * y + x / y; }");
  EXPECT_TRUE(court.findings({2, 3}, Op::fmul, Exception::overflow).empty());
  EXPECT_TRUE(court.findings({1e200, 1e200}, Op::fmul, Exception::underflow).empty());
  EXPECT_TRUE(court.findings({1e200, 1e200}, Op::fdiv, Exception::overflow).empty());
  EXPECT_EQ(court.exceptions.unconfirmed(), 3u);
}

TEST(Exceptions, UnderflowThatDoesNoHarmDoesNotCount) {
  Court court("double f(double x) { return x * x + 1; }");
  const Finding finding = court.finding({1e-200}, Op::fmul, Exception::underflow);
  EXPECT_TRUE(finding.aftermath->harmless);
  EXPECT_FALSE(finding.counts());
  EXPECT_TRUE(says(finding, "the result is right all the same"));
}

TEST(Exceptions, UnderflowBesideAnOverflowIsNotToBlameForIt) {
  Court court("double f(double x, double y) {\n  double a = x / 1e200, b = y * y;\n  return sqrt(a + b);\n}");
  const Finding finding = court.finding({1e-200, 1e200}, Op::fdiv, Exception::underflow);
  EXPECT_TRUE(finding.aftermath->harmless) << "the infinity is the product's";
  EXPECT_FALSE(court.finding({1e-200, 1e200}, Op::fmul, Exception::overflow).aftermath->harmless);
}

TEST(Exceptions, UnderflowToAResultThatIsSubnormalAnywayIsInherent) {
  Court court("double f(double x) { return x * 0.1; }");
  const Finding finding = court.finding({3e-308}, Op::fmul, Exception::underflow);
  EXPECT_TRUE(finding.aftermath->harmless);
  EXPECT_EQ(finding.verdict, Verdict::inherent);
}

TEST(Exceptions, UnderflowThatRuinsTheResultIsAFinding) {
  Court court("double f(double x) {\n  double s = x * x;\n  return s / x;\n}");
  const Finding finding = court.finding({1e-200}, Op::fmul, Exception::underflow);
  EXPECT_EQ(finding.kind, Kind::underflow);
  EXPECT_TRUE(finding.counts());
  EXPECT_TRUE(finding.aftermath->reaches_output);
  EXPECT_EQ(finding.verdict, Verdict::avoidable);
  EXPECT_EQ(finding.error->relative, 1);
}

TEST(Exceptions, UnderflowIsNotBlamedForTheErrorOfAnotherPart) {
  Court court("double f(double x, double y) {\n  double dead = x * x;\n  if (dead > 1)\n    return 3;\n"
              "  return (y + 1) - 1;\n}");
  const Finding finding = court.finding({1e-200, 1e-17}, Op::fmul, Exception::underflow);
  EXPECT_FALSE(finding.aftermath->reaches_output);
  Court apart("void f(double x, double y, double *p, double *q) { *p = x * x; *q = (y + 1) - 1; }");
  EXPECT_TRUE(apart.finding({1e-200, 1e-17}, Op::fmul, Exception::underflow).aftermath->harmless);
}

TEST(Swallowed, InfinitiesNameTheDivisionThatEndsThem) {
  Court court("double f(double x) {\n  double e = exp(x);\n  return 1 / (1 + e);\n}");
  const Finding finding = court.finding({1000}, Op::exp, Exception::overflow);
  EXPECT_FALSE(finding.aftermath->reaches_output);
  ASSERT_TRUE(finding.aftermath->swallowed_at.has_value());
  EXPECT_EQ(finding.aftermath->swallowed_at->line, 6);
  EXPECT_EQ(finding.aftermath->swallowed_at->operation, "fdiv");
  EXPECT_TRUE(says(finding, "the infinity is divided into zero at "));
  EXPECT_TRUE(says(finding, ":6 and the result is finite"));
}

TEST(Swallowed, NaNsNameTheMaximumThatDropsThem) {
  Court court("double f(double x) { return fmax(sqrt(x), 2); }");
  const Finding finding = court.finding({-1}, Op::sqrt, Exception::invalid);
  EXPECT_EQ(finding.aftermath->swallowed_at->operation, "fmax");
  EXPECT_TRUE(says(finding, "fmax drops the NaN"));
}

TEST(Swallowed, InfinitiesNameTheComparisonThatTookThem) {
  Court court("double f(double x) {\n  double q = x * x;\n  if (q > 1e300)\n    return 1;\n  return x;\n}");
  const Finding finding = court.finding({1e200}, Op::fmul, Exception::overflow);
  EXPECT_FALSE(finding.aftermath->reaches_output);
  EXPECT_EQ(finding.aftermath->swallowed_at->line, 6);
  EXPECT_TRUE(says(finding, "the infinity goes no further than the comparison at "));
}

TEST(Swallowed, WhatReachesAnotherOutputIsSaidSo) {
  Settings settings;
  settings.outputs = {"q"};
  Court court("void f(double x, double *p, double *q) { *p = 1 / x; *q = x + 1; }", settings);
  const Finding finding = court.finding({0}, Op::fdiv, Exception::divide_by_zero);
  EXPECT_FALSE(finding.aftermath->reaches_output);
  EXPECT_TRUE(says(finding, "it reaches p, which is not judged"));
}

TEST(Consequences, SayWhatTheyFollowFrom) {
  Court court("double f(double x) {\n  double q = x * x;\n  return q - q * 2;\n}");
  const Finding finding = court.finding({1e200}, Op::fsub, Exception::invalid);
  EXPECT_TRUE(finding.aftermath->consequence);
  EXPECT_TRUE(says(finding, "follows from the overflow of fmul at "));
  EXPECT_FALSE(court.finding({1e200}, Op::fmul, Exception::overflow).aftermath->consequence);
}

TEST(Reported, ByTheStatusThatTheUserNames) {
  const char* text = "int f(double x, double *r) { *r = 1 / x; return x == 0 ? 7 : 0; }";
  Court told(text, with_status("return")), untold(text);
  const Finding finding = told.finding({0}, Op::fdiv, Exception::divide_by_zero);
  EXPECT_EQ(finding.aftermath->reported_by, "status");
  EXPECT_TRUE(says(finding, "return = 7"));
  EXPECT_TRUE(untold.finding({0}, Op::fdiv, Exception::divide_by_zero).aftermath->silent());
  EXPECT_TRUE(told.finding({1e-310}, Op::fdiv, Exception::overflow).aftermath->silent()) << "the status says success";
}

TEST(Reported, ByAStatusBehindAPointer) {
  Court court("void f(double x, double *r, int *info) { *info = x == 0 ? 7 : 0; *r = 1 / x; }", with_status("info"));
  const Finding finding = court.finding({0}, Op::fdiv, Exception::divide_by_zero);
  EXPECT_EQ(finding.aftermath->reported_by, "status");
  EXPECT_TRUE(says(finding, "info = 7"));
  EXPECT_TRUE(court.finding({1e-310}, Op::fdiv, Exception::overflow).aftermath->silent());
}

TEST(Reported, ByErrnoIfTheCodeUsesIt) {
  Court own("double f(double x) { if (x == 0) errno = EDOM; return 1 / x; }");
  const Finding told = own.finding({0}, Op::fdiv, Exception::divide_by_zero);
  EXPECT_EQ(told.aftermath->reported_by, "errno");
  EXPECT_TRUE(says(told, "errno is EDOM"));
  Court library("double f(double x) { return exp(x); }");
  EXPECT_TRUE(library.finding({1000}, Op::exp, Exception::overflow).aftermath->silent()) << "only libm sets it";
  Court reading("static volatile int failed;\ndouble f(double x) { double e = exp(x); failed = errno; return e; }");
  EXPECT_EQ(reading.finding({1000}, Op::exp, Exception::overflow).aftermath->reported_by, "errno");
}

TEST(Reported, ByEndingTheRun) {
  Court court("double f(double x) {\n  double r = 1 / x;\n  if (r > 1e308)\n    abort();\n  return r;\n}");
  const Finding finding = court.finding({0}, Op::fdiv, Exception::divide_by_zero);
  EXPECT_EQ(finding.aftermath->reported_by, "abort");
  EXPECT_EQ(finding.verdict, Verdict::inherent) << "exact arithmetic ends there as well";
  EXPECT_FALSE(finding.output.has_value());
  EXPECT_TRUE(says(finding, "called abort"));
  Court leaving("double f(double x) { if (1 / x > 1e308) exit(1); return x; }");
  EXPECT_EQ(leaving.finding({0}, Op::fdiv, Exception::divide_by_zero).aftermath->reported_by, "exit");
}

TEST(Reported, RunsThatExactArithmeticEndsOtherwiseAreAvoidable) {
  Court court("double f(double x) {\n  double q = x * x;\n  if (q > 1.7e308)\n    abort();\n  return sqrt(q);\n}");
  EXPECT_EQ(court.finding({1e200}, Op::fmul, Exception::overflow).verdict, Verdict::inherent);
  Court late("double f(double x) {\n  double q = (x * 2) / 2;\n  if (q > 1.79e308)\n    abort();\n  return q;\n}");
  EXPECT_EQ(late.finding({1.2e308}, Op::fmul, Exception::overflow).verdict, Verdict::avoidable);
}

TEST(Flags, OfConversionsToNarrowIntegersAreNotAskedFor) {
  Court court("unsigned char f(double x, double *y) { *y = x + 1; return (unsigned char)x; }");
  const Finding narrow = court.finding({300}, Op::to_int, Exception::invalid);
  EXPECT_FALSE(narrow.aftermath->flags);
  EXPECT_TRUE(says(narrow, "raises no flag"));
  EXPECT_TRUE(court.finding({1e300}, Op::to_int, Exception::invalid).aftermath->flags);
  EXPECT_TRUE(court.findings({200}, Op::to_int, Exception::invalid).empty());
  Court wide("int f(double x, double *y) { *y = x + 1; return (int)x; }");
  EXPECT_TRUE(wide.finding({1e10}, Op::to_int, Exception::invalid).aftermath->flags);
}

TEST(Confirmed, NeedsNoOracleAndListsAllThatTheInputShows) {
  Court court("double f(double x) { double q = x * x; return q - q * 2; }");
  const std::vector<ConfirmedException> all = court.exceptions.confirmed({1e200});
  ASSERT_EQ(all.size(), 2u);
  EXPECT_TRUE(all[0].flags && all[1].flags);
  EXPECT_TRUE(court.exceptions.confirmed({1}).empty());
}

} // namespace
} // namespace faultline::judge
