#include "suite/gsl/gsl_exceptions.h"

#include <gtest/gtest.h>

namespace faultline::suite {
namespace {

using finding::Finding;
using finding::Kind;
using finding::Verdict;

Finding exception(Kind kind, int line, const char* operation, const char* by = "sampling") {
  Finding finding;
  finding.kind = kind;
  finding.verdict = Verdict::avoidable;
  finding.found_by = by;
  finding.cause = finding::Cause{"f.c", line, 3, "f", operation, 0, 1};
  finding.aftermath.emplace();
  return finding;
}

finding::TargetReport target(const std::string& function, std::vector<Finding> findings) {
  finding::TargetReport target;
  target.function = function;
  target.evaluations = 100;
  target.seconds = 0.5;
  target.findings = std::move(findings);
  return target;
}

TEST(GslExceptions, PlacesAreCountedOnceForEachFunction) {
  const Finding overflow = exception(Kind::overflow, 7, "fmul");
  const ExceptionCounts counts = counts_of({target("f", {overflow, overflow, exception(Kind::underflow, 7, "fmul")}),
                                            target("g", {overflow}), target("h", {})});
  EXPECT_EQ(counts.total(), 3u);
  EXPECT_EQ(counts.by_kind.at(Kind::overflow), 2u);
  EXPECT_EQ(counts.by_kind.at(Kind::underflow), 1u);
  EXPECT_EQ(counts.functions, 3u);
  EXPECT_EQ(counts.functions_with_any, 2u);
  EXPECT_EQ(counts.evaluations, 300u);
}

TEST(GslExceptions, ConsequencesAndOtherFindingsAreNotCounted) {
  Finding consequence = exception(Kind::invalid, 9, "fsub");
  consequence.aftermath->consequence = true;
  Finding crash;
  crash.kind = Kind::crash;
  EXPECT_EQ(counts_of({target("f", {consequence, crash})}).total(), 0u);
}

TEST(GslExceptions, SilentAndReportedAreToldApart) {
  Finding reported = exception(Kind::divide_by_zero, 4, "fdiv", "real");
  reported.aftermath->reported_by = "status";
  reported.verdict = Verdict::inherent;
  Finding harmless = exception(Kind::underflow, 5, "fmul");
  harmless.aftermath->harmless = true;
  const ExceptionCounts counts = counts_of({target("f", {reported, harmless})});
  EXPECT_EQ(counts.reported, 1u);
  EXPECT_EQ(counts.silent, 1u);
  EXPECT_EQ(counts.harmless, 1u);
  EXPECT_EQ(counts.by_verdict.at(Verdict::inherent), 1u);
  EXPECT_EQ(counts.by_means.at("real"), 1u);
}

GslExceptions two_trials() {
  GslExceptions evaluation;
  evaluation.options.library = "gsl.bc";
  evaluation.left_out = {"gsl_sf_none"};
  evaluation.trials.push_back(
      {"ariadne",
       std::nullopt,
       {target("f", {exception(Kind::overflow, 1, "fmul"), exception(Kind::overflow, 2, "fmul", "real")})},
       {},
       3});
  evaluation.trials.push_back(
      {"random", 20'000, {target("f", {exception(Kind::overflow, 1, "fmul")})}, {"g (killed)"}, 4});
  return evaluation;
}

TEST(GslExceptions, TheTableSaysWhoFoundWhatAndHowMuchMore) {
  const std::string text = gsl_exceptions_text(two_trials(), report::Style(false));
  EXPECT_NE(text.find("random, 20000 evaluations"), std::string::npos) << text;
  EXPECT_NE(text.find("ariadne : random: in all 2.00, overflow 2.00"), std::string::npos) << text;
  EXPECT_NE(text.find("found by (ariadne): real 1, sampling 1"), std::string::npos) << text;
  EXPECT_NE(text.find("not finished by random: g (killed)"), std::string::npos) << text;
  EXPECT_NE(text.find("left out: gsl_sf_none"), std::string::npos) << text;
}

TEST(GslExceptions, TheCsvHasALineForEachFunctionAndStrategy) {
  EXPECT_EQ(gsl_exceptions_csv(two_trials()),
            "benchmark,strategy,relative_error,seconds,evaluations,overflow,underflow,invalid,divide-by-zero,avoidable,"
            "inherent,unknown,silent,reported,reaching,harmless\n"
            "f,ariadne,,0.500000,100,2,0,0,0,2,0,0,2,0,0,0\n"
            "f,random,,0.500000,100,1,0,0,0,1,0,0,1,0,0,0\n");
}

TEST(GslExceptions, TheReportsCommandIsAHunt) {
  const finding::Report report = findings_of(two_trials());
  ASSERT_FALSE(report.command.empty());
  EXPECT_EQ(report.command.front(), "hunt");
  EXPECT_EQ(report.targets.size(), 1u);
}

} // namespace
} // namespace faultline::suite
