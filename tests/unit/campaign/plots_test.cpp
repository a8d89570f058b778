// Plots of real findings: what is drawn must be what the oracle says.
#include "campaign/plots.h"

#include "../temporary_folder.h"
#include "campaign/hunt.h"
#include "finding/json/finding_json.h"
#include "frontend/error.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace faultline::campaign {

using finding::Finding;
using finding::json_text;
using finding::Plot;
using finding::PlotPoint;
using finding::Plots;
using finding::Report;
namespace {

const std::atomic<bool> never = false;

struct Ground {
  explicit Ground(const std::string& text) {
    options.sources.files = {folder.write("subject.c", text)};
    options.settings.evaluations = 2000;
    options.settings.wanted = {.error = true, .exceptions = false, .crashes = false, .branches = false, .bound = false};
  }
  Report hunted() { return campaign::hunt(options, {}, never); }
  Report plotted(const PlotLimits& limits = {}) {
    Report report = hunted();
    add_plots(report, options, never, limits);
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
  add_plots(report, ground.options, never, {.points = 500, .fewest = 100});
  size_t points = 0, plotted = 0;
  for (const Finding& finding : findings)
    for (const Plot& plot : finding.plots.inputs) {
      points += plot.around.size() + plot.range.size();
      ++plotted;
    }
  EXPECT_EQ(plotted, 5u) << "later ones have none";
  EXPECT_LE(points, 520u);
  EXPECT_NE(findings.back().plots.note.find("too many findings"), std::string::npos);
}

TEST(Plotting, EqualHuntsStillGiveEqualJson) {
  Ground ground(one_minus_cos);
  Report report = ground.hunted();
  const std::string before = json_text(to_json(report));
  add_plots(report, ground.options, never);
  EXPECT_EQ(json_text(to_json(report)), before);
}

TEST(Plotting, CodeThatIsGoneIsAnErrorOfTheUsers) {
  Ground ground(one_minus_cos);
  Report report = ground.hunted();
  ground.folder.write("subject.c", "double f(double x) {");
  EXPECT_THROW(add_plots(report, ground.options, never), frontend::UserError);
  ground.folder.write("subject.c", "double g(double x) { return x; }");
  add_plots(report, ground.options, never);
  EXPECT_NE(report.targets.at(0).findings.at(0).plots.note.find("no plot: "), std::string::npos);
}

} // namespace
} // namespace faultline::campaign
