// Validity against the schema is tested end to end; here: what a reader of the file relies on.
#include "report/sarif.h"

#include "model/json/json_place.h"
#include "problem_sample.h"

#include <gtest/gtest.h>

namespace faultline::report {
namespace {

using Json = nlohmann::json;

Json run_of(const model::Report& report) {
  const auto whole = [](const std::string& file) {
    return file == "src/q.c" ? std::optional<std::string>("double f(double x) {\n  return (1 + x) - 1; // \xC3\xBC "
                                                          "\xF0\x9F\x98\x80\n}\n\n")
                             : std::nullopt;
  };
  return Json::parse(sarif_text(report, sample_line, whole, "/home/me/a b"))["runs"][0];
}
Json sample_run() { return run_of(problem_sample()); }

TEST(Sarif, HasAResultForEachProblemAndARuleForEachClass) {
  const Json run = sample_run();
  ASSERT_EQ(run["results"].size(), 3u);
  const Json& rules = run["tool"]["driver"]["rules"];
  std::set<std::string> ids;
  for (const Json& rule : rules)
    EXPECT_TRUE(ids.insert(rule["id"]).second) << "twice";
  EXPECT_EQ(ids, (std::set<std::string>{"cancellation", "overflow", "inaccuracy"}));
  for (const Json& result : run["results"])
    EXPECT_EQ(rules[result["ruleIndex"].get<size_t>()]["id"], result["ruleId"]);
}

TEST(Sarif, TheLevelIsTheTier) {
  const Json run = sample_run();
  EXPECT_EQ(run["results"][0]["level"], "error");
  EXPECT_EQ(run["results"][1]["level"], "warning");
  EXPECT_EQ(run["results"][2]["level"], "note");
}

TEST(Sarif, MarksTheWholeExpressionAtFault) {
  const Json physical = sample_run()["results"][0]["locations"][0]["physicalLocation"];
  EXPECT_EQ(physical["artifactLocation"], (Json{{"uri", "src/q.c"}, {"uriBaseId", "%SRCROOT%"}}));
  EXPECT_EQ(physical["region"]["startLine"], 4);
  EXPECT_EQ(physical["region"]["startColumn"], 19) << "code points, not bytes";
  EXPECT_EQ(physical["region"]["endColumn"], 24);
  const Json overflow = sample_run()["results"][1]["locations"][0]["physicalLocation"]["region"];
  EXPECT_EQ(overflow["startColumn"], 19);
  EXPECT_EQ(overflow["endColumn"], 24);
}

TEST(Sarif, RelatesTheFunctionsThatReachIt) {
  const Json related = sample_run()["results"][0]["relatedLocations"];
  ASSERT_EQ(related.size(), 2u);
  EXPECT_EQ(related[0]["message"]["text"], "reached from the function root");
  EXPECT_EQ(related[1]["message"]["text"], "reached from the function caller");
  EXPECT_EQ(related[1]["physicalLocation"]["region"]["startLine"], 15);
  EXPECT_EQ(related[1]["id"], 2);
}

TEST(Sarif, ShowsTheWayOfTheError) {
  const Json steps = sample_run()["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"];
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[1]["importance"], "essential");
  EXPECT_EQ(steps[0]["importance"], "important");
}

TEST(Sarif, TheMessageIsWhatAReaderNeedsNext) {
  EXPECT_EQ(sample_run()["results"][0]["message"]["text"],
            "root: d - b cancels, no correct digit left.\n"
            "Try: root with a=1, b=1e8: returns -7.45e-9, exact is -1e-8.\n"
            "Why: d and b agree in 52 of 53 bits.\n"
            "When: b > 1.2e+06; about 3 % of everyday inputs.\n"
            "Fix: for b > 0, write -4*a*c / (d + b) for d - b (tried on 4,000 inputs: the relative error is "
            "8.00e-17 then).");
  EXPECT_EQ(sample_run()["results"][1]["message"]["text"].get<std::string>().substr(0, 45),
            "root: b * b overflows: the result is inf.\nTry");
}

TEST(Sarif, LinksItsDocuments) {
  const Json driver = sample_run()["tool"]["driver"];
  const std::string home = driver["informationUri"];
  EXPECT_NE(home.find("://"), std::string::npos) << "the schema wants a whole URI";
  EXPECT_EQ(driver["rules"][0]["helpUri"], home + "/kinds/cancellation.md");
}

// The values were made by another program after the same definition (a rolling hash in Python), which agrees with what
// GitHub's action gives for the texts of its own tests.
TEST(Sarif, HashesLinesAsGitHubDoes) {
  const std::string text = "double f(double x) {\n  return (1 + x) - 1; // \xC3\xBC \xF0\x9F\x98\x80\n}\n";
  EXPECT_EQ(line_hashes(text), (std::vector<std::string>{"b4051c8baa3c4f1b:1", "d23f8246b06a0fd5:1",
                                                         "32dce9ccfdbc9d3e:1", "c129715d7a2bc9a3:1"}));
  const std::string of_windows = "double f(double x) {\r\n\treturn (1 + x) - 1; // \xC3\xBC \xF0\x9F\x98\x80\r\n}";
  EXPECT_EQ(line_hashes(of_windows)[1], "a203207631268fc7:1") << "without an end of line at the end";
  std::string repeated;
  for (int i = 0; i < 60; ++i)
    repeated += "x = x - y;\n";
  EXPECT_EQ(line_hashes(repeated)[9].substr(16), ":10") << line_hashes(repeated)[9];
}

TEST(Sarif, FingerprintsAreOursAndGitHubs) {
  model::Report report = problem_sample();
  for (model::TargetReport& target : report.targets)
    for (model::Finding& finding : target.findings)
      if (finding.id == "f2")
        finding.cause->line = 2;
  const Json results = run_of(report)["results"];
  EXPECT_EQ(results[0]["partialFingerprints"]["faultline/v1"], "fingerprint-of-f1");
  EXPECT_EQ(
      results[1]["partialFingerprints"],
      (Json{{"primaryLocationLineHash",
             line_hashes("double f(double x) {\n  return (1 + x) - 1; // \xC3\xBC \xF0\x9F\x98\x80\n}\n\n")[1]}}));
}

TEST(Sarif, TellsWhatIsSuppressedKnownAndOpen) {
  model::Report report = problem_sample();
  for (model::TargetReport& target : report.targets)
    for (model::Finding& finding : target.findings)
      if (finding.id == "f1" || finding.id == "f4")
        finding.suppressed = model::Suppression{"src/q.c", 3, "b is small"};
      else
        finding.novelty = finding.id == "f2" ? model::Novelty::known : model::Novelty::fresh;
  const Json run = run_of(report);
  const Json& results = run["results"];
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(results[0]["level"], "note") << "what is set aside comes last";
  EXPECT_EQ(results[0]["baselineState"], "new");
  EXPECT_EQ(results[0]["suppressions"], Json::array());
  EXPECT_EQ(results[1]["suppressions"].size(), 1u) << "one comment, two findings";
  EXPECT_EQ(results[1]["suppressions"][0]["kind"], "inSource");
  EXPECT_EQ(results[1]["suppressions"][0]["justification"], "b is small");
  EXPECT_FALSE(results[1].contains("baselineState"));
  EXPECT_EQ(results[2]["baselineState"], "unchanged");
  const Json notes = run["invocations"][0]["toolExecutionNotifications"];
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0]["message"]["text"], "endless: timed-out: every call ran into the time limit");
}

