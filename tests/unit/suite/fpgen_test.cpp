// The FPGen suite's measure, figures, table and CSV, from an evaluation that is made up.
#include "suite/fpgen.h"

#include "frontend/error.h"
#include "reports.h"
#include "suite/bench.h"
#include "suite/fpgen_text.h"

#include <gtest/gtest.h>

namespace faultline::suite {
namespace {

using finding::Finding;
using finding::Kind;

Finding finding(Kind kind, double absolute, const std::string& reference) {
  Finding finding;
  finding.kind = kind;
  finding.input = {{"x[0]", {"1", "0x1p+0"}}, {"x[1]", {"2.5", "0x1.4p+1"}}, {"n", {"3", "3"}}};
  finding.output = finding::Output{"z[2]", {"1", "0x1p+0"}, {reference, reference}};
  finding.error = finding::Error{77, absolute, 0, 0};
  return finding;
}

finding::TargetReport report_with(std::vector<Finding> findings) {
  finding::TargetReport made = report("f", 1.5, 1000);
  made.findings = std::move(findings);
  return made;
}

TEST(FpgenWorst, MayBeAnInputThatDoesNotSpeak) {
  finding::Finding speaker = finding(Kind::inaccuracy, 1, "0x1p+0");
  speaker.also.push_back({speaker.input, {}, 1.5, 1.5});
  EXPECT_DOUBLE_EQ(worst_of(report_with({speaker})).error, 1.5);
}

TEST(FpgenWorst, ResultsBelowTheSmallestNormalFloatAreMeasuredAgainstIt) {
  EXPECT_DOUBLE_EQ(worst_of(report_with({finding(Kind::inaccuracy, 1, "0x0p+0")})).error, 1 / fpgen_floor);
  EXPECT_DOUBLE_EQ(worst_of(report_with({finding(Kind::inaccuracy, 1, "-0x1p-130")})).error, 1 / fpgen_floor);
  EXPECT_DOUBLE_EQ(worst_of(report_with({finding(Kind::inaccuracy, 1, "-0x1p-100")})).error, 0x1p100);
}

TEST(FpgenWorst, TheLargestOfAllFindingsCounts) {
  const FpgenWorst worst =
      worst_of(report_with({finding(Kind::inaccuracy, 1e-3, "0x1p+0"), finding(Kind::branch_flip, 8, "0x1p+0"),
                            finding(Kind::inaccuracy, 4, "0x1p+0")}));
  EXPECT_EQ(worst.error, 8);
  EXPECT_TRUE(worst.flip);
  EXPECT_EQ(worst.output, "z[2]");
  EXPECT_EQ(worst.input, "x=1,2.5 n=3");
  EXPECT_EQ(worst_of(report_with({finding(Kind::overflow, 8, "0x1p+0")})).error, 0) << "that is no rounding error";
  EXPECT_EQ(worst_of(report_with({})).error, 0);
}

TEST(FpgenBenchmarks, ThereAre27NamesOf21Programs) {
  EXPECT_EQ(fpgen_benchmarks().size(), 27u);
  EXPECT_EQ(fpgen_benchmarks({}).size(), 21u);
  const std::vector<FpgenBenchmark> chosen = fpgen_benchmarks({"wsd-m", "LU"});
  ASSERT_EQ(chosen.size(), 2u);
  EXPECT_EQ(chosen[0].name, "LU") << "in the order of the table";
  EXPECT_EQ(chosen[1].function, "wsd_m");
  EXPECT_EQ(chosen[1].twin, "wsd");
  EXPECT_THROW(fpgen_benchmarks({"LV"}), frontend::UserError);
}

TEST(FpgenBenchmarks, EachHasPublishedFiguresAndALimit) {
  const FpgenPublished published = fpgen_published(fpgen_files());
  EXPECT_EQ(published.size(), 21u);
  size_t large = 0;
  for (const FpgenBenchmark& benchmark : fpgen_benchmarks({})) {
    ASSERT_TRUE(published.contains(benchmark.name)) << benchmark.name;
    large += published.at(benchmark.name).limit_any > 1;
  }
  EXPECT_EQ(large, 19u);
  EXPECT_EQ(published.at("wvariance-w").best(), 2.0918e-05) << "S3FP's";
  EXPECT_EQ(published.at("wvariance-w").to_reach(), 2.0918e-05);
  EXPECT_EQ(published.at("1-norm").to_reach(), 2.5e-16) << "0 is published";
  EXPECT_EQ(published.at("2-norm").to_reach(), 2.5e-16) << "what is published cannot be, against an exact reference";
}

TEST(FpgenBenchmarks, InputsAreSinglesUpToAHundred) {
  const campaign::Options hunt = fpgen_hunt(fpgen_benchmarks({"dot", "MV"}), {"h", "m", "g"});
  EXPECT_EQ(hunt.functions, (std::vector<std::string>{"dot", "matrix_vector"}));
  EXPECT_EQ(hunt.sources.files, (std::vector<std::string>{"h/meschach.c", "m/meschach.bc"}));
  EXPECT_EQ(hunt.settings.sizes.at("A"), (std::vector<uint64_t>{4, 4}));
  EXPECT_EQ(hunt.settings.formats.at("y"), numeric::Format::binary32);
  EXPECT_EQ(hunt.settings.ranges.at("y").low, -100);
  EXPECT_EQ(hunt.settings.ranges.at("A").high, 100);
  EXPECT_TRUE(hunt.settings.sizes.contains("b"));
  EXPECT_FALSE(hunt.settings.ranges.contains("b")) << "an output";
}

TEST(FpgenPublished, FilesThatDoNotFitAreRefused) {
  const std::string table = "benchmark,source,random,s3fp,klee_float,fpgen\nf,mine,0,1e-3,0,2e-3\n";
  EXPECT_EQ(fpgen_published({{"fpgen_table3.csv", table}, {"fpgen_limits.csv", "benchmark,any,nonzero\nf,10,5\n"}})
                .at("f")
                .best(),
            2e-3);
  for (const char* limits : {"benchmark,any,nonzero\ng,10,5\n", "benchmark,any,nonzero\n", "benchmark,any\nf,10\n",
                             "benchmark,any,nonzero\nf,ten,5\n"})
    EXPECT_THROW(fpgen_published({{"fpgen_table3.csv", table}, {"fpgen_limits.csv", limits}}), frontend::UserError)
        << limits;
  EXPECT_THROW(fpgen_published({{"fpgen_table3.csv", table}}), frontend::UserError);
}

FpgenResult result(double error, std::optional<double> short_error) {
  FpgenResult made{report("f", 60, 5000), {}, short_error};
  made.worst.error = error;
  made.worst.input = "x=1,2";
  return made;
}

// The whole suite, but for what an interrupt prevented.
FpgenEvaluation sample() {
  FpgenEvaluation evaluation;
  evaluation.benchmarks = fpgen_benchmarks({});
  evaluation.published = fpgen_published(fpgen_files());
  FpgenTrial trial{"fpgen", {}};
  trial.benchmarks.emplace("sum", result(1e22, 0.5));         // limits: 6e23 and 1.7e7
  trial.benchmarks.emplace("wsd", result(1e3, 1e3));          // 2e7
  trial.benchmarks.emplace("1-norm", result(2.6e-16, 2e-16)); // 3.3e-16
  trial.benchmarks.emplace("LU", result(2.5, std::nullopt));  // 1.2e87, published: 2.7
  evaluation.trials = {trial, {"random", {}}};
  return evaluation;
}

TEST(FpgenSummary, CountsWhatWasReached) {
  const FpgenEvaluation evaluation = sample();
  const FpgenSummary summary = summary_of(evaluation.trials[0], evaluation);
  EXPECT_EQ(summary.benchmarks, 4u);
  EXPECT_EQ(summary.reached, 3u) << "not LU";
  EXPECT_EQ(summary.hunted_short, 3u);
  EXPECT_EQ(summary.reached_short, 1u) << "wsd";
  EXPECT_EQ(summary.large, 3u) << "not 1-norm";
  EXPECT_EQ(summary.near_limit, 1u) << "sum: 22 of 23.8 digits";
  EXPECT_EQ(summary_of(evaluation.trials[1], evaluation).benchmarks, 0u);
}

TEST(FpgenSummary, TheLimitIsThatOfTheInputsThatWereAskedFor) {
  FpgenEvaluation evaluation = sample();
  evaluation.options.nonzero = true;
  EXPECT_EQ(evaluation.limit_of(fpgen_benchmarks({"sum"})[0]), 1.7e7);
  EXPECT_EQ(share_of_limit(1e22, 1e11), 2.0);
  EXPECT_EQ(share_of_limit(1e-3, 1e3), -1.0);
  EXPECT_EQ(share_of_limit(1e-16, 3e-16), std::nullopt);
  EXPECT_EQ(share_of_limit(0, 1e3), std::nullopt);
}

TEST(FpgenSummary, AnMBesideItsTwinDoesNotCountTwice) {
  FpgenEvaluation evaluation = sample();
  evaluation.benchmarks = fpgen_benchmarks({"wsd", "wsd-m"});
  evaluation.trials[0].benchmarks.emplace("wsd-m", result(1e3, 1e3));
  EXPECT_EQ(summary_of(evaluation.trials[0], evaluation).benchmarks, 1u);
  evaluation.trials[0].benchmarks.erase("wsd");
  EXPECT_EQ(summary_of(evaluation.trials[0], evaluation).benchmarks, 1u);
}

TEST(FpgenCsv, HasALineForEveryNameThatWasReached) {
  FpgenEvaluation evaluation = sample();
  const Csv csv = parse_csv(fpgen_csv(evaluation), "csv");
  EXPECT_EQ(std::vector(csv.titles.begin(), csv.titles.begin() + 5),
            (std::vector<std::string>{"benchmark", "strategy", "relative_error", "seconds", "evaluations"}));
  ASSERT_EQ(csv.rows.size(), 5u) << "wsd stands for wsd-m, too";
  const auto cell = [&](size_t row, const char* title) { return csv.rows[row][csv.column(title)]; };
  EXPECT_EQ(cell(0, "benchmark"), "sum");
  EXPECT_EQ(cell(0, "relative_error_2s"), "0.5");
  EXPECT_EQ(cell(1, "share_of_limit"), "") << "1-norm";
  EXPECT_EQ(cell(2, "relative_error_2s"), "") << "LU had no such hunt";
  EXPECT_EQ(cell(4, "benchmark"), "wsd-m");
  EXPECT_EQ(cell(4, "run_of"), "wsd");
  EXPECT_EQ(cell(4, "input"), "x=1,2");
  evaluation.options.benchmarks = {"wsd"};
  evaluation.benchmarks = fpgen_benchmarks({"wsd"});
  EXPECT_EQ(parse_csv(fpgen_csv(evaluation), "csv").rows.size(), 1u) << "asked for by name";
}

TEST(FpgenText, ShowsTheFiguresBesideThePublishedOnes) {
  const std::string text = fpgen_text(sample(), report::Style{});
  for (const char* part : {"3 of 4", "1 of 3", "1.00e+22", "6.00e+23", "0.93", "2.73e+00", "LU", "-m"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " is not in\n" << text;
  EXPECT_EQ(fpgen_text({}, report::Style{}), "") << "interrupted before anything was done";
}

} // namespace
} // namespace faultline::suite
