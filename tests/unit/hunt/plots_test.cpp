// Plots of real findings: what is drawn must be what the oracle says.
#include "hunt/reruns.h"

#include "../temporary_folder.h"
#include "base/error.h"
#include "hunt/hunt.h"
#include "model/json/finding_json.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace faultline::hunt {

using model::Finding;
using model::json_text;
using model::Plot;
using model::PlotPoint;
using model::Plots;
using model::Report;
namespace {

const std::atomic<bool> never = false;

struct Ground {
  explicit Ground(const std::string& text) {
    options.sources.files = {folder.write("subject.c", text)};
    options.settings.evaluations = 2000;
    options.settings.wanted = {.error = true, .exceptions = false, .crashes = false, .branches = false, .bound = false};
  }
  Report hunted() { return hunt(options, {}, never); }
  Report plotted(const PlotLimits& limits = {}) {
    Report report = hunted();
    add_plots(report, problems_of(report), options, never, limits);
    return report;
  }

  test::TemporaryFolder folder;
  Options options;
};

constexpr const char* one_minus_cos = R"(#include <math.h>
double f(double x) { return (1 - cos(x)) / (x * x); })";

const PlotPoint& at_the_finding(const std::vector<PlotPoint>& points) {
  return *std::ranges::find(points, 0.0, &PlotPoint::offset);
}

TEST(Plotting, TheFindingIsOnBothPlotsWithItsOwnError) {
  Ground ground(one_minus_cos);
  const Report report = ground.plotted();
  const Finding& finding = report.targets.at(0).findings.at(0);
  ASSERT_EQ(finding.plots.inputs.size(), 1u);
  const Plot& plot = finding.plots.inputs[0];
  EXPECT_EQ(plot.input, "x");
  EXPECT_GT(plot.around.size(), 100u);
  EXPECT_GT(plot.range.size(), 100u);
  for (const auto* points : {&plot.around, &plot.range}) {
    EXPECT_TRUE(std::ranges::is_sorted(*points, {}, &PlotPoint::offset));
    const PlotPoint& found = at_the_finding(*points);
    EXPECT_EQ(found.value, finding.input[0].value.decimal);
    EXPECT_DOUBLE_EQ(found.error, finding.error->relative);
  }
  EXPECT_TRUE(std::ranges::any_of(plot.range, [](const PlotPoint& point) { return point.error < 1e-14; }))
      << "elsewhere the function is accurate";
}

TEST(Plotting, PointsHaveTheOutputTheExactOneAndTheErrorInUlps) {
  Ground ground(one_minus_cos);
  const Report report = ground.plotted();
  const Plots& plots = report.targets.at(0).findings.at(0).plots;
  EXPECT_EQ(plots.output, "return");
  size_t compared = 0;
  for (const PlotPoint& point : plots.inputs.at(0).range) {
    if (std::isnan(point.error) || point.exact.empty() || !(std::fabs(std::stod(point.value)) < 1e9))
      continue;
    const double x = std::stod(point.value);
    if (const double computed = (1 - std::cos(x)) / (x * x); std::isfinite(computed)) {
      EXPECT_NEAR(std::stod(point.computed), computed, 1e-5 * std::fabs(computed)) << point.value;
      ++compared;
    }
    const double half = std::sin(x / 2) / x; // the exact result, by another formula
    if (x != 0 && std::isfinite(half) && std::fabs(x) > 1e-150) {
      EXPECT_NEAR(std::stod(point.exact), 2 * half * half, 1e-4 * half * half) << point.value;
    }
    if (point.error > 0 && std::isfinite(point.error)) { // an ulp is between 2^-53 and 2^-52 of a normal number
      EXPECT_GT(point.ulps, 0.99 * point.error * 0x1p52) << point.value;
      EXPECT_LT(point.ulps, 1.01 * point.error * 0x1p53) << point.value;
    }
  }
  EXPECT_GT(compared, 100u);
}

TEST(Plotting, TheRemedyIsTriedOutAtAllPoints) {
  Ground ground(one_minus_cos);
  ground.options.settings.ranges = {{"x", {1e-6L, 1}}};
  const Report report = ground.plotted();
  const Finding& finding = report.targets.at(0).findings.at(0);
  ASSERT_TRUE(finding.diagnosis && finding.diagnosis->remedy);
  for (const auto* points : {&finding.plots.inputs.at(0).around, &finding.plots.inputs.at(0).range})
    for (const PlotPoint& point : *points)
      EXPECT_LT(point.remedy, 1e-14) << point.value << ", now " << point.error;
  EXPECT_DOUBLE_EQ(at_the_finding(finding.plots.inputs[0].range).remedy, finding.diagnosis->remedy->relative);
}

TEST(Plotting, OverflowsAreDrawnToo) {
  Ground ground("double f(double x) { return (x * x) / x; }");
  ground.options.settings.wanted = {
      .error = false, .exceptions = true, .crashes = false, .branches = false, .bound = false};
  const Report report = ground.plotted();
  const auto& findings = report.targets.at(0).findings;
  const auto overflow = std::ranges::find(findings, model::Kind::overflow, &Finding::kind);
  ASSERT_NE(overflow, findings.end());
  ASSERT_EQ(overflow->plots.inputs.size(), 1u) << overflow->plots.note;
  bool overflows = false, is_right = false;
  for (const PlotPoint& point : overflow->plots.inputs[0].range) {
    const double x = std::stod(point.value);
    if (std::fabs(x) > 1.4e154) {
      EXPECT_EQ(point.computed, x > 0 ? "inf" : "-inf") << point.value;
      EXPECT_NEAR(std::stod(point.exact) / x, 1, 1e-5);
      overflows = true;
    } else if (std::fabs(x) < 1.3e154 && std::fabs(x) > 1e-150) {
      EXPECT_NEAR(std::stod(point.computed) / x, 1, 1e-5);
      is_right = true;
    }
  }
  EXPECT_TRUE(overflows && is_right);
}

