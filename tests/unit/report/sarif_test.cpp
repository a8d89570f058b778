// Validity against the schema is tested end to end; here: what a reader of the file relies on.
#include "report/sarif/sarif.h"

#include "../../golden/sample_report.h"
#include "report/sarif/sarif_place.h"
#include "report/sarif/sarif_rules.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace faultline::report {
namespace {

using Json = nlohmann::json;

Json run_of(const finding::Report& report) {
  return Json::parse(sarif_text(report, golden::sample_source, "/home/me/a b"))["runs"][0];
}
Json sample_run() { return run_of(golden::sample_report()); }

TEST(Sarif, HasAResultForEachFindingAndARuleForEachKind) {
  const Json run = sample_run();
  ASSERT_EQ(run["results"].size(), 5u);
  const Json& rules = run["tool"]["driver"]["rules"];
  std::set<std::string> ids;
  for (const Json& rule : rules)
    EXPECT_TRUE(ids.insert(rule["id"]).second) << "twice";
  EXPECT_EQ(ids, (std::set<std::string>{"cancellation", "invalid", "overflow", "crash", "inaccuracy"}));
  for (const Json& result : run["results"])
    EXPECT_EQ(rules[result["ruleIndex"].get<size_t>()]["id"], result["ruleId"]);
}

TEST(Sarif, PointsAtTheOperationAtFault) {
  const Json physical = sample_run()["results"][0]["locations"][0]["physicalLocation"];
  EXPECT_EQ(physical["artifactLocation"], (Json{{"uri", "foo.c"}, {"uriBaseId", "%SRCROOT%"}}));
  EXPECT_EQ(physical["region"]["startLine"], 4);
  EXPECT_EQ(physical["region"]["startColumn"], 17);
  EXPECT_EQ(physical["region"]["snippet"]["text"], "  double d = 1.0 - cos(x);");
  const Json crash = sample_run()["results"][3]["locations"][0]["physicalLocation"];
  EXPECT_EQ(crash["region"]["startLine"], 7) << "a finding without a cause is at the function";
}

TEST(Sarif, ShowsTheWayOfTheError) {
  const Json steps = sample_run()["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"];
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_EQ(steps[1]["importance"], "essential");
  EXPECT_EQ(steps[0]["importance"], "important");
  EXPECT_EQ(steps[2]["executionOrder"], 3);
  const std::string text = steps[1]["location"]["message"]["text"];
  EXPECT_NE(text.find("= 4.996003610813204e-15; exact: 4.99999999999999958e-15; relative error 7.99e-04"),
            std::string::npos)
      << text;
}

TEST(Sarif, MessageHasInputReasonVerdictAndRemedy) {
  const std::string text = sample_run()["results"][0]["message"]["text"];
  for (const char* words :
       {"Cancellation: relative error 7.99e-04 in foo.", "x = 1e-07 (0x1.ad7f29abcaf48p-24)", "cancels 47 of 53 bits",
        "Avoidable", "Write 2 * sin(x / 2)^2", "faultline replay foo.json"})
    EXPECT_NE(text.find(words), std::string::npos) << words << " in " << text;
}

TEST(Sarif, WeighsFindings) {
  finding::Finding finding = golden::inaccuracy();
  EXPECT_EQ(sarif_level(finding), "error");
  finding.verdict = finding::Verdict::ill_conditioned;
  EXPECT_EQ(sarif_level(finding), "note");
  finding = golden::overflow(); // silent and inherent
  EXPECT_EQ(sarif_level(finding), "warning");
  finding.verdict = finding::Verdict::avoidable;
  EXPECT_EQ(sarif_level(finding), "error");
  finding.aftermath->reported_by = "status";
  EXPECT_EQ(sarif_level(finding), "warning");
  finding.aftermath->harmless = true;
  EXPECT_EQ(sarif_level(finding), "note");
  EXPECT_EQ(sarif_level(golden::crash()), "error");
}

TEST(Sarif, TellsWhatIsSuppressedKnownAndOpen) {
  finding::Report report = golden::sample_report();
  report.targets[0].findings[0].fingerprint = "abc";
  report.targets[0].findings[0].suppressed = finding::Suppression{"foo.c", 4, "x is above 0.1"};
  report.targets[1].findings[0].novelty = finding::Novelty::known;
  report.targets[1].findings[1].novelty = finding::Novelty::fresh;
  const Json run = run_of(report);
  EXPECT_EQ(run["results"][0]["suppressions"][0]["kind"], "inSource");
  EXPECT_EQ(run["results"][0]["suppressions"][0]["justification"], "x is above 0.1");
  EXPECT_EQ(run["results"][0]["partialFingerprints"]["faultline/v1"], "abc");
  EXPECT_EQ(run["results"][1]["suppressions"], Json::array());
  EXPECT_EQ(run["results"][1]["baselineState"], "unchanged");
  EXPECT_EQ(run["results"][2]["baselineState"], "new");
  EXPECT_FALSE(run["results"][0].contains("baselineState"));
  const Json notes = run["invocations"][0]["toolExecutionNotifications"];
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0]["message"]["text"], "endless: timed-out: every call ran into the time limit");
  EXPECT_EQ(run["invocations"][0]["exitCode"], 1);
}

TEST(Sarif, FilesHaveUrisThatCanBeFoundAgain) {
  const SarifPlaces places(golden::sample_source, "/home/me/a b");
  EXPECT_EQ(places.root_uri(), "file:///home/me/a%20b/");
  EXPECT_EQ(places.artifact("src/x y#1.c")["uri"], "src/x%20y%231.c");
  EXPECT_EQ(places.artifact("/home/me/a b/../a b/f.c"),
            (nlohmann::ordered_json{{"uri", "f.c"}, {"uriBaseId", "%SRCROOT%"}}));
  EXPECT_EQ(places.artifact("../f.c"), (nlohmann::ordered_json{{"uri", "file:///home/me/f.c"}}));
  EXPECT_EQ(places.artifact("/usr/include/\xC3\xBC.h")["uri"], "file:///usr/include/%C3%BC.h");
  EXPECT_EQ(places.artifact("c:f.c")["uri"], "c%3Af.c");
}

TEST(Sarif, ColumnsCountCodePoints) {
  const auto source = [](const std::string&, int) {
    return std::optional<std::string>("/* \xC3\xBC\xE2\x82\xAC */ x - y");
  };
  const SarifPlaces places(source, "/");
  EXPECT_EQ(places.location("f.c", 1, 15)["physicalLocation"]["region"]["startColumn"], 12);
}

TEST(Sarif, IsValidWhateverTheSourceHolds) {
  finding::Report report = golden::sample_report();
  report.targets[0].findings[0].diagnosis->why = "\xFF not UTF-8 \"quoted\"\n";
  EXPECT_NO_THROW(run_of(report));
}

} // namespace
} // namespace faultline::report
