// Reports compared with committed files. After a change that is meant: UPDATE_GOLDEN=1 ctest -R golden, then look at
// the difference before committing it.
#include "model/json/finding_json.h"
#include "report/explain_text.h"
#include "report/junit.h"
#include "report/list_text.h"
#include "report/screen.h"
#include "sample_report.h"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace faultline::golden {
namespace {

std::string content(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

void expect_golden(const std::string& name, const std::string& text) {
  const std::string path = std::string(FAULTLINE_GOLDEN_DIR) + "/" + name;
  if (std::getenv("UPDATE_GOLDEN"))
    std::ofstream(path, std::ios::binary) << text;
  EXPECT_EQ(content(path), text) << path << " differs: UPDATE_GOLDEN=1 rewrites it";
}

model::Explanation sample_explanation() {
  model::Explanation explanation;
  explanation.target = sample_report().targets[0];
  const model::Finding finding = inaccuracy();
  explanation.input = finding.input;
  explanation.output = finding.output;
  explanation.error = finding.error;
  explanation.oracle = "lifted";
  explanation.outcome = "returned";
  explanation.rows = {
      {"foo.c", 4, 19, "foo", "cos", "v1 = cos(x)", {"1e-07"}, {1e-14}, "0.999999999999995", "0.999", 4e-17, 0.98},
      {"foo.c",
       4,
       17,
       "foo",
       "fsub",
       "v2 = 1 - v1",
       {"1", "0.999999999999995"},
       {2e14, 2e14},
       "4.9960036108132044e-15",
       "5e-15",
       7.99e-4,
       0},
      {"/usr/include/very/deep/header.h",
       110,
       3,
       "square",
       "fmul",
       "",
       {"1e-07", "1e-07"},
       {1, 1},
       "9.9999999999999998e-15",
       "1e-14",
       1.1e-16,
       0.0001},
      {"",
       0,
       0,
       "foo",
       "fdiv",
       "v4 = v2 / v3 with a text that is much too long for the column it stands in",
       {"4.9960036108132044e-15", "9.9999999999999998e-15"},
       {1, 1},
       "0.4996",
       "0.5",
       INFINITY,
       0.02},
  };
  explanation.omitted = 17;
  return explanation;
}

std::vector<model::ListedTarget> sample_list() {
  model::ListedTarget foo, bar;
  foo.target.function = "foo";
  foo.target.file = bar.target.file = "foo.c";
  foo.target.line = 3;
  model::Type single, integer;
  single.format = numeric::Format::binary32;
  integer.floating = false;
  integer.bits = 32;
  foo.target.inputs = {{"x", {}, 0, true}, {"n", integer, 8, true}};
  for (int i = 0; i < 4; ++i)
    foo.target.inputs.push_back({"A[" + std::to_string(i) + "]", single, 0, true});
  foo.target.outputs = {{"return", {}, 0, true}, {"result.err", {}, 0, false}};
  foo.sites = 4;
  bar.target.function = "bar";
  bar.target.line = 9;
  bar.target.unsuitable = "array A has no size: --size A=N";
  bar.target.obstacle = model::Obstacle::size;
  return {foo, bar};
}

TEST(Golden, JsonIsWhatScriptsRelyOn) { expect_golden("report.json", report::json_text(sample_report())); }

TEST(Golden, JsonReadsBackToTheSameFile) {
  const std::string text = report::json_text(sample_report());
  EXPECT_EQ(report::json_text(model::parse_report(text, "sample")), text);
}

std::string shown(report::Detail detail, bool colour) {
  report::Screen screen;
  screen.style = report::Style(colour);
  screen.detail = detail;
  return report::screen_text(sample_report(), sample_source, screen);
}

TEST(Golden, EveryFindingInFull) { expect_golden("report.full.txt", shown(report::Detail::full, false)); }

TEST(Golden, OneLineAProblem) { expect_golden("report.brief.txt", shown(report::Detail::brief, false)); }

TEST(Golden, APageThatWasWrittenIsNotProposed) {
  const model::Report report = sample_report();
  report::Screen screen;
  const std::string before = report::screen_text(report, sample_source, screen);
  screen.has_page = true;
  const std::string after = report::screen_text(report, sample_source, screen);
  EXPECT_NE(before.find("report.html"), std::string::npos);
  EXPECT_EQ(after.find("report.html"), std::string::npos);
}

TEST(Golden, TextForAPerson) { expect_golden("report.txt", shown(report::Detail::normal, false)); }

TEST(Golden, TextInColour) { expect_golden("report.colour.txt", shown(report::Detail::normal, true)); }

TEST(Golden, TextHasTheSameWordsInColourAndWithout) {
  std::string text = shown(report::Detail::normal, true);
  for (size_t begin; (begin = text.find('\033')) != std::string::npos;)
    text.erase(begin, text.find('m', begin) - begin + 1);
  EXPECT_EQ(text, shown(report::Detail::normal, false));
}

TEST(Golden, ExplainIsTheTableOfThePaper) {
  expect_golden("explain.txt", report::explain_text(sample_explanation(), sample_source, report::Style(false)));
  expect_golden("explain.colour.txt", report::explain_text(sample_explanation(), sample_source, report::Style(true)));
}

TEST(Golden, ListSaysWhatIsThereAndWhatIsMissing) {
  expect_golden("list.txt", report::list_text(sample_list(), report::Style(false)));
  expect_golden("list.all.txt", report::list_text(sample_list(), report::Style(false), true));
}

} // namespace
} // namespace faultline::golden
