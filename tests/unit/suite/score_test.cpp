#include "suite/gsl/gsl.h"

#include "reports.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace faultline::suite {
namespace {

using benchmarks::Exact;
using finding::Kind;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double threshold = 1e-3;

Exact exact(double value, long exponent = 0) {
  numeric::BigFloat number(value, 192);
  mpfr_mul_2si(number.raw(), number.raw(), exponent, MPFR_RNDN);
  return {Exact::Kind::value, number};
}

Grade grade(double computed, const Exact& reference) { return score(computed, reference, threshold).grade; }

TEST(Scoring, TheErrorIsRelative) {
  EXPECT_EQ(score(3, exact(2), threshold).relative_error, 0.5);
  EXPECT_EQ(grade(3, exact(2)), Grade::significant);
  EXPECT_EQ(grade(2.001, exact(2)), Grade::insignificant);
  EXPECT_EQ(score(-2, exact(2), threshold).relative_error, 2);
}

TEST(Scoring, AZeroThatIsMissedIsAnInfiniteError) {
  EXPECT_EQ(score(1e-300, exact(0), threshold).relative_error, infinity);
  EXPECT_EQ(grade(1e-300, exact(0)), Grade::significant);
  EXPECT_EQ(grade(0, exact(0)), Grade::right);
  EXPECT_EQ(grade(-0.0, exact(0)), Grade::right);
  EXPECT_EQ(score(0, exact(1e-20), threshold).relative_error, 1);
}

TEST(Scoring, NeighboursOfTheNearestDoubleAreRight) {
  const double third = 1.0 / 3;
  EXPECT_EQ(grade(std::nextafter(third, 1), exact(third)), Grade::right);
  EXPECT_EQ(grade(std::nextafter(std::nextafter(third, 1), 1), exact(third)), Grade::insignificant);
  EXPECT_EQ(grade(0, exact(1, -1100)), Grade::right) << "underflow: the relative error is 1, and nothing is better";
  EXPECT_EQ(grade(0x1p-1074, exact(1, -1100)), Grade::right);
  EXPECT_EQ(grade(0x1p-1073, exact(1, -1100)), Grade::significant);
  EXPECT_EQ(grade(infinity, exact(1, 1100)), Grade::right) << "overflow";
  EXPECT_EQ(grade(-infinity, exact(1, 1100)), Grade::significant);
  EXPECT_EQ(score(0, exact(1, -1100), threshold).relative_error, 0) << "it must not be the largest error";
}

TEST(Scoring, NoNumberWhereThereIsOneIsAnInfiniteError) {
  EXPECT_EQ(score(std::nan(""), exact(1), threshold).relative_error, infinity);
  EXPECT_EQ(score(infinity, exact(1), threshold).relative_error, infinity);
}

TEST(Scoring, WhatTheReferenceDoesNotSayIsNeitherGoodNorBad) {
  EXPECT_EQ(grade(1, {Exact::Kind::undefined, numeric::BigFloat()}), Grade::undefined);
  EXPECT_EQ(grade(1e16, {Exact::Kind::pole, numeric::BigFloat()}), Grade::pole);
  EXPECT_EQ(grade(INFINITY, {Exact::Kind::pole, numeric::BigFloat()}), Grade::right);
  EXPECT_EQ(grade(1, {Exact::Kind::unknown, numeric::BigFloat()}), Grade::unknown);
}

TEST(Scoring, ReportedInputsAreErrorsInTheirOrder) {
  finding::TargetReport target = report("f");
  target.findings = {finding({{"n", {"3", "3"}}, {"x", {"0.5", "0x1p-1"}}, {"mode", {"0", "0"}}}, "0x1.8p+0"),
                     finding({{"n", {"3", "3"}}, {"x", {"1", "0x1p+0"}}}, "inf", Kind::branch_flip),
                     finding({{"n", {"3", "3"}}, {"x", {"2", "0x1p+1"}}}, "0x1p+0", Kind::overflow)};
  const std::vector<ReportedInput> inputs = reported_inputs(target);
  ASSERT_EQ(inputs.size(), 2u);
  EXPECT_EQ(inputs[0].arguments, (std::vector<double>{3, 0.5})) << "a precision mode is no argument";
  EXPECT_EQ(inputs[0].computed, 1.5);
  EXPECT_EQ(inputs[0].text, "n=3 x=0x1p-1");
  EXPECT_EQ(inputs[1].computed, infinity);
}

// The exact function is x; what was computed decides.
TEST(Scoring, AFunctionsScoreCountsEveryGrade) {
  const auto identity = [](std::span<const double> arguments) {
    const double x = arguments[0];
    return x == 0  ? Exact{Exact::Kind::undefined, numeric::BigFloat()}
           : x < 0 ? Exact{Exact::Kind::unknown, numeric::BigFloat()}
                   : exact(x);
  };
  finding::TargetReport target = report("f");
  EXPECT_EQ(score(target, identity, threshold).reported, 0u);
  target.findings = {finding({{"x", {"1", "0x1p+0"}}}, "0x1p+0"), finding({{"x", {"2", "0x1p+1"}}}, "0x1p+0"),
                     finding({{"x", {"4", "0x1p+2"}}}, "0x1p+0"), finding({{"x", {"0", "0x0p+0"}}}, "0x1p+0"),
                     finding({{"x", {"-1", "-0x1p+0"}}}, "0x1p+0")};
  TargetScore total = score(target, identity, threshold);
  EXPECT_EQ(total.reported, 5u);
  EXPECT_EQ(total.significant, 2u);
  EXPECT_EQ(total.undefined, 1u);
  EXPECT_EQ(total.unknown, 1u);
  EXPECT_EQ(total.judged(), 3u);
  EXPECT_EQ(total.largest_error, 0.75);
  EXPECT_EQ(total.input, "0x1p+2");
  EXPECT_FALSE(total.first_significant);
  std::swap(target.findings[0], target.findings[1]);
  EXPECT_TRUE(score(target, identity, threshold).first_significant);
}

// The exact function is x, and 1.5 was computed.
TEST(Scoring, ReferencesAgreeIfTheyAreNearToTheFunction) {
  const auto identity = [](std::span<const double> arguments) { return exact(arguments[0]); };
  auto with_reference = [](const char* x, const char* hex, const char* reference) {
    finding::Finding one = finding({{"x", {x, hex}}}, "0x1.8p+0");
    one.output->reference = {reference, reference};
    one.diagnosis = finding::Diagnosis();
    one.diagnosis->fault = ops::Fault::cancellation;
    return one;
  };
  finding::TargetReport target = report("f");
  target.findings = {with_reference("1", "0x1p+0", "1"), with_reference("1", "0x1p+0", "1.04"),
                     with_reference("1", "0x1p+0", "1.06"), with_reference("2", "0x1p+1", "-2")};
  target.findings.push_back(finding({{"x", {"4", "0x1p+2"}}}, "0x1p+0")); // has none
  const TargetScore total = score(target, identity, threshold);
  EXPECT_EQ(total.references, 4u);
  EXPECT_EQ(total.agreeing, 2u) << "1.06 is not ten times nearer than 1.5";
  EXPECT_EQ(total.disagreeing, (std::map<std::string, uint64_t>{{"cancellation", 2}}));
}

} // namespace
} // namespace faultline::suite
