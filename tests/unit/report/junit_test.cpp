#include "report/junit.h"

#include "problem_sample.h"

#include <gtest/gtest.h>

namespace faultline::report {
namespace {

bool has(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

size_t count(const std::string& text, const std::string& words) {
  size_t found = 0;
  for (size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1))
    ++found;
  return found;
}

TEST(Junit, CountsFunctionsByFile) {
  model::Report report = problem_sample();
  report.targets[2].file = "other.c";
  const std::string text = junit_text(report);
  EXPECT_TRUE(has(text, R"(<testsuites name="faultline" tests="5" failures="2" errors="1" skipped="0" time="1.250">)"))
      << text;
  EXPECT_TRUE(has(text, R"(<testsuite name="src/q.c" tests="4" failures="2" errors="1" skipped="0" time="1.000">)"))
      << text;
  EXPECT_TRUE(has(text, R"(<testsuite name="other.c" tests="1" failures="0" errors="0" skipped="0" time="0.250">)"));
  EXPECT_TRUE(has(text, R"(<property name="seed" value="1"/>)"));
}

TEST(Junit, ACaseHasOneFailureThatTellsAllErrorsAndWarnings) {
  const std::string text = junit_text(problem_sample());
  EXPECT_EQ(count(text, "<failure "), 2u) << text;
  EXPECT_TRUE(has(text, "<failure message=\"src/q.c:4: root: d - b cancels, no correct digit left [cancellation] (and "
                        "1 more)\" type=\"cancellation\">src/q.c:4: error: root: d - b cancels"))
      << text;
  EXPECT_TRUE(has(text, "\n\nsrc/q.c:3: warning: root: b * b overflows: the result is inf.\n")) << text;
  EXPECT_TRUE(has(text, R"(<testcase name="stable" classname="src/q.c" file="src/q.c" line="12" time="0.250"/>)"));
  EXPECT_TRUE(has(text, R"(<error message="every call ran into the time limit" type="timed-out"/>)"))
      << "what is not known is no pass";
}

TEST(Junit, AFunctionFailsAtItsOwnInput) {
  EXPECT_TRUE(has(junit_text(problem_sample()), "Try: caller with b=123456789")) << junit_text(problem_sample());
}

TEST(Junit, NotesDoNotFail) {
  const std::string text = junit_text(problem_sample());
  EXPECT_TRUE(has(text, "line=\"8\" time=\"0.250\">\n      <system-out>note: src/q.c:9: ")) << text;
}

TEST(Junit, WhatFailsGoesByTheTierThatWasAskedFor) {
  model::Report report = problem_sample();
  report.targets[0].findings.erase(report.targets[0].findings.begin()); // the warning stays
  report.targets.pop_back();
  report.targets.pop_back();
  EXPECT_EQ(count(junit_text(report), "<failure "), 1u);
  report.fail_on = model::Tier::error;
  EXPECT_EQ(count(junit_text(report), "<failure "), 0u);
  report.fail_on = model::Tier::note;
  EXPECT_EQ(count(junit_text(report), "<failure "), 2u);
}

TEST(Junit, WhatIsSuppressedIsSkippedNotFailed) {
  model::Report report = problem_sample();
  report.targets[3].findings[0].suppressed = model::Suppression{"src/q.c", 4, "b is small"};
  const std::string text = junit_text(report);
  EXPECT_TRUE(has(text, "failures=\"1\" errors=\"1\" skipped=\"1\"")) << text;
  EXPECT_TRUE(has(text, "<skipped message=\"src/q.c:4: root: d - b cancels, no correct digit left [cancellation]: by "
                        "the comment at src/q.c:4: b is small\"/>"))
      << text;
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