TEST(Sarif, AProblemIsOpenAsLongAsOneOfItsFindingsIs) {
  model::Report report = problem_sample();
  report.targets[0].findings[0].suppressed = model::Suppression{"src/q.c", 3, "b is small"};
  const Json result = run_of(report)["results"][0];
  EXPECT_EQ(result["properties"]["functions"][0], "caller");
  EXPECT_EQ(result["suppressions"], Json::array());
}

TEST(Sarif, FilesHaveUrisThatCanBeFoundAgain) {
  const SarifPlaces places(sample_line, {}, "/home/me/a b");
  EXPECT_EQ(places.root_uri(), "file:///home/me/a%20b/");
  EXPECT_EQ(places.artifact("src/x y#1.c")["uri"], "src/x%20y%231.c");
  EXPECT_EQ(places.artifact("/home/me/a b/../a b/f.c"), (model::Json{{"uri", "f.c"}, {"uriBaseId", "%SRCROOT%"}}));
  EXPECT_EQ(places.artifact("../f.c"), (model::Json{{"uri", "file:///home/me/f.c"}}));
  EXPECT_EQ(places.artifact("/usr/include/\xC3\xBC.h")["uri"], "file:///usr/include/%C3%BC.h");
  EXPECT_EQ(places.artifact("c:f.c")["uri"], "c%3Af.c");
}

TEST(Sarif, IsValidWhateverTheSourceHolds) {
  model::Report report = problem_sample();
  report.targets[0].findings[0].diagnosis->why = "\xFF not UTF-8 \"quoted\"\n";
  EXPECT_NO_THROW(run_of(report));
}

} // namespace
} // namespace faultline::report
