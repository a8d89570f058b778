#include "report/html.h"

#include "../../golden/sample_report.h"
#include "model/comparison.h"
#include "model/json/finding_json.h"
#include "model/json/json_place.h"

#include <cmath>
#include <gtest/gtest.h>

namespace faultline::report {
namespace {

using Json = model::Json;

// What the page has to work with.
Json data_in(const std::string& page) {
  const std::string begin = "<script id=\"data\" type=\"application/json\">";
  const size_t from = page.find(begin) + begin.size();
  return Json::parse(page.substr(from, page.find("</script>", from) - from));
}

Json data_of(const model::Report& report, const SourceLine& source = golden::sample_source) {
  return data_in(html_text(report, source));
}

SourceLine lines(std::vector<std::string> text) {
  return [text](const std::string& file, int line) -> std::optional<std::string> {
    if (file != "foo.c" || line < 1 || size_t(line) > text.size())
      return {};
    return text[size_t(line) - 1];
  };
}

TEST(Html, HasTheWholeReportOfTheJson) {
  const model::Report report = golden::sample_report();
  const Json data = data_of(report);
  EXPECT_EQ(data["report"].dump(), model::json_text(model::to_json(report)));
  ASSERT_EQ(data["extras"].size(), report.targets.size());
  EXPECT_EQ(data["extras"][1].size(), report.targets[1].findings.size());
  EXPECT_EQ(data["extras"][0][0]["headline"], "cancellation");
  EXPECT_EQ(data["extras"][0][0]["verdict"], "avoidable: rounding the inputs alone would cause far less");
}

TEST(Html, LoadsNothingFromElsewhere) {
  const std::string page = html_text(golden::sample_report(), golden::sample_source);
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  for (const char* reference : {" src=", "@import", "url(", "/*script*/", "/*data*/", "/*style*/", "/*uplot*/"})
    EXPECT_EQ(page.find(reference), std::string::npos) << reference;
}

TEST(Html, NoNameOrSourceLineEndsTheScript) {
  model::Report report = golden::sample_report();
  report.targets[0].function = "</script><script>alert(1)</script><!--<script>";
  const SourceLine hostile = lines({"", "", "", "</script><img src=x onerror=alert(1)> /*script*/"});
  const std::string page = html_text(report, hostile);
  EXPECT_EQ(page.find("alert(1)</script"), std::string::npos);
  EXPECT_EQ(page.find("<img"), std::string::npos);
  const Json data = data_in(page);
  EXPECT_EQ(data["report"]["targets"][0]["function"], report.targets[0].function);
  EXPECT_EQ(data["sources"]["foo.c"]["4"], "</script><img src=x onerror=alert(1)> /*script*/");
}

TEST(Html, BytesThatAreNotTextDoNotStopIt) {
  model::Report report = golden::sample_report();
  report.targets[0].function = "f\xff";
  EXPECT_NO_THROW(data_of(report, lines({"", "", "", "\xff\xfe"})));
}

TEST(Html, PlotsAreColumnsOfThreeDigits) {
  model::Report report = golden::sample_report();
  model::Plots& plots = report.targets[0].findings[0].plots;
  plots.note = "fewer points";
  plots.output = "return";
  plots.inputs = {{"x",
                   {{"1e-07", 0, 7.98765e-4, 4.6e12, 1.1e-16, "0.4996", "0.5"},
                    {"2e-07", 1e18, NAN, NAN, NAN, "inf", "1.5e+400"},
                    {"3e-07", 3, INFINITY, INFINITY, NAN, "nan", "0"},
                    {"4e-07", 4, 0, 0, 0, "-0.5", "1e-400"}},
                   {{"1", 0}}}};
  const Json extra = data_of(report)["extras"][0][0];
  EXPECT_EQ(extra["plots_note"], "fewer points");
  EXPECT_EQ(extra["plotted"], "return");
  const Json& around = extra["plots"][0]["around"];
  EXPECT_EQ(around["values"], Json({"1e-07", "2e-07", "3e-07", "4e-07"}));
  EXPECT_EQ(around["offsets"].dump(), "[0,1e+18,3,4]");
  EXPECT_EQ(around["errors"].dump(), "[0.000799,null,1e+300,0.0]");
  EXPECT_EQ(around["ulps"].dump(), "[4600000000000.0,null,1e+300,0.0]");
  EXPECT_EQ(around["remedies"].dump(), "[1.1e-16,null,null,0.0]");
  EXPECT_EQ(around["computed"].dump(), R"([0.4996,"inf","nan",-0.5])");
  EXPECT_EQ(around["exact"].dump(), R"([0.5,"1.5e+400",0.0,"1e-400"])") << "text, where doubles end";
  EXPECT_FALSE(extra["plots"][0]["range"].contains("remedies")) << "nothing to draw";
  EXPECT_EQ(extra["plots"][0]["range"]["computed"].dump(), "[null]");
}

TEST(Html, ProblemsHaveTheirWordsAndTheirPlaceInTheSource) {
  const model::Report report = golden::sample_report();
  const Json data = data_of(report);
  ASSERT_FALSE(data["report"]["problems"].empty());
  for (const Json& problem : data["report"]["problems"]) {
    const Json& extra = data["problems"][problem["id"].get<std::string>()];
    EXPECT_FALSE(extra["title"].get<std::string>().empty());
    EXPECT_TRUE(extra.contains("try"));
    for (const Json& span : extra["excerpt"])
      for (int line = span[1]; line <= span[2]; ++line)
        EXPECT_TRUE(data["sources"][span[0].get<std::string>()].contains(std::to_string(line)));
  }
}

TEST(Html, ASmallFunctionIsShownWhole) {
  const SourceLine source = lines({"int before;", "", "double foo(double x) {", "  double d = 1.0 - cos(x);",
                                   "  if (d) {", "    d = 2;", "  }", "  return d;", "}", "int after;"});
  EXPECT_EQ(function_end(source, "foo.c", 3, 60), 9);
  EXPECT_EQ(function_end(source, "foo.c", 3, 5), 0) << "too long";
  const model::Report report = golden::sample_report();
  const std::vector<Span> spans = source_spans(report.targets[0], report.targets[0].findings[0], source);
  ASSERT_EQ(spans.size(), 1u);
  EXPECT_EQ(spans[0].first, 3);
  EXPECT_EQ(spans[0].last, 9);
}

TEST(Html, OfALargeFileOnlyTheLinesAroundAreTaken) {
  const SourceLine source = lines(std::vector<std::string>(500, "x;"));
  model::TargetReport target = golden::sample_report().targets[0];
  model::Finding& finding = target.findings[0];
  finding.cause->line = 100;
  finding.diagnosis->chain[0].line = 300;
  finding.diagnosis->chain[1].line = finding.diagnosis->chain[2].line = 100;
  finding.diagnosis->lines = {};
  const std::vector<Span> spans = source_spans(target, finding, source);
  ASSERT_EQ(spans.size(), 2u);
  EXPECT_EQ(spans[0].first, 88);
  EXPECT_EQ(spans[0].last, 112);
  EXPECT_EQ(spans[1].first, 298);
  EXPECT_EQ(spans[1].last, 302);
}

TEST(Html, FortranFunctionsEndToo) {
  EXPECT_EQ(function_end(lines({"real function f(x)", "  f = x", "end function f", "end module"}), "foo.c", 1, 60), 3);
}

TEST(Html, OfACampaignItHasHowItStandsAndNoFindingsThatNobodySees) {
  model::Report report = golden::sample_report();
  EXPECT_FALSE(data_of(report).contains("campaign"));
  model::CampaignPage page;
  page.status.folder = "night";
  page.status.curve = {{1, 2, 3, 4}, {5, 6, 7, 8}};
  page.targets = {{"open", 3, 1, 12}};
  page.first_runs = {{"0123", 2}};
  page.news = {{1'700'000'000, 1, {"0123"}, {{"error", "cancellation", "a.c", 4, "f"}}}};
  report.campaign = std::make_shared<const model::CampaignPage>(page);
  model::Finding& first = report.targets[0].findings[0];
  first.aftermath = model::Aftermath{};
  first.aftermath->harmless = true;
  const size_t findings = report.targets[0].findings.size();
  const Json data = data_of(report);
  EXPECT_EQ(data["report"]["targets"][0]["findings"].size(), findings - 1);
  EXPECT_EQ(data["extras"][0].size(), findings - 1);
  EXPECT_EQ(data["report"]["targets"][0].value("folded", 0u), report.targets[0].folded + 1);
  const Json& campaign = data["campaign"];
  EXPECT_EQ(campaign["folder"], "night");
  EXPECT_EQ(campaign["curve"]["warnings"].dump(), "[3,7]");
  EXPECT_EQ(campaign["targets"]["reached"].dump(), "[12]");
  EXPECT_EQ(campaign["first_runs"]["0123"], 2);
  EXPECT_EQ(campaign["news"]["gone"][0]["line"], 4);
}

TEST(Html, SourcesThatAreGoneLeaveTheRest) {
  const Json data = data_of(golden::sample_report(), [](const std::string&, int) { return std::nullopt; });
  EXPECT_TRUE(data["sources"].empty());
  EXPECT_EQ(data["extras"][0][0]["source"], Json::array());
}

} // namespace
} // namespace faultline::report
