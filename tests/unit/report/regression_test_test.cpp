#include "report/regression_test.h"

#include <gtest/gtest.h>

namespace faultline::report {
namespace {

using finding::Expectation;
using finding::Kind;
using finding::RegressionCase;
using finding::RegressionTarget;

const frontend::Type number{true, numeric::Format::binary64, 0, true};

RegressionCase error_case() {
  RegressionCase made;
  made.id = "3f6a";
  made.cause = "fsub at foo.c:4";
  made.input = {{"x", {"1e-07", "0x1.ad7f29abcaf48p-24"}}};
  made.expected = Expectation{0, {"0.5", "0x1p-1"}, {"0.4996", "0x1.ff973c8p-2"}, 7.2e12, 123.4, 14.4};
  return made;
}

std::vector<RegressionTarget> targets(std::vector<RegressionCase> cases) {
  RegressionTarget target;
  target.function = "ns::foo";
  target.file = "src/foo.cpp";
  target.target.symbol = "_ZN2ns3fooEd";
  target.target.parameters = {{"x", "double", frontend::Passing::value, number}};
  target.target.inputs = {{"x", number, 0}};
  target.target.outputs = {{"return", number, 16}};
  target.target.block_bytes = 32;
  target.cases = std::move(cases);
  return {target};
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(RegressionTest, ComparesWithTheExactResultWithinABoundThatIsNotRoundedDown) {
  const std::string text = regression_text(targets({error_case()}), TestForm::google_test, "1.0", "1 test");
  EXPECT_TRUE(has(text, "TEST(ns__foo, inaccuracy_3f6a)")) << text;
  EXPECT_TRUE(has(text, "subject_1(0x1.ad7f29abcaf48p-24)")) << text;
  EXPECT_TRUE(has(text, "result, 0x1p-1, 53, -1074, 130, \"fsub at foo.c:4\"")) << text;
  EXPECT_TRUE(has(text, "8 and 8 times the 14 that rounding the inputs alone would cost")) << text;
}

TEST(RegressionTest, PlainCNumbersItsTests) {
  RegressionCase simpler = error_case();
  simpler.variant = "simple";
  const std::string text = regression_text(targets({error_case(), simpler}), TestForm::c, "1.0", "2 tests");
  EXPECT_TRUE(has(text, "    ns__foo_inaccuracy_3f6a,\n    ns__foo_inaccuracy_3f6a_simple,\n")) << text;
  EXPECT_TRUE(has(text, "const int last = 2;")) << text;
}

TEST(RegressionTest, WhatIsLeftOutStandsThereWithItsReason) {
  RegressionCase left = error_case();
  left.left_out = "no algorithm\ncan \\";
  const std::string text = regression_text(targets({left}), TestForm::google_test, "1.0", "");
  EXPECT_TRUE(has(text, "// left out: inaccuracy 3f6a, ns::foo: no algorithm can \\.\n"))
      << "a comment stays a comment";
  EXPECT_FALSE(has(text, "TEST("));
  EXPECT_TRUE(test_names(targets({left})).empty());
}

TEST(RegressionTest, ACrashMustReturnAndNeedsNoReference) {
  RegressionCase crash = error_case();
  crash.kind = Kind::crash;
  crash.expected.reset();
  const std::string text = regression_text(targets({crash}), TestForm::c, "1.0", "");
  EXPECT_TRUE(has(text, "The call must return.")) << text;
  EXPECT_TRUE(has(text, "finished = 0;")) << text;
  EXPECT_FALSE(has(text, "static int wrong(")) << "unused functions are warned of";
}

} // namespace
} // namespace faultline::report
