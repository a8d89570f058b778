#include "report/junit.h"

#include "../../golden/sample_report.h"

#include <gtest/gtest.h>

namespace faultline::report {
namespace {

bool has(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

TEST(Junit, CountsFunctionsByFile) {
  const std::string text = junit_text(golden::sample_report());
  EXPECT_TRUE(has(text, R"(<testsuites name="faultline" tests="5" failures="3" errors="1" skipped="0" time="14.754">)"))
      << text;
  EXPECT_TRUE(has(text, R"(<testsuite name="foo.c" tests="4" failures="2" errors="1" skipped="0" time="13.504">)"))
      << text;
  EXPECT_TRUE(has(text, R"(<testsuite name="sum.f90" tests="1" failures="1" errors="0" skipped="0" time="1.250">)"));
  EXPECT_TRUE(has(text, R"(<property name="seed" value="1"/>)"));
}

TEST(Junit, FailuresErrorsAndPasses) {
  const std::string text = junit_text(golden::sample_report());
  EXPECT_TRUE(has(text, R"(<failure message="cancellation: relative error 7.99e-04 in foo" type="cancellation">)"));
  EXPECT_TRUE(has(text, R"(<failure message="crash in norm" type="crash">)"));
  EXPECT_TRUE(has(text, "\nAlso: crash in norm</failure>")) << "a server may show the first failure alone";
  EXPECT_TRUE(has(text, R"(<testcase name="stable" classname="foo.c" time="10.000"/>)"));
  EXPECT_TRUE(has(text, R"(<error message="every call ran into the time limit" type="timed-out"/>)"))
      << "what is not known is no pass";
}

TEST(Junit, WhatIsSuppressedIsSkippedNotFailed) {
  finding::Report report = golden::sample_report();
  report.targets[0].findings[0].suppressed = finding::Suppression{"foo.c", 4, "x is above 0.1"};
  const std::string text = junit_text(report);
  EXPECT_TRUE(has(text, "failures=\"2\" errors=\"1\" skipped=\"1\""));
  EXPECT_TRUE(has(text, "<skipped message=\"cancellation: relative error 7.99e-04 in foo: by the comment at foo.c:4: "
                        "x is above 0.1\"/>"))
      << text;
  report.targets[1].findings[0].novelty = finding::Novelty::known;
  EXPECT_TRUE(has(junit_text(report), "known from the baseline</system-out>") ||
              has(junit_text(report), "known from the baseline\n</system-out>"));
}

TEST(Junit, IsXmlWhateverTheNamesHold) {
  EXPECT_EQ(xml_text("a<b>&\"c\""), "a&lt;b&gt;&amp;&quot;c&quot;");
  EXPECT_EQ(xml_text(std::string("a\0b\x1b[31m\tc\n\x7f", 12)), "ab[31m\tc\n\x7f");
  EXPECT_EQ(xml_text("\xC3\xBC \xE2\x82\xAC \xF0\x9F\x98\x80"), "\xC3\xBC \xE2\x82\xAC \xF0\x9F\x98\x80");
  EXPECT_EQ(xml_text("\xFF x \xC3 y \xED\xA0\x80 z \xEF\xBF\xBF"), " x  y  z ") << "not UTF-8, or not a character";
  EXPECT_EQ(xml_text("\xC3"), "");
  EXPECT_EQ(xml_text("\xC0\x80"), "") << "a zero in disguise";
}

} // namespace
} // namespace faultline::report
