// One entry a cause: a report that repeats itself is not read, one that drops the telling input misleads.
#include "model/collection.h"

#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace faultline::model {
namespace {

Number number(double value) { return {fmt::format("{}", value), fmt::format("{:a}", value)}; }

Finding finding(Kind kind, int line, double x) {
  Finding finding;
  finding.kind = kind;
  finding.input = {{"x", number(x)}};
  finding.cause = Cause{"a.c", line, 4, "f", "fsub", 0, 0};
  return finding;
}

Finding inaccuracy(int line, double x, double relative, double absolute = 1, double ulps = 1e6) {
  Finding wrong = finding(Kind::inaccuracy, line, x);
  wrong.output = Output{"return", number(x * 2), number(x * 3)};
  wrong.error = Error{relative, absolute, ulps, 20};
  return wrong;
}

// The largest of each cause, sorted.
std::vector<Finding> collected(const std::vector<Finding>& findings) {
  Collection collection;
  for (const Finding& one : findings)
    collection.add(one);
  std::vector<Finding> all;
  for (Collection::Entry& entry : collection.entries())
    all.push_back(std::move(entry.largest));
  sort_findings(all);
  return all;
}

double input_of(const std::vector<NamedNumber>& input) { return std::strtod(input.at(0).value.hex.c_str(), nullptr); }

bool has_witness(const Finding& finding, double x) {
  return std::any_of(finding.also.begin(), finding.also.end(),
                     [&](const Witness& witness) { return input_of(witness.input) == x; });
}

TEST(Collection, TheLargestErrorSpeaksForItsCause) {
  for (const std::vector<double>& order : {std::vector<double>{0.5, 0.1, 0.01}, {0.01, 0.1, 0.5}, {0.1, 0.5, 0.01}}) {
    std::vector<Finding> findings;
    for (double relative : order)
      findings.push_back(inaccuracy(3, relative * 100, relative, relative * 7));
    const std::vector<Finding> all = collected(findings);
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].error->relative, 0.5);
    EXPECT_EQ(input_of(all[0].input), 50);
    EXPECT_EQ(all[0].merged, 2u);
    ASSERT_EQ(all[0].also.size(), 2u);
    EXPECT_EQ(all[0].also[0].relative, 0.1) << "largest first";
    EXPECT_EQ(all[0].also[0].absolute, 0.1 * 7);
    EXPECT_EQ(all[0].also[0].computed.decimal, number(20).decimal) << "with its own result";
    EXPECT_EQ(all[0].also[1].relative, 0.01);
  }
}

// The worst input is often one that nothing can be done about: that must not hide the others.
TEST(Collection, WhatMattersMostSpeaks) {
  Finding worst = inaccuracy(3, 1, 0.5), avoidable = inaccuracy(3, 2, 0.1), less = inaccuracy(3, 4, 0.01);
  worst.verdict = Verdict::ill_conditioned;
  avoidable.verdict = less.verdict = Verdict::avoidable;
  less.everyday = true;
  for (const std::vector<Finding>& order : {std::vector<Finding>{worst, avoidable, less},
                                            {less, avoidable, worst},
                                            {avoidable, worst, less},
                                            {less, worst, avoidable}}) {
    Collection collection;
    for (const Finding& one : order)
      collection.add(one);
    const std::vector<Collection::Entry> entries = collection.entries();
    ASSERT_EQ(entries.size(), 1u);
    EXPECT_EQ(input_of(entries[0].largest.input), 1);
    ASSERT_TRUE(entries[0].representative);
    EXPECT_EQ(input_of(entries[0].representative->input), 4) << "an avoidable error at an everyday input";
    EXPECT_EQ(entries[0].largest.merged, 2u);
  }
}

TEST(Collection, TheLargestIsASpeakerItselfOrAWitness) {
  Collection collection;
  collection.add(inaccuracy(3, 1, 0.5));
  collection.add(inaccuracy(3, 2, 0.1));
  std::vector<Collection::Entry> entries = collection.entries();
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_FALSE(entries[0].representative);
  Finding speaker = inaccuracy(3, 3, 0.3);
  EXPECT_FALSE(is_much_larger(entries[0].largest, speaker));
  EXPECT_TRUE(is_much_larger(entries[0].largest, inaccuracy(3, 3, 0.2)));
  merge_into(speaker, entries[0].largest);
  EXPECT_EQ(speaker.merged, 2u);
  EXPECT_TRUE(has_witness(speaker, 1));
  EXPECT_TRUE(has_witness(speaker, 2));
}

