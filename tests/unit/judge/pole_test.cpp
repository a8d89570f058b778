// Poles: 1 / 0 cannot be computed better, so it is not reported. Roots are different.
#include "../tape/reading.h"

#include "judge/judge.h"
#include "judge/space_of_target.h"

namespace faultline::judge {

using model::Finding;
using model::Settings;
namespace {

struct Court {
  explicit Court(const std::string& text)
      : session(test::open_text("#include <math.h>\n" + text)),
        judge(session, settings, judged_outputs(session.target(), settings), nullptr) {}
  Settings settings;
  exec::Session session;
  Judge judge;

  bool at_a_pole(const exec::Input& input) {
    const exec::Run run = session.run(input);
    const oracle::Judgement judgement = judge.judge(input, tape::Tape(run, session.sites(), input.size()));
    EXPECT_EQ(judgement.certainty, oracle::Certainty::known);
    return is_at_a_pole(judge, session, input, 0, judgement.outputs.at(0).reference);
  }
};

double above(double value) { return std::nextafter(value, INFINITY); }
double below(double value) { return std::nextafter(value, -INFINITY); }

constexpr double root_of_2 = 1.4142135623730951;

TEST(Pole, IsTheFloatNearestToIt) {
  Court court("double f(double x) { return 1 / (x * x - 2); }");
  EXPECT_TRUE(court.at_a_pole({root_of_2}));
  EXPECT_TRUE(court.at_a_pole({-root_of_2}));
  EXPECT_FALSE(court.at_a_pole({below(root_of_2)})) << "the other side of the pole is farther away";
  EXPECT_FALSE(court.at_a_pole({above(root_of_2)}));
  EXPECT_FALSE(court.at_a_pole({above(above(root_of_2))}));
  EXPECT_FALSE(court.at_a_pole({1.5}));
}

TEST(Pole, OfARationalFunctionWithARoundedConstant) {
  Court court("double f(double x) { return 1 / (x * 3 - 0.1); }");
  int poles = 0;
  double value = 0.1 / 3 - 20 * (above(0.1 / 3) - 0.1 / 3);
  for (int i = 0; i < 40; ++i, value = above(value))
    poles += court.at_a_pole({value});
  EXPECT_EQ(poles, 1) << "one float of forty";
}

TEST(Pole, OfTheTangentNear90Degrees) {
  Court court("double f(double x) { return tan(x * 3.141592653589793 / 180); }");
  EXPECT_TRUE(court.at_a_pole({90}));
  EXPECT_FALSE(court.at_a_pole({above(90)}));
  EXPECT_FALSE(court.at_a_pole({89.999}));
}

TEST(Pole, OfAReflectionFormula) {
  Court court("double f(double x) { return 1 / x + 1 / (x - 1) - 3.141592653589793 / tan(3.141592653589793 * x); }");
  EXPECT_TRUE(court.at_a_pole({3}));
  EXPECT_FALSE(court.at_a_pole({3.25}));
  EXPECT_FALSE(court.at_a_pole({above(above(3))}));
}

TEST(Pole, IsNoRoot) {
  Court court("double f(double x) { return x * x - 2; }");
  for (double value : {root_of_2, below(root_of_2), above(root_of_2)})
    EXPECT_FALSE(court.at_a_pole({value}));
}

TEST(Pole, IsNotWhereAFunctionIsMerelySteepOrLarge) {
  Court exponential("double f(double x) { return exp(x * x); }"),
      peak("double f(double x) { return 1 / (x * x + 1); }"),
      narrow("double f(double x) { double d = x * x - 2; return 1 / (d * d + 3e-30); }");
  EXPECT_FALSE(exponential.at_a_pole({20}));
  EXPECT_FALSE(peak.at_a_pole({0}));
  EXPECT_FALSE(peak.at_a_pole({1e-8}));
  EXPECT_FALSE(narrow.at_a_pole({root_of_2})) << "larger than beside it, by a little";
}

TEST(Pole, OfAnyOfAFewInputs) {
  Court court("double f(double x, double y) { return 1 / (x * x - y); }");
  EXPECT_TRUE(court.at_a_pole({root_of_2, 2}));
  EXPECT_FALSE(court.at_a_pole({2, 3}));
}

TEST(Pole, OfFloatsIsWideAsAFloat) {
  Court court("float f(float x) { return 1 / (x * x - 2); }");
  EXPECT_TRUE(court.at_a_pole({1.41421354f}));
  EXPECT_FALSE(court.at_a_pole({1.414f}));
}

TEST(Pole, IsLeftOutOfTheFindings) {
  Court court("double f(double x) { return 1 / (x * x - 2); }");
  EXPECT_TRUE(court.judge.errors({root_of_2}, "").empty());
  EXPECT_FALSE(court.judge.errors({below(root_of_2)}, "").empty()) << "its neighbour is wrong all the same";
  Court root("double f(double x) { return x * x - 2; }");
  EXPECT_FALSE(root.judge.errors({root_of_2}, "").empty());
}

// Looking around runs other inputs: what is said of the finding must be of its own.
TEST(Pole, LookingForOneDoesNotChangeTheFinding) {
  Court court("double f(double x) { return x * x - 2; }");
  const std::vector<JudgedFinding> findings = court.judge.errors({root_of_2}, "");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(std::strtod(findings[0].finding.input[0].value.hex.c_str(), nullptr), root_of_2);
  EXPECT_EQ(std::strtod(findings[0].finding.output->computed.hex.c_str(), nullptr), root_of_2 * root_of_2 - 2);
}

} // namespace
} // namespace faultline::judge
