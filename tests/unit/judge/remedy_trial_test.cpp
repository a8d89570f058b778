// A hint is offered only if it does no harm anywhere: on a thousand inputs, or under a condition.
#include "../tape/reading.h"

#include "judge/diagnosis/completion.h"
#include "judge/space_of_target.h"
#include "search/space.h"

namespace faultline::judge {

using model::Finding;
using model::Remedy;
using model::Settings;
namespace {

using test::open_text;

// The hint for a finding at this input, if there is one.
std::optional<Remedy> hint_for(const std::string& text, const exec::Input& input, Settings settings = {},
                               const model::Sizes& sizes = {}) {
  exec::Session session = open_text("#include <math.h>\n" + text, ".c", "f", {.sizes = sizes});
  Judge judge(session, settings, judged_outputs(session.target(), settings), nullptr);
  const search::Space space = space_of(session.target(), settings), everyday = search::everyday_part(space);
  const Locations locations(session.sites());
  const CallerNotice notice(session.target(), settings);
  ExceptionJudge exceptions(session, settings, judge, locations, notice);
  RemedyTrial trial(session, settings, judge, space, everyday);
  Completion completion(session, judge, exceptions, space, everyday, trial);
  std::vector<JudgedFinding> found = judge.errors(input, "bracket");
  EXPECT_EQ(found.size(), 1u) << text;
  if (found.empty())
    return std::nullopt;
  completion.diagnose(found.front());
  return found.front().finding.diagnosis ? found.front().finding.diagnosis->remedy : std::nullopt;
}

TEST(RemedyTrial, SaysOnHowManyInputsTheHintWasTried) {
  const auto hint = hint_for("double f(double x) { return 1 - cos(x); }", {1e-8});
  ASSERT_TRUE(hint);
  EXPECT_EQ(hint->name, "half-angle");
  EXPECT_GE(hint->tried, 1000u);
  EXPECT_EQ(hint->condition, "");
}

TEST(RemedyTrial, IsTheSameForTheSameSeed) {
  const std::string text = "double f(double b, double c) { return (sqrt(b * b - 4 * c) - b) / 2; }";
  const auto one = hint_for(text, {1e9, 1}), other = hint_for(text, {1e9, 1});
  ASSERT_TRUE(one && other);
  EXPECT_EQ(one->advice, other->advice);
  EXPECT_EQ(one->tried, other->tried);
}

TEST(RemedyTrial, GivesAHintThatHelpsOnOneSideOnlyItsCondition) {
  const auto hint = hint_for("double f(double b, double c) { return (sqrt(b * b - 4 * c) - b) / 2; }", {1e9, 1});
  ASSERT_TRUE(hint);
  EXPECT_EQ(hint->name, "rationalised difference");
  EXPECT_TRUE(hint->condition.starts_with("b > 0")) << hint->condition;
  EXPECT_TRUE(hint->advice.starts_with("for b > 0")) << hint->advice;
}

TEST(RemedyTrial, DropsAHintThatIsLuckAtOneInput) {
  // Every order of three terms is right for some inputs and wrong for others.
  const auto hint = hint_for("double f(double a, double b, double c) { return (a + b) + c; }", {1e16, 1, -1e16});
  EXPECT_TRUE(!hint || hint->name != "other order") << hint->advice;
}

TEST(RemedyTrial, DropsAHintThatBreaksOtherInputs) {
  // exp(n * log1p(x)) has more roundings than pow where 1 + x is exact.
  const auto hint = hint_for("double f(double x, double n) { return pow(1 + x, n); }", {1e-15, 1e15});
  EXPECT_TRUE(!hint || hint->name != "log1p" || !hint->condition.empty()) << hint->advice;
}

// What the review of Cephes and musl found: correct code that hints would break.
TEST(RemedyTrial, NeverRemovesAnArgumentReduction) {
  const std::string reduced = "struct { double inverse, shift, high, low; } tab = {0x1.71547652b82fep0, 0x1.8p52, "
                              "-0x1.62e42fefa0000p-1, -0x1.cf79abc9e3b39p-40};\n"
                              "double f(double x) {\n  double k = x * tab.inverse + tab.shift;\n  k -= tab.shift;\n"
                              "  double r = x + k * tab.high + k * tab.low;\n"
                              "  return ldexp(1 + r * (1 + r * (0.5 + r * (1.0 / 6 + r / 24))), (int)k);\n}";
  exec::Session session = open_text("#include <math.h>\n" + reduced, ".c", "f");
  const Settings settings;
  Judge judge(session, settings, judged_outputs(session.target(), settings), nullptr);
  for (const double x : {1.0, 0.3, -2.7, 10.0})
    if (std::vector<JudgedFinding> found = judge.errors({x}, "bracket"); !found.empty())
      if (const auto hint = hint_for(reduced, {x}))
        ADD_FAILURE() << hint->advice;
}

TEST(RemedyTrial, OffersAWiderFormatOnlyIfNothingElseHelps) {
  const auto hint = hint_for("double f(double x) { return log(1 + x); }", {1e-15});
  ASSERT_TRUE(hint);
  EXPECT_EQ(hint->name, "log1p");
  const auto wider = hint_for("double f(double x) { double p = ((x - 3) * x + 3) * x; return p - 1; }", {1.00001});
  EXPECT_TRUE(!wider || wider->name == "long double") << wider->advice;
}

TEST(RemedyTrial, KeepsToItsGuard) {
  // log1p((x - y) / y) is -inf where x is far below y.
  const auto hint = hint_for("double f(double x, double y) { return log(x / y); }", {3.0000000000000004, 3});
  ASSERT_TRUE(hint);
  EXPECT_EQ(hint->name, "log1p");
  EXPECT_EQ(hint->condition, "x / y is between 0.5 and 2");
}

std::vector<TrialResult> results_on(const std::function<Effect(long double)>& effect) {
  std::vector<TrialResult> results;
  for (int i = 0; i < 200; ++i) {
    const long double x = std::ldexp(i % 2 ? 1.0L : -1.0L, i / 4 - 25);
    results.push_back({{x}, effect(x)});
  }
  return results;
}

search::Space line() {
  search::Dimension x;
  x.name = "x";
  x.low = -1e300;
  x.high = 1e300;
  return {{x}};
}

TEST(TrialCondition, IsARoundBoundWithAMargin) {
  const auto condition = condition_for(
      results_on([](long double x) { return std::fabs(x) < 0.1L ? Effect::better : Effect::worse; }), line());
  ASSERT_TRUE(condition);
  EXPECT_EQ(condition->text(line()), "|x| < 0.05");
  const auto parsed = parsed_bound("|x| < 0.05 and more", {"x"});
  ASSERT_TRUE(parsed);
  EXPECT_TRUE(parsed->of_magnitude && parsed->below);
  EXPECT_NEAR(double(parsed->value), 0.05, 1e-9);
}

TEST(TrialCondition, IsTheSignWhereThatDecides) {
  const auto condition =
      condition_for(results_on([](long double x) { return x < 0 ? Effect::better : Effect::worse; }), line());
  ASSERT_TRUE(condition);
  EXPECT_EQ(condition->text(line()), "x < 0");
}

TEST(TrialCondition, IsNoneWhereTheHarmIsEverywhere) {
  size_t count = 0;
  EXPECT_FALSE(condition_for(results_on([&](long double) { return ++count % 7 == 3 ? Effect::worse : Effect::better; }),
                             line()));
}

TEST(TrialCondition, IsNoneWhereTheCodeWasRightByChance) {
  EXPECT_FALSE(condition_for(
      results_on([&](long double x) { return x == std::ldexp(1.0L, 20) ? Effect::worse : Effect::better; }), line()));
}

} // namespace
} // namespace faultline::judge
