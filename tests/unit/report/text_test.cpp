#include "report/text.h"

#include "../../golden/sample_report.h"
#include "report/screen.h"

#include <algorithm>
#include <cstdio>
#include <gtest/gtest.h>
#include <unistd.h>

namespace faultline::report {
namespace {

TEST(Wording, ArraysAreAbbreviatedWhenLong) {
  const auto lines = input_lines(golden::infinite_error_of_a_long_array().input);
  EXPECT_EQ(lines, (std::vector<std::string>{"A = [1, 2, 3, ... 32 values]", "n = 32 (0x1p+5)", "b = [-0]"}));
}

TEST(Wording, MeasuresHaveThreeDigits) {
  EXPECT_EQ(measure_text(7.99e-4), "7.99e-04");
  EXPECT_EQ(measure_text(INFINITY), "inf");
  EXPECT_EQ(measure_text(NAN), "nan");
  EXPECT_EQ(measure_text(0), "0");
  EXPECT_EQ(count_text(4096), "4096");
  EXPECT_EQ(count_text(0.5), "0.5");
  EXPECT_EQ(count_text(7.2e12), "7.2e+12");
  EXPECT_EQ(count_text(INFINITY), "inf");
}

TEST(Excerpt, TabsAndUtf8KeepTheCaretUnderItsColumn) {
  const auto source = [](const std::string&, int) { return std::optional<std::string>("\t\xC3\xBC = a - b;"); };
  EXPECT_EQ(excerpt(source, "f.c", 7, 9, Style()), "    7 |  \xC3\xBC = a - b;\n      |      ~~^~~\n");
  EXPECT_EQ(excerpt(source, "f.c", 7, 0, Style()), "    7 |  \xC3\xBC = a - b;\n") << "the column is not known";
  EXPECT_EQ(excerpt(source, "f.c", 7, 1000, Style()), "    7 |  \xC3\xBC = a - b;\n") << "the file has changed";
}

TEST(Excerpt, OfAFortranStatementUnderlinesWhatIsAssigned) {
  const auto source = [](const std::string&, int) { return std::optional<std::string>("  sm = a + c"); };
  EXPECT_EQ(excerpt(source, "f.f90", 7, 3, Style()), "    7 |   sm = a + c\n      |        ^~~~~\n");
}

TEST(Excerpt, SourcesCannotPlayTricksOnTheTerminal) { EXPECT_EQ(printable("a\033[2Jb\r\x7F\tc"), "a?[2Jb? c"); }

TEST(Excerpt, FilesThatCannotBeReadHaveNoLines) {
  const SourceLine files = source_files({"/dev", FAULTLINE_ROOT});
  EXPECT_FALSE(files("/nonexistent.c", 1));
  EXPECT_FALSE(files("/", 1));
  EXPECT_FALSE(files("/dev/zero", 1));
  const std::string readable = FAULTLINE_ROOT "/README.md";
  EXPECT_TRUE(files(readable, 1));
  EXPECT_FALSE(files(readable, 0));
  EXPECT_FALSE(files(readable, 1'000'000));
}

TEST(ScreenText, UnknownStaysVisible) {
  model::Report report = golden::sample_report();
  report.targets.erase(report.targets.begin(), report.targets.begin() + 3);
  const std::string text = screen_text(report, {}, Screen());
  EXPECT_NE(text.find("no problems in 2 functions; inconclusive: 1 timed-out\n"), std::string::npos) << text;
  EXPECT_NE(text.find("endless: every call ran into the time limit"), std::string::npos);
  EXPECT_EQ(screen_text(model::Report(), {}, Screen()), "no problems in 0 functions\n");
}

TEST(ScreenText, BriefReportsNameWhatIsNotConclusive) {
  model::Report report = golden::sample_report();
  report.targets.erase(report.targets.begin(), report.targets.begin() + 3);
  Screen brief;
  brief.detail = Detail::brief;
  EXPECT_EQ(screen_text(report, {}, brief), "endless: timed-out: every call ran into the time limit\n"
                                            "no problems in 2 functions; inconclusive: 1 timed-out\n");
  report.targets.insert(report.targets.end(), 6, report.targets.back());
  report.targets.back().note.clear();
  EXPECT_NE(screen_text(report, {}, brief).find("\n... and 2 more inconclusive functions\n"), std::string::npos);
}

TEST(Table, LongCellsAreCut) {
  EXPECT_EQ(shortened("\xC3\xBC\xC3\xBC\xC3\xBC\xC3\xBC\xC3\xBC", 4), "\xC3\xBC...");
  EXPECT_EQ(shortened("abcd", 4), "abcd");
  EXPECT_EQ(table({{"a", Align::left, 5}, {"b", Align::right}}, {{"123456", "1"}, {"x", "22"}}, Style()),
            "  a       b\n  12...   1\n  x      22\n");
}

TEST(Witnesses, AreCountedAndAFewShown) {
  model::Finding finding;
  EXPECT_EQ(report::witnesses_text(finding), "");
  for (const char* value : {"1", "2", "3", "4"})
    finding.also.push_back({{{"x", {value, value}}}, {"0", "0"}, 1, 1});
  finding.merged = 17;
  EXPECT_EQ(report::witnesses_text(finding), "17 more inputs: x = 1, x = 2, x = 3");
  finding.also = {{{{"a[0]", {"1", "1"}}, {"a[1]", {"2", "2"}}}, {"0", "0"}, 1, 1}};
  finding.merged = 1;
  EXPECT_EQ(report::witnesses_text(finding), "1 more input");
}

} // namespace
} // namespace faultline::report