TEST(Collection, UlpsDecideWhereEverythingIsWrong) {
  const std::vector<Finding> all =
      collected({inaccuracy(3, 1, 1, 1, 1e10), inaccuracy(3, 2, 1, 1, 1e15), inaccuracy(3, 3, 1, 1, 1e12)});
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(input_of(all[0].input), 2);
  EXPECT_EQ(all[0].merged, 2u);
}

TEST(Collection, OtherCausesStayApart) {
  std::vector<Finding> findings(5, inaccuracy(3, 1, 0.1));
  findings[1].cause->line = 4;
  findings[2].cause->column = 5;
  findings[3].cause->operation = "log";
  findings[4].cause->file = "b.c";
  findings.push_back(inaccuracy(3, 1, 0.1));
  findings.back().kind = Kind::bound_violated;
  findings.push_back(inaccuracy(3, 1, 0.1));
  findings.back().cause.reset();
  EXPECT_EQ(collected(findings).size(), findings.size());
}

TEST(Collection, WithoutACauseTheWordsTellFindingsApart) {
  std::vector<Finding> findings(3, finding(Kind::crash, 0, 1));
  for (Finding& one : findings)
    one.cause.reset();
  findings[0].detail = findings[1].detail = "called abort";
  findings[2].detail = "invalid memory access";
  EXPECT_EQ(collected(findings).size(), 2u);
}

TEST(Collection, ExceptionsAreToldApartByTypeAndPlace) {
  std::vector<Finding> findings(5, finding(Kind::exception, 3, 1));
  for (Finding& one : findings)
    one.thrown = Thrown{"std::runtime_error", "1 is too small"};
  findings[1].thrown->what = "2 is too small";
  findings[2].thrown->type = "int";
  findings[3].cause->line = 4;
  findings[4].thrown.reset();
  EXPECT_EQ(collected(findings).size(), 4u);
}

TEST(Collection, TheSameInputIsNoFurtherWitness) {
  const std::vector<Finding> all =
      collected({inaccuracy(3, 1, 0.1), inaccuracy(3, 1, 0.1), inaccuracy(3, 2, 0.05), inaccuracy(3, 2, 0.05)});
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].merged, 1u);
  EXPECT_EQ(all[0].also.size(), 1u);
}

TEST(Collection, KeepsAFewWitnessesAndAmongThemTheTellingOnes) {
  std::vector<Finding> findings;
  for (int i = 0; i < 200; ++i) // the largest relative errors lie in the middle of the range
    findings.push_back(inaccuracy(3, i - 50, 0.9 - std::fabs(i - 100) * 1e-3, i == 17 ? 1e9 : i));
  const std::vector<Finding> all = collected(findings);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(input_of(all[0].input), 50);
  EXPECT_EQ(all[0].merged, 199u) << "all are counted";
  EXPECT_LE(all[0].also.size(), 12u);
  EXPECT_GE(all[0].also.size(), 5u);
  EXPECT_TRUE(has_witness(all[0], 17 - 50)) << "the largest absolute error";
  EXPECT_TRUE(has_witness(all[0], -50)) << "the lower end";
  EXPECT_TRUE(has_witness(all[0], 149)) << "the upper end";
  EXPECT_TRUE(has_witness(all[0], 49)) << "the next largest relative errors";
  EXPECT_TRUE(has_witness(all[0], 51));
  for (size_t i = 1; i < all[0].also.size(); ++i)
    EXPECT_LE(all[0].also[i].relative, all[0].also[i - 1].relative);
}

TEST(Collection, ErrorsComeFirstLargestFirstThenTheRest) {
  const std::vector<Finding> all =
      collected({finding(Kind::underflow, 1, 1), finding(Kind::overflow, 2, 1), finding(Kind::timeout, 9, 1),
                 finding(Kind::divide_by_zero, 3, 1), finding(Kind::crash, 8, 1), inaccuracy(4, 1, 0.1),
                 finding(Kind::invalid, 2, 1), inaccuracy(5, 1, 0.9), inaccuracy(6, 1, INFINITY)});
  std::vector<Kind> kinds;
  for (const Finding& one : all)
    kinds.push_back(one.kind);
  EXPECT_EQ(kinds, (std::vector<Kind>{Kind::inaccuracy, Kind::inaccuracy, Kind::inaccuracy, Kind::crash, Kind::timeout,
                                      Kind::invalid, Kind::divide_by_zero, Kind::overflow, Kind::underflow}));
  EXPECT_EQ(all[0].cause->line, 6);
  EXPECT_EQ(all[1].cause->line, 5);
}

