#include "report/tests/regression_test.h"

#include <gtest/gtest.h>

namespace faultline::report {
namespace {

using model::Expectation;
using model::Kind;
using model::RegressionCase;
using model::RegressionTarget;

const model::Type number{true, numeric::Format::binary64, 0, true};

RegressionCase error_case() {
  RegressionCase made;
  made.problem = "3f6a";
  made.fault = "cancellation";
  made.file = "src/foo.cpp";
  made.line = 4;
  made.source = "1 - cos(x)";
  made.input = {{"x", {"1e-07", "0x1.ad7f29abcaf48p-24"}}};
  made.expected = Expectation{0, {"0.5", "0x1p-1"}, {"0.4996", "0x1.ff973c8p-2"}, 7.2e12, 123.4, 14.4};
  return made;
}

std::vector<RegressionTarget> targets(std::vector<RegressionCase> cases) {
  RegressionTarget target;
  target.function = "ns::one_minus(double)";
  target.file = "src/foo.cpp";
  target.target.function = target.function;
  target.target.symbol = "_ZN2ns9one_minusEd";
  target.target.parameters = {{"x", "double", model::Passing::value, number}};
  target.target.inputs = {{"x", number, 0}};
  target.target.outputs = {{"return", number, 16}};
  target.target.block_bytes = 32;
  target.cases = std::move(cases);
  return {target};
}

std::string text_of(const std::vector<RegressionTarget>& all, TestForm form,
                    const std::vector<std::string>& headers = {}) {
  return regression_text(all, {form, "1.0", headers, "1 test"});
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(RegressionTest, IsAFileThatAReviewerWouldAccept) {
  EXPECT_EQ(text_of(targets({error_case()}), TestForm::google_test),
            "// Regression tests for foo.cpp, written by faultline 1.0.\n"
            "// 1 test\n"
            "// Link with GoogleTest's gtest_main and foo.cpp.\n"
            "\n"
            "#include <gtest/gtest.h>\n"
            "\n"
            "namespace ns {\n"
            "double one_minus(double x);\n"
            "}\n"
            "\n"
            "// cancellation in 1 - cos(x), foo.cpp:4.\n"
            "// When this was written the code returned 0.4996.\n"
            "TEST(NsOneMinus, line4_cancellation) {\n"
            "  const double exact = 0.5;\n"
            "  // 8 ulps of the exact result, and 8 times the 14 that rounding the inputs alone costs\n"
            "  const double tolerance = 1.4e-14;\n"
            "  EXPECT_NEAR(ns::one_minus(1e-7), exact, tolerance) << \"cancellation in 1 - cos(x), foo.cpp:4\";\n"
            "}\n");
}

TEST(RegressionTest, WhatIsLinkedDefinesNothingTwice) {
  std::vector<RegressionTarget> all = targets({error_case()});
  all[0].target.file = all[0].file;
  all[0].target.harness = "double harness(double x) { return ns::one_minus(x); }\n";
  std::string text = text_of(all, TestForm::c);
  text = text.substr(0, text.find("#include"));
  EXPECT_TRUE(has(
      text, "Link with harness.cpp, which faultline harness src/foo.cpp -f 'ns::one_minus(double)' prints, instead of"))
      << text;
  EXPECT_TRUE(has(text, "foo.cpp, which it includes.")) << text;
}

TEST(RegressionTest, ModuleProceduresSayWhoseSymbolsTheyHave) {
  std::vector<RegressionTarget> all = targets({error_case()});
  all[0].target.symbol = "_QMgeoPangle";
  EXPECT_TRUE(has(text_of(all, TestForm::google_test), "Symbols of module procedures are flang's (_QMgeoPangle)"));
  all[0].target.symbol = "angle_";
  EXPECT_FALSE(has(text_of(all, TestForm::google_test), "flang"));
}

TEST(RegressionTest, PlainCHasAMainThatRunsAllOrOne) {
  const std::string text = text_of(targets({error_case()}), TestForm::c);
  EXPECT_TRUE(has(text, "static void test_ns_one_minus_line4_cancellation(void) {")) << text;
  EXPECT_TRUE(has(text, "{\"test_ns_one_minus_line4_cancellation\", test_ns_one_minus_line4_cancellation},")) << text;
  EXPECT_TRUE(has(text, "expect_near(__func__, ns_one_minus(1e-7), exact, tolerance, \"cancellation in")) << text;
  EXPECT_TRUE(has(text, "#include <math.h>\n#include <stdio.h>\n#include <string.h>\n\ndouble ns_one_minus(double x) "
                        "__asm__(\"_ZN2ns9one_minusEd\");\n"))
      << text;
}

TEST(RegressionTest, IncludesTheHeaderThatIsNamed) {
  const std::string text = text_of(targets({error_case()}), TestForm::google_test, {"foo.h", "<ns/more.h>"});
  EXPECT_TRUE(has(text, "#include \"foo.h\"\n#include <ns/more.h>\n\n#include <gtest/gtest.h>\n\n//")) << text;
  EXPECT_FALSE(has(text, "namespace")) << text;
}

TEST(RegressionTest, FunctionsOfANamespaceStandTogether) {
  std::vector<RegressionTarget> all = targets({error_case()});
  all.push_back(all[0]);
  all[1].function = all[1].target.function = "ns::two(double)";
  all[1].target.symbol = "_ZN2ns3twoEd";
  EXPECT_TRUE(has(text_of(all, TestForm::google_test),
                  "namespace ns {\ndouble one_minus(double x);\ndouble two(double x);\n}\n\n//"))
      << text_of(all, TestForm::google_test);
}

TEST(RegressionTest, TwoTestsNeverHaveOneName) {
  const std::vector<TestName> names = test_names(targets({error_case(), error_case()}));
  ASSERT_EQ(names.size(), 2u);
  EXPECT_EQ(names[1].name, "line4_cancellation_2");
  EXPECT_EQ(names[1].in_c, "test_ns_one_minus_line4_cancellation_2");
}

TEST(RegressionTest, WhatIsLeftOutStandsThereWithItsReason) {
  RegressionCase left = error_case();
  left.left_out = "no algorithm\ncan \\";
  const std::string text = text_of(targets({left}), TestForm::google_test);
  EXPECT_TRUE(has(text,
                  "// Without a test:\n// - cancellation in 1 - cos(x), foo.cpp:4 (ns::one_minus): no algorithm can "
                  "\\.\n"))
      << text << "a comment stays a comment";
  EXPECT_FALSE(has(text, "TEST("));
  EXPECT_FALSE(has(text, "double one_minus")) << "nothing that is not used";
  EXPECT_TRUE(test_names(targets({left})).empty());
}

TEST(RegressionTest, ACrashMustReturnAndNeedsNoReference) {
  RegressionCase crash = error_case();
  crash.kind = Kind::crash;
  crash.fault = "crash";
  crash.source = "";
  crash.detail = "called abort";
  crash.expected.reset();
  const std::string text = text_of(targets({crash}), TestForm::c);
  EXPECT_TRUE(has(text, "// The call must return; the code called abort.")) << text;
  EXPECT_TRUE(has(text, "  returned = 0;\n  ns_one_minus(1e-7);\n  returned = 1;\n")) << text;
  EXPECT_FALSE(has(text, "expect_near")) << "unused functions are warned of";
  EXPECT_FALSE(has(text, "math.h"));
  EXPECT_TRUE(has(text_of(targets({crash}), TestForm::google_test), "EXPECT_EXIT({ ns::one_minus(1e-7);"));
}

TEST(RegressionTest, LongDoublesAreComparedAsSuch) {
  std::vector<RegressionTarget> all = targets({error_case()});
  all[0].target.outputs[0].type.format = numeric::Format::extended80;
  EXPECT_TRUE(has(text_of(all, TestForm::google_test), "  const long double exact = 0.5L;"));
  EXPECT_TRUE(has(text_of(all, TestForm::google_test), "EXPECT_LE(std::fabs(ns::one_minus(1e-7) - exact), tolerance)"));
  EXPECT_TRUE(has(text_of(all, TestForm::c), "if (fabsl(computed - exact) <= tolerance)"));
}

} // namespace
} // namespace faultline::report
