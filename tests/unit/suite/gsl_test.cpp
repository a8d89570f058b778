// The GSL suite's figures, table and CSV, from an evaluation that is made up.
#include "suite/gsl/gsl.h"

#include "reports.h"
#include "suite/bench.h"
#include "suite/gsl/gsl_text.h"

#include <gtest/gtest.h>
#include <limits>

namespace faultline::suite {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

GslFunction one_argument(const std::string& name, double atomu, double fpcc, bool in_paper) {
  GslFunction function;
  function.name = function.figures.function = name;
  function.figures.atomu = {0.3, atomu, 4, 1, 0};
  function.figures.fpcc = {0.1, fpcc, 2, 2, 0};
  function.figures.paper = atomu;
  function.figures.in_paper_significant = in_paper;
  return function;
}

SearchedFunction hunted(const std::string& function, double error, uint64_t reported, uint64_t significant,
                        double seconds) {
  TargetScore score;
  score.largest_error = error;
  score.input = "0x1p+0";
  score.reported = reported;
  score.significant = significant;
  score.first_significant = significant > 0;
  return {report(function, seconds, 1000), score};
}

// Two listed functions, one that is not, and one of two arguments, which only `auto` hunted in.
GslEvaluation sample() {
  GslEvaluation evaluation;
  evaluation.functions = {one_argument("f", 10, 20, true), one_argument("g", 1, infinity, true),
                          one_argument("h", 0, 0, false)};
  evaluation.functions.push_back({"two", 2, {{"n", 8}}, {}});
  for (const GslFunction& function : evaluation.functions)
    if (function.one_argument())
      evaluation.published.functions.push_back(function.figures);
  evaluation.published.atomu_first_significant = 1;
  evaluation.options.compared_evaluations = 500;
  const auto trial = [](const char* strategy, double f, double g, double h) {
    Trial trial{strategy, {}, {}};
    trial.functions = {
        {"f", hunted("f", f, 3, 2, 0.01)}, {"g", hunted("g", g, 1, g > 0, 0.02)}, {"h", hunted("h", h, 0, 0, 0.03)}};
    return trial;
  };
  evaluation.hunts = {trial("auto", 19.9, 5, 0)};
  evaluation.hunts[0].functions.emplace("two", hunted("two", 3, 2, 2, 0.5));
  evaluation.comparison = {trial("random", 1, 0, 0), trial("bracket", 7, 0, 0)};
  for (Trial& compared : evaluation.comparison)
    compared.evaluations = 500;
  return evaluation;
}

TEST(GslSummary, CountsWhatTheIssueAsksFor) {
  const GslEvaluation evaluation = sample();
  const GslSummary summary = summary_of(evaluation.hunts[0], evaluation.functions_of(Arity::one));
  EXPECT_EQ(summary.functions, 3u);
  EXPECT_EQ(summary.above, 2u);
  EXPECT_EQ(summary.listed, 2u);
  EXPECT_EQ(summary.listed_above, 2u);
  EXPECT_EQ(summary.listed_as_large, 1u) << "19.9 is 20 to one per cent; 5 is not infinite";
  EXPECT_EQ(summary.significant_share(), 0.75);
  EXPECT_EQ(summary.first_significant, 2u);
  EXPECT_DOUBLE_EQ(summary.mean_seconds, 0.02);
  const GslSummary two = summary_of(evaluation.hunts[0], evaluation.functions_of(Arity::several));
  EXPECT_EQ(two.functions, 1u);
  EXPECT_EQ(two.mean_seconds, 0.5);
}

TEST(GslSummary, InputsThatCannotBeJudgedAreInNoShare) {
  GslEvaluation evaluation = sample();
  evaluation.hunts[0].functions["f"].score.unknown = 1;
  EXPECT_EQ(summary_of(evaluation.hunts[0], evaluation.functions_of(Arity::one)).significant_share(), 1);
  EXPECT_FALSE(GslSummary().significant_share());
}

TEST(GslSummary, PeersHaveTheSameFigures) {
  const std::vector<GslSummary> peers = peer_summaries(sample().published);
  ASSERT_EQ(peers.size(), 2u);
  EXPECT_EQ(peers[0].above, 2u);
  EXPECT_EQ(peers[0].significant_share(), 0.25);
  EXPECT_EQ(peers[0].first_significant, 1u);
  EXPECT_DOUBLE_EQ(peers[1].mean_seconds, 0.1);
}

TEST(GslSummary, RanksAreSummedOverWhatAllHuntedIn) {
  GslEvaluation evaluation = sample();
  const std::vector<GslFunction> functions = evaluation.functions_of(Arity::one);
  std::vector<RankSum> sums = rank_sums(evaluation.comparison, functions);
  EXPECT_EQ(sums[0].sum, 2 + 1.5 + 1.5);
  EXPECT_EQ(sums[1].sum, 1 + 1.5 + 1.5);
  EXPECT_EQ(sums[1].ahead, 1u);
  evaluation.comparison[0].functions.erase("f"); // it was interrupted
  sums = rank_sums(evaluation.comparison, functions);
  EXPECT_EQ(sums[1].functions, 2u);
  EXPECT_EQ(sums[1].sum, 3);
}

TEST(GslTable, ShowsFunctionsFiguresAndRanks) {
  const std::string text = gsl_text(sample(), report::Style(false));
  for (const char* line : {"  f         1.99e+01  1.00e+01  2.00e+01  1.00e+01         1000  10.0  0x1p+0\n",
                           "  two       3.00e+00         1000  500.0  0x1p+0  n=8\n",
                           "  functions with an error above 1e-3           2 of 3  2 of 3   2 of 3\n",
                           "    listed, error at least ATOMU's and FPCC's  1 of 2       -        -\n",
                           "    of the others, above 1e-3                  75.0 %  25.0 %  100.0 %\n",
                           "  bracket                    4.0       1.33  "})
    EXPECT_NE(text.find(line), std::string::npos) << line << "in\n" << text;
  EXPECT_EQ(text.find("loaded cores"), std::string::npos);
}

TEST(GslTable, SaysThatTimesAreOfLoadedCores) {
  GslEvaluation evaluation = sample();
  evaluation.options.jobs = 2;
  EXPECT_NE(gsl_text(evaluation, report::Style(false)).find("times are those of loaded cores"), std::string::npos);
}

TEST(GslTable, AnInterruptLeavesAShorterOne) {
  GslEvaluation evaluation = sample();
  evaluation.hunts[0].functions.erase("f");
  evaluation.comparison[0].functions.clear();
  const std::string text = gsl_text(evaluation, report::Style(false));
  EXPECT_EQ(text.find("\n  f "), std::string::npos);
  EXPECT_NE(text.find("1 of 2"), std::string::npos);
  evaluation.hunts[0].functions.clear();
  evaluation.comparison.clear();
  EXPECT_NE(gsl_text(evaluation, report::Style(false)).find("0 of 0"), std::string::npos);
}

TEST(GslCsv, HasOneLineForEachBenchmarkAndStrategy) {
  const Csv csv = parse_csv(gsl_csv(sample()), "gsl.csv");
  EXPECT_EQ(std::vector(csv.titles.begin(), csv.titles.begin() + 5),
            (std::vector<std::string>{"benchmark", "strategy", "relative_error", "seconds", "evaluations"}));
  EXPECT_EQ(csv.rows.size(), 4u + 3 + 3);
  EXPECT_EQ(csv.rows[0][csv.column("relative_error")], "19.9");
  EXPECT_EQ(csv.rows[0][csv.column("budget")], "own");
  EXPECT_EQ(csv.rows[1][csv.column("fpcc")], "inf");
  EXPECT_EQ(csv.rows[3][csv.column("arguments")], "2");
  EXPECT_EQ(csv.rows[3][csv.column("held")], "n=8");
  EXPECT_EQ(csv.rows[4][csv.column("strategy")], "random");
  EXPECT_EQ(csv.rows[4][csv.column("budget")], "500");
}

TEST(GslCsv, AStrategyThatIsComparedTooStillHasOneLine) {
  GslEvaluation evaluation = sample();
  evaluation.comparison[1].strategy = "auto";
  const Csv csv = parse_csv(gsl_csv(evaluation), "gsl.csv");
  EXPECT_EQ(csv.rows.size(), 4u + 3);
  EXPECT_EQ(csv.rows[0][csv.column("relative_error")], "19.9");
  EXPECT_EQ(csv.rows[0][csv.column("compared_error")], "7");
}

TEST(GslFindings, AreThoseOfTheFirstStrategyOnceAFunction) {
  const finding::Report report = findings_of(sample(), {"bench", "gsl"});
  ASSERT_EQ(report.targets.size(), 4u);
  EXPECT_EQ(report.targets[0].function, "f");
  EXPECT_EQ(report.command.front(), "bench");
}

} // namespace
} // namespace faultline::suite
