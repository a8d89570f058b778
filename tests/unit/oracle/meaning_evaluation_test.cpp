// Where a meaning has a value, where it has none, and that it gives up in time.
#include "oracle/meaning/evaluation.h"
#include "oracle/meaning/parser.h"

#include <chrono>
#include <cmath>
#include <gtest/gtest.h>

namespace faultline::test {
namespace {

using Kind = oracle::MeaningValue::Kind;

oracle::MeaningValue at(const std::string& text, std::vector<long double> values,
                        std::vector<std::string> names = {"x", "y"}) {
  names.resize(values.size());
  return oracle::evaluate(oracle::parse_meaning(text, names), names, values, numeric::Format::binary64);
}

TEST(MeaningEvaluation, DoublesThePrecisionUntilTheBallIsTight) {
  EXPECT_NEAR(at("(1 - cos(x)) / x^2", {1e-100L}).reference.value.to_double(), 0.5, 1e-15);
  EXPECT_NEAR(at("sin(x)", {double(1e300)}).reference.value.to_double(), std::sin(1e300), 1e-15);
  EXPECT_GT(at("(1 - cos(x)) / x^2", {1e-100L}).precision, at("(1 - cos(x)) / x^2", {1.0L}).precision);
}

TEST(MeaningEvaluation, InputsAndDecimalsAreExact) {
  EXPECT_TRUE(at("x - 0.5", {0.5L}).reference.value.is_zero());
  EXPECT_NE(at("x - 0.1", {0.1L}).reference.value.to_double(), 0);
  EXPECT_TRUE(at("sinpi(x)", {3.0L}).reference.value.is_zero());
  EXPECT_NE(at("sin(x)", {double(M_PI)}).reference.value.to_double(), 0);
}

TEST(MeaningEvaluation, WhatTheMathematicsDoesNotDefineIsUndefined) {
  for (const char* text : {"1/x",
                           "log(x)",
                           "log(x - 1)",
                           "sqrt(x - 1)",
                           "gamma(x)",
                           "gamma(x - 3)",
                           "besselk(0, x)",
                           "bessely(1, x - 1)",
                           "besselk(1, x - 1e-200)",
                           "acos(x + 2)",
                           "x^(-1)",
                           "erfinv(x + 1)",
                           "erfinv(x + 2)",
                           "zeta(x + 1)",
                           "ellipk(x + 1)",
                           "atanh(x + 1)",
                           "lambertw(x - 1)",
                           "lambertw(x + 1, -1)",
                           "legenq(2, 0, x + 1)",
                           "a[x + 7]"})
    EXPECT_EQ(oracle::evaluate(oracle::parse_meaning(text, std::vector<std::string>{"x", "a[0]"}),
                               std::vector<std::string>{"x", "a[0]"}, std::vector<long double>{0, 1},
                               numeric::Format::binary64)
                  .kind,
              Kind::undefined)
        << text;
  EXPECT_EQ(at("x", {INFINITY}).kind, Kind::undefined);
}

TEST(MeaningEvaluation, OnlyTheBranchThatIsTakenCounts) {
  EXPECT_EQ(at("if(x == 0, 1, sin(x)/x)", {0.0L}).reference.value.to_double(), 1);
  EXPECT_EQ(at("if(x <= 0, 0, log(x))", {-1.0L}).kind, Kind::value);
}

TEST(MeaningEvaluation, ComplexOnTheWayIsFineIfTheEndIsReal) {
  EXPECT_NEAR(at("sqrt(x)^2", {-2.0L}).reference.value.to_double(), -2, 1e-15);
  EXPECT_EQ(at("sqrt(x)", {-2.0L}).kind, Kind::undefined);
}

TEST(MeaningEvaluation, WhatCannotBeDecidedIsUnknown) {
  EXPECT_EQ(at("floor(x / 3 * 3)", {1.0L}).kind, Kind::unknown);
  EXPECT_EQ(at("if(x / 3 * 3 == 1, 1, 2)", {1.0L}).kind, Kind::unknown);
}

TEST(MeaningEvaluation, TinyResultsAreNothingAndHugeOnesInfinite) {
  EXPECT_TRUE(at("exp(-x^2)", {1e3L}).reference.value.is_finite());
  EXPECT_EQ(at("gamma(x)", {1e30L}).kind, Kind::value);
  EXPECT_TRUE(std::isinf(at("gamma(x)", {1e30L}).reference.value.to_double()));
}

// Each of these would take minutes to forever.
TEST(MeaningEvaluation, GivesUpInTime) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(at("sum(k, 1, 2000000000, 1/k)", {1.0L}).kind, Kind::unknown);
  EXPECT_EQ(at("sum(k, 1, 10^30, 1/k)", {1.0L}).kind, Kind::undefined);
  EXPECT_EQ(at("integral(t, 0, x, sin(1/t))", {1.0L}).kind, Kind::unknown);
  for (const char* text : {"besselj(x, y)", "hyp1f1(x, y, x)", "hyp2f1(x, y, x + y, 1 - 1/y)", "coulombf(x, y, x)",
                           "gammaq(x, y)", "betai(x, y, 0.5)", "legenp(x, y, 0.3)", "polylog(x, -y)", "zeta(x, y)",
                           "struveh(x, y)", "binomial(y, x)", "jacobi(x, y, x, 0.4)", "2^(2^(x*y))"})
    for (const long double x : {1e5L, 1e10L, 1.5e300L})
      for (const long double y : {1e5L + 0.5L, 1e12L, 1e300L})
        at(text, {x, y});
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_LT(seconds, 100);
}

TEST(MeaningEvaluation, WorksAfterAnEvaluationWasBrokenOff) {
  at("struveh(x, y)", {0.5L, 1e5L});
  EXPECT_NEAR(at("gamma(x) + pi", {0.5L}).reference.value.to_double(), std::sqrt(M_PI) + M_PI, 1e-14);
}

// A constant that Arb keeps was half written: its memory was freed twice.
TEST(MeaningEvaluation, WhatWasBrokenOffInAConstantIsNotFreedTwice) {
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(at("x^4^33333333333333333333^333", {0.75L}).kind, Kind::unknown);
  EXPECT_NEAR(at("log(2) * x", {0.5L}).reference.value.to_double(), std::log(2.0) / 2, 1e-15);
}

} // namespace
} // namespace faultline::test
