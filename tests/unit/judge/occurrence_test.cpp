// How often a finding shows, and when: shares and conditions of functions of which both are known.
#include "../temporary_folder.h"
#include "workshop.h"

#include "judge/diagnosis/occurrence.h"

#include <gtest/gtest.h>

namespace faultline::judge {

using model::Finding;
using model::Kind;
using model::OracleName;
using model::Settings;
namespace {

Finding measured(Workshop& workshop, Finding finding) {
  Occurrence(workshop.session, workshop.settings, workshop.judge, workshop.locations, workshop.space, workshop.everyday)
      .measure(finding);
  return finding;
}

Finding error_at(Workshop& workshop, const exec::Input& input) {
  const std::vector<JudgedFinding> found = workshop.judge.errors(input, "bracket");
  EXPECT_EQ(found.size(), 1u);
  return found.empty() ? Finding() : found.front().finding;
}

Finding measured_error(const std::string& text, const exec::Input& input, const Settings& settings = {}) {
  Workshop workshop(text, settings);
  return measured(workshop, error_at(workshop, input));
}

Finding measured_exception(const std::string& text, const exec::Input& input, const Settings& settings = {}) {
  Workshop workshop(text, settings);
  const std::vector<ConfirmedException> confirmed = workshop.exceptions.confirmed(input);
  EXPECT_FALSE(confirmed.empty());
  if (confirmed.empty())
    return {};
  const std::vector<Finding> found = workshop.exceptions.findings(
      {input, {{confirmed[0].shown.location, confirmed[0].shown.kind, "sampling"}}}, "random");
  EXPECT_FALSE(found.empty());
  return found.empty() ? Finding() : measured(workshop, found.front());
}

long double bound_in(const std::string& when, const std::string& before) {
  EXPECT_TRUE(when.starts_with(before)) << when;
  return std::strtold(when.c_str() + std::min(before.size(), when.size()), nullptr);
}

// Wrong by about 1 above 7.5, right elsewhere.
constexpr const char* wrong_above = "double f(double x) {\n  return x > 7.5 ? (x + 1e17) - 1e17 : x + 1;\n}";

TEST(Occurrence, OfACancellationIsBelowAMagnitude) {
  // Of the everyday floats, all magnitudes alike, log(188) / log(1e18) lie there: 0.126.
  for (const long double x : {1e-8L, -1e-8L}) {
    const Finding finding = measured_error(one_minus_cos, {x});
    EXPECT_EQ(finding.when, "|x| < 1.88e-7");
    ASSERT_TRUE(finding.share);
    EXPECT_FALSE(finding.share->of_range);
    EXPECT_LT(finding.share->low, 0.126);
    EXPECT_GT(finding.share->high, 0.126);
    EXPECT_LT(finding.share->high - finding.share->low, 0.04) << "of 2000 samples";
  }
}

TEST(Occurrence, OfEachOfTwoProblemsIsItsOwn) {
  Settings settings;
  settings.ranges["x"] = {0, 10};
  // Wrong at line 3 below 2, at line 4 from 7.5 on.
  const char* text = "double f(double x) {\n  if (x < 2) return (x + 1e17) - 1e17;\n"
                     "  if (x > 7.5) return 1e17 - (1e17 - x);\n  return x;\n}";
  Workshop workshop(text, settings);
  const Finding low = measured(workshop, error_at(workshop, {1.5})), high = measured(workshop, error_at(workshop, {9}));
  ASSERT_TRUE(low.share && high.share);
  EXPECT_LT(low.share->low, 0.2);
  EXPECT_GT(low.share->high, 0.2);
  EXPECT_LT(low.share->high, 0.35) << "both together are 0.45";
  EXPECT_LT(high.share->low, 0.25);
  EXPECT_GT(high.share->high, 0.25);
  EXPECT_LT(high.share->high, 0.4);
}

TEST(Occurrence, InARangeIsByItsLength) {
  Settings settings;
  settings.ranges["x"] = {0, 10};
  const Finding finding = measured_error(wrong_above, {9}, settings);
  EXPECT_EQ(finding.when, "x > 7.5");
  ASSERT_TRUE(finding.share);
  EXPECT_TRUE(finding.share->of_range);
  EXPECT_LT(finding.share->low, 0.25);
  EXPECT_GT(finding.share->high, 0.25);
  EXPECT_LT(finding.share->high - finding.share->low, 0.05);
}

TEST(Occurrence, IsLookedForInEveryInput) {
  const Finding finding = measured_error(
      "double f(double a, double x) {\n  double d = 1 - cos(x);\n  return d / (x * x) + a * 0;\n}", {3, 1e-8L});
  EXPECT_NEAR(double(bound_in(finding.when, "|x| < ")), 1.88e-7, 1e-8);
  ASSERT_TRUE(finding.share);
}

TEST(Occurrence, OfAWholeNumberIsFromTheFirstThatShowsIt) {
  Settings settings;
  settings.ranges["n"] = {0, 20};
  settings.ranges["x"] = {1, 2};
  const Finding finding =
      measured_error("double f(int n, double x) {\n  return n > 7 ? (x + 1e17) - 1e17 : x + 1;\n}", {9, 1.5}, settings);
  EXPECT_EQ(finding.when, "n >= 8");
}

TEST(Occurrence, IsByTheThresholdThatTheFindingExceeds) {
  Workshop workshop(one_minus_cos);
  Finding half = error_at(workshop, {1e-8L});
  half.half_digits = true;
  EXPECT_GT(bound_in(measured(workshop, half).when, "|x| < "), 1e-5L);
  Settings strict;
  strict.ulps = 0x1p49; // an eighth
  EXPECT_LT(bound_in(measured_error(one_minus_cos, {1e-8L}, strict).when, "|x| < "), 5e-8L);
  Settings lax;
  lax.threshold = 1e-6;
  EXPECT_GT(bound_in(measured_error(one_minus_cos, {1e-8L}, lax).when, "|x| < "), 1e-6L);
}

TEST(Occurrence, OfFewInputsIsAroundTheOneThatIsKnown) {
  const Finding finding =
      measured_error("double f(double x) {\n  double p = x * x;\n  return p - 2;\n}", {1.4142135623730951L});
  const size_t of = finding.when.find(" of ");
  ASSERT_NE(of, std::string::npos) << finding.when;
  EXPECT_EQ(finding.when.substr(of), " of 1.41421");
  // The rounding of p, 1.1e-16, is a thousandth of 2 * sqrt(2) * distance.
  const long double width = bound_in(finding.when.substr(0, of), "x within ");
  EXPECT_GT(width, 1e-14L);
  EXPECT_LT(width, 2e-13L);
  ASSERT_TRUE(finding.share);
  EXPECT_EQ(finding.share->low, 0) << "no sample shows it";
  EXPECT_GT(finding.share->high, 0);
  EXPECT_LT(finding.share->high, 0.003);
}

// Wrong by about 1 between 3 and an end: too few inputs for samples.
std::string wrong_from_three_to(const std::string& end) {
  return "double f(double x) {\n  return x > 3 && x < " + end + " ? (x + 1e17) - 1e17 : x + 1;\n}";
}

TEST(Occurrence, AroundAnInputReachesToTheFartherEnd) {
  EXPECT_EQ(measured_error(wrong_from_three_to("3.001"), {3.0009L}).when, "x within 0.0009 of 3.0009");
  EXPECT_EQ(measured_error(wrong_from_three_to("3.001"), {3.0001L}).when, "x within 0.0009 of 3.0001");
  EXPECT_EQ(measured_error(wrong_from_three_to("3.5"), {3.25L}).when, "") << "that is no neighbourhood";
}

TEST(Occurrence, OfAMagnitudeTurnsOnTheSideOfTheInput) {
  Settings settings;
  settings.ranges["x"] = {-10, 10};
  const char* text = "double f(double x) {\n  return x < 0.9952 && x > -0.9958 ? (x + 1e17) - 1e17 : x + 20;\n}";
  EXPECT_EQ(measured_error(text, {0.5L}, settings).when, "|x| < 0.995");
  EXPECT_EQ(measured_error(text, {-0.5L}, settings).when, "|x| < 0.996");
}

TEST(Occurrence, OfAnExceptionIsThatOfItsOperation) {
  const Finding finding = measured_exception("double f(double b) {\n  return sqrt(b * b + 1);\n}", {1e200L});
  EXPECT_EQ(finding.kind, Kind::overflow);
  EXPECT_EQ(finding.when, "|b| > 1.34e154");
  EXPECT_FALSE(finding.share) << "how often it shows at everyday inputs says nothing of an input that is none";
  const Finding few = measured_exception("double f(double x) {\n  return sqrt((x - 3) * (x - 3.001));\n}", {3.0005L});
  EXPECT_EQ(few.kind, Kind::invalid);
  EXPECT_EQ(few.when, "");
}

TEST(Occurrence, OfAnExceptionIsNotThatOfAnotherOperation) {
  Settings settings;
  settings.ranges["x"] = {-1, 3};
  // The root of x is invalid for a quarter of the range, the other operation for half of it.
  for (const char* text : {"double f(double x) {\n  double s = sqrt(x);\n  double t = sqrt(x - 1);\n  return s + t;\n}",
                           "double f(double x) {\n  return sqrt(x) + sqrt(x - 1);\n}",
                           "#define BOTH (sqrt(x) + log(x - 1))\ndouble f(double x) {\n  return BOTH;\n}"}) {
    const Finding finding = measured_exception(text, {-0.5L}, settings);
    EXPECT_EQ(finding.kind, Kind::invalid);
    ASSERT_TRUE(finding.cause && finding.share) << text;
    EXPECT_EQ(finding.cause->operation, "sqrt");
    EXPECT_LT(finding.share->low, 0.25) << text;
    EXPECT_GT(finding.share->high, 0.25) << text;
    EXPECT_LT(finding.share->high, 0.3) << text;
  }
}

TEST(Occurrence, IsNotClaimedWhereTheOracleDoesNotConfirmIt) {
  Workshop workshop(one_minus_cos);
  Settings settings;
  settings.oracle = OracleName::reference;
  test::TemporaryFolder folder; // the reference has the same error
  exec::Reference reference = exec::Reference::load(
      {{folder.write("reference.c", std::string("#include <math.h>\n") + one_minus_cos)}, {}, ""}, "f", 1);
  Judge agreeing(workshop.session, settings, workshop.judge.outputs(), &reference);
  Finding finding = error_at(workshop, {1e-8L});
  Occurrence(workshop.session, settings, agreeing, workshop.locations, workshop.space, workshop.everyday)
      .measure(finding);
  ASSERT_TRUE(finding.share);
  EXPECT_EQ(finding.share->low, 0);
  EXPECT_GT(finding.share->high, 0.126);
}

TEST(Occurrence, IsUnknownOfAFlip) {
  const Finding flip =
      measured_error("double f(double x) {\n  if (x * x + 1 > 1)\n    return 2;\n  return 1;\n}", {1e-9L});
  ASSERT_EQ(flip.kind, Kind::branch_flip);
  EXPECT_FALSE(flip.share);
  EXPECT_EQ(flip.when, "");
}

TEST(Occurrence, IsUnknownWhereASampleDoesNotEnd) {
  const Finding finding = measured_error("static volatile int n;\ndouble f(double x) {\n  while (x > 2)\n    n++;\n"
                                         "  double d = 1 - cos(x);\n  return d / (x * x);\n}",
                                         {1e-8L});
  EXPECT_FALSE(finding.share);
  EXPECT_EQ(finding.when, "");
}

} // namespace
} // namespace faultline::judge