TEST(Plotting, RepresentativesComeFirst) {
  Ground ground(one_minus_cos);
  Report report = ground.hunted();
  std::vector<Finding>& findings = report.targets.at(0).findings;
  Finding odd = findings.at(0); // the same problem at an odd input
  odd.id += "x";
  odd.everyday = false;
  findings.insert(findings.begin(), odd);
  std::vector<std::pair<size_t, size_t>> told;
  add_plots(report, problems_of(report), ground.options, never, {.points = 600, .fewest = 300},
            [&](size_t done, size_t all) { told.emplace_back(done, all); });
  EXPECT_TRUE(findings[0].plots.inputs.empty()) << "there were points for one of them";
  EXPECT_FALSE(findings[1].plots.inputs.empty());
  EXPECT_EQ(told, (std::vector<std::pair<size_t, size_t>>{{0, findings.size()}, {1, findings.size()}}));
}

TEST(Plotting, OnlyTheInputThatIsDrawnChanges) {
  Ground ground("double f(double a, double b) { return (a + b) - a; }");
  ground.options.settings.ranges = {{"a", {1, 100}}, {"b", {1e-16L, 1}}};
  const Report report = ground.plotted();
  const Finding& finding = report.targets.at(0).findings.at(0);
  ASSERT_EQ(finding.plots.inputs.size(), 2u);
  for (const PlotPoint& point : finding.plots.inputs[1].range) { // b, in its range
    const double b = std::stod(point.value);
    EXPECT_GE(b, 1e-16);
    EXPECT_LE(b, 1);
    const double a = std::stod(finding.input[0].value.decimal);
    volatile double sum = a + b; // the last operation is exact
    EXPECT_NEAR(point.error, std::fabs((sum - a - b) / b), 1e-3 * point.error + 1e-16);
  }
}

TEST(Plotting, ARunThatDoesNotReturnIsAGapAndNotTheEnd) {
  Ground ground(R"(#include <math.h>
#include <stdlib.h>
double f(double x) { if (x > 1) abort(); return 1 - cos(x); })");
  ground.options.settings.ranges = {{"x", {-2, 2}}};
  const Report report = ground.plotted();
  const std::vector<PlotPoint>& range = report.targets.at(0).findings.at(0).plots.inputs.at(0).range;
  for (const PlotPoint& point : range)
    EXPECT_EQ(std::isnan(point.error), std::stod(point.value) > 1) << point.value;
}

TEST(Plotting, LongArraysHaveAFewPlotsAndSaySo) {
  Ground ground("double f(const double A[6]) { return A[0] + A[1] + A[2] + A[3] + A[4] + 0.0 * A[5]; }");
  ground.options.settings.sizes["A"] = {6};
  ground.options.settings.ranges = {{"A", {-100, 100}}};
  const Report report = ground.plotted({.most_inputs = 4});
  const Plots& plots = report.targets.at(0).findings.at(0).plots;
  EXPECT_EQ(plots.inputs.size(), 4u);
  EXPECT_NE(plots.note.find("4 of 6 inputs"), std::string::npos) << plots.note;
  EXPECT_TRUE(std::ranges::none_of(plots.inputs, [](const Plot& plot) { return plot.input == "A[5]"; }))
      << "the output does not depend on it";
}

TEST(Plotting, ShortOfTimeThereAreFewerPointsAndANote) {
  Ground ground(one_minus_cos);
  const Report report = ground.plotted({.finding_seconds = 0});
  const Plots& plots = report.targets.at(0).findings.at(0).plots;
  EXPECT_NE(plots.note.find("the time for plots was up"), std::string::npos) << plots.note;
}

TEST(Plotting, ManyFindingsShareThePoints) {
  Ground ground(one_minus_cos);
  Report report = ground.hunted();
  std::vector<Finding>& findings = report.targets.at(0).findings;
  findings.assign(10, findings.at(0));
  add_plots(report, problems_of(report), ground.options, never, {.points = 500, .fewest = 100});
  size_t points = 0, plotted = 0;
  for (const Finding& finding : findings)
    for (const Plot& plot : finding.plots.inputs) {
      points += plot.around.size() + plot.range.size();
      ++plotted;
    }
  EXPECT_EQ(plotted, 2u) << "the first has most of the points, and later ones have none";
  EXPECT_LE(points, 520u);
  EXPECT_NE(findings.back().plots.note.find("too many findings"), std::string::npos);
}

TEST(Plotting, EqualHuntsStillGiveEqualJson) {
  Ground ground(one_minus_cos);
  Report report = ground.hunted();
  const std::string before = json_text(to_json(report));
  add_plots(report, problems_of(report), ground.options, never);
  EXPECT_EQ(json_text(to_json(report)), before);
}

TEST(Plotting, CodeThatIsGoneIsAnErrorOfTheUsers) {
  Ground ground(one_minus_cos);
  Report report = ground.hunted();
  ground.folder.write("subject.c", "double f(double x) {");
  EXPECT_THROW(add_plots(report, problems_of(report), ground.options, never), base::UserError);
  ground.folder.write("subject.c", "double g(double x) { return x; }");
  add_plots(report, problems_of(report), ground.options, never);
  EXPECT_NE(report.targets.at(0).findings.at(0).plots.note.find("no plot: "), std::string::npos);
}

} // namespace
} // namespace faultline::hunt