TEST(Collection, DoesNotDependOnTheOrderOfEqualFindings) {
  std::vector<Finding> findings;
  for (int i = 0; i < 40; ++i)
    findings.push_back(inaccuracy(3 + i % 2, i, 0.001 * (i + 1), i, 1000 + i));
  const std::vector<Finding> forward = collected(findings);
  std::reverse(findings.begin(), findings.end());
  const std::vector<Finding> backward = collected(findings);
  ASSERT_EQ(forward.size(), backward.size());
  for (size_t i = 0; i < forward.size(); ++i) {
    EXPECT_EQ(forward[i].input[0].value.hex, backward[i].input[0].value.hex);
    ASSERT_EQ(forward[i].also.size(), backward[i].also.size());
    for (size_t k = 0; k < forward[i].also.size(); ++k)
      EXPECT_EQ(input_of(forward[i].also[k].input), input_of(backward[i].also[k].input));
  }
}

TEST(Collection, ExceptionsAreNotMergedIntoWitnesses) {
  const std::vector<Finding> all =
      collected({finding(Kind::overflow, 3, 1), finding(Kind::overflow, 3, 2), finding(Kind::overflow, 3, 3)});
  ASSERT_EQ(all.size(), 1u);
  EXPECT_TRUE(all[0].also.empty());
  EXPECT_EQ(input_of(all[0].input), 1) << "the first that was seen";
}

Finding exception(Kind kind, int line, Verdict verdict, bool reaches, const std::string& reported_by = "",
                  bool consequence = false, bool harmless = false) {
  Finding one = finding(kind, line, line);
  one.verdict = verdict;
  one.aftermath.emplace();
  one.aftermath->reaches_output = reaches;
  one.aftermath->reported_by = reported_by;
  one.aftermath->consequence = consequence;
  one.aftermath->harmless = harmless;
  return one;
}

TEST(Collection, ExceptionsOfAKindComeInTheOrderOfTheirWeight) {
  const Verdict avoidable = Verdict::avoidable, inherent = Verdict::inherent;
  const std::vector<Finding> all = collected({
      exception(Kind::underflow, 10, avoidable, true, "", false, true),
      exception(Kind::overflow, 9, avoidable, true),
      exception(Kind::divide_by_zero, 8, inherent, false, "errno"),
      exception(Kind::invalid, 7, avoidable, true, "status"),
      exception(Kind::invalid, 5, inherent, false),
      exception(Kind::invalid, 6, inherent, false),
      exception(Kind::divide_by_zero, 4, inherent, true, "", true),
      exception(Kind::invalid, 3, inherent, true),
      exception(Kind::invalid, 2, avoidable, true, "", true),
      exception(Kind::divide_by_zero, 1, avoidable, true),
  });
  std::vector<int> lines;
  for (const Finding& one : all)
    lines.push_back(one.cause->line);
  EXPECT_EQ(lines, (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
}

TEST(Collection, TheExceptionThatMattersMostSpeaksForItsPlace) {
  const Finding told = exception(Kind::overflow, 3, Verdict::avoidable, true, "errno");
  const Finding silent = exception(Kind::overflow, 3, Verdict::inherent, true);
  for (const auto& order : {std::vector<Finding>{told, silent}, {silent, told}}) {
    const std::vector<Finding> all = collected(order);
    ASSERT_EQ(all.size(), 1u);
    EXPECT_TRUE(all[0].aftermath->silent());
  }
  Finding elsewhere = silent;
  elsewhere.cause->function = "g";
  EXPECT_EQ(collected({silent, elsewhere}).size(), 2u) << "a header's line in another function";
}

TEST(Collection, KeepsAFlipWithoutAnErrorBesideOneWithIt) {
  Finding with_error = inaccuracy(3, 1, 1e-2);
  with_error.kind = Kind::branch_flip;
  const std::vector<Finding> found = collected({finding(Kind::branch_flip, 3, 2), with_error});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_TRUE(found[0].error.has_value());
  EXPECT_FALSE(found[1].error.has_value());
}

TEST(Collection, OfOneLineAFewAreLeftWithTheMostOrdinaryAndTheLargest) {
  std::vector<Finding> findings;
  for (int i = 0; i < 40; ++i) {
    findings.push_back(inaccuracy(7, i + 1, 0.5 + i * 0.001));
    findings.back().cause->column = i;
    findings.back().id = fmt::format("{:04}", i);
    findings.back().everyday = i == 3;
  }
  findings.push_back(inaccuracy(8, 1, 0.1)); // another line
  leave_few(findings);
  ASSERT_EQ(findings.size(), 17u);
  const auto has = [&](const std::string& id) {
    return std::ranges::any_of(findings, [&](const Finding& finding) { return finding.id == id; });
  };
  EXPECT_TRUE(has("0003")) << "the everyday one";
  EXPECT_TRUE(has("0039")) << "the largest";
  const auto speaker = std::ranges::find(findings, "0003", &Finding::id);
  EXPECT_EQ(speaker->merged, 24u);
}

} // namespace
} // namespace faultline::model
