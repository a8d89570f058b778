// An oracle is right, or says that it does not know.
#include "judging.h"

#include <chrono>

namespace faultline::test {
namespace {

using oracle::Certainty;
using oracle::Judgement;

TEST(Lifted, AgreesWithTheClosedFormOfTheCancellation) {
  exec::Session session = open_files({example("one_minus_cos.c")}, "one_minus_cos");
  for (double x : {0.5, 1e-3, 1e-7, 1.1e-8, 3e-20, 1e-100}) {
    const Real half = Real(x) / Real(2), s = x < 1e-50 ? half : sin(half);
    expect_reference(lifted(session, {x}), Real(2) * s * s / (Real(x) * Real(x)));
    expect_reference(replayed(session, {x}), Real(2) * s * s / (Real(x) * Real(x)));
  }
}

TEST(Lifted, AgreesWithTheStableFormOfTheQuadratic) {
  exec::Session session =
      open_text("#include <math.h>\ndouble f(double b, double c) { return (-b + sqrt(b * b - 4 * c)) / 2; }");
  for (double b : {3.0, 1e5, 1e9, 1e30})
    expect_reference(lifted(session, {b, 1.7}),
                     Real(2) * Real(1.7) / (-Real(b) - sqrt(Real(b) * Real(b) - Real(4) * Real(1.7))));
}

TEST(Lifted, JudgesFloatsAndLongDoublesByTheirOwnUlps) {
  exec::Session single = open_text("float f(float x) { return x / 3; }");
  const Judgement narrow = lifted(single, {1});
  EXPECT_GT(narrow.outputs.at(0).ulps, 0.1);
  EXPECT_LE(narrow.outputs.at(0).ulps, 0.5);
  exec::Session extended = open_text("long double f(long double x) { return x / 3; }");
  const Judgement wide = lifted(extended, {1});
  EXPECT_GT(wide.outputs.at(0).ulps, 0.1);
  EXPECT_LE(wide.outputs.at(0).ulps, 0.5);
  EXPECT_LT(wide.outputs.at(0).relative, 0x1p-63);
}

TEST(Lifted, JudgesTheOutputThatWasAskedFor) {
  exec::Session session = open_text("struct r { int n; double a; float b; };\nint f(double x, struct r* r) { r->n = 3; "
                                    "r->a = x + 1e16 - 1e16; r->b = (float)(x * 2); return 5; }");
  size_t a = 0, b = 0;
  for (size_t i = 0; i < session.target().outputs.size(); ++i) {
    if (session.target().outputs[i].name == "r.a")
      a = i;
    if (session.target().outputs[i].name == "r.b")
      b = i;
  }
  const exec::Input input = {0.75};
  const Judgement both = oracle::judge_lifted(session, input, read(session, input), {a, b});
  ASSERT_EQ(both.outputs.size(), 2u);
  EXPECT_EQ(both.outputs[0].output, a);
  EXPECT_EQ(both.outputs[0].reference.to_double(), 0.75);
  EXPECT_NEAR(both.outputs[0].relative, 1.0, 0.7);
  EXPECT_EQ(both.outputs[1].reference.to_double(), 1.5);
  EXPECT_EQ(both.outputs[1].relative, 0);
}

TEST(Lifted, KnowsAZeroThatIsExact) {
  exec::Session session = open_text("double f(double x) { return ((x + 1) - 1) - x; }");
  const Judgement judgement = lifted(session, {0.1});
  ASSERT_EQ(judgement.certainty, Certainty::known);
  EXPECT_TRUE(judgement.outputs[0].reference.is_zero());
  EXPECT_TRUE(std::isinf(judgement.outputs[0].relative));
}

struct Doubt {
  std::string name, expression;
};
void PrintTo(const Doubt& doubt, std::ostream* stream) { *stream << doubt.name; }

class Doubtful : public testing::TestWithParam<Doubt> {
protected:
  exec::Session session_ =
      open_text(std::string("#include <math.h>\ndouble f(double x) { return ") + GetParam().expression + "; }");
};
class NearlyZero : public Doubtful {};

TEST_P(Doubtful, ValuesAreUnknownAndNotWrong) {
  for (const Judgement& judgement : {lifted(session_, {0.7}), replayed(session_, {0.7})}) {
    EXPECT_EQ(judgement.certainty, Certainty::unknown);
    EXPECT_FALSE(judgement.why_unknown.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(All, Doubtful,
                         testing::Values(Doubt{"divisor", "1 / (sqrt(x) * sqrt(x) - x)"},
                                         Doubt{"quotient", "(x / 3 * 3 - x) / (x / 7 * 7 - x)"}),
                         [](const auto& info) { return info.param.name; });

// No precision shows that it is zero, but the error bound shows that it rounds to zero.
TEST_P(NearlyZero, ValuesAreZeroToEveryFormat) {
  for (const Judgement& judgement : {lifted(session_, {0.7}), replayed(session_, {0.7})}) {
    ASSERT_EQ(judgement.certainty, Certainty::known);
    EXPECT_TRUE(judgement.outputs[0].reference.is_zero());
  }
}

INSTANTIATE_TEST_SUITE_P(All, NearlyZero,
                         testing::Values(Doubt{"pythagoras", "sin(x) * sin(x) + cos(x) * cos(x) - 1"},
                                         Doubt{"thirds", "x / 3 * 3 - x"}, Doubt{"inverses", "exp(log(x)) - x"}),
                         [](const auto& info) { return info.param.name; });

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST(Lifted, DoesNotKnowWhatDependsOnThePrecision) {
  exec::Session session = open_text("double f(double x) { double h = x; while (x + h != x) h /= 2; return h; }");
  const auto start = std::chrono::steady_clock::now();
  const Judgement judgement = lifted(session, {1.1});
  EXPECT_EQ(judgement.certainty, Certainty::unknown);
  EXPECT_FALSE(judgement.why_unknown.empty());
  EXPECT_LT(seconds_since(start), 5);
}

TEST(Lifted, GivesUpOnALoopThatOnlyUnderflowEnds) {
  Options options;
  options.limits.lifted_operations = 200'000;
  exec::Session session = open_text(
      "double f(double x) { double h = x, n = 0; while (h > 0) { h /= 2; n += 1; } return n; }", ".c", "f", options);
  const auto start = std::chrono::steady_clock::now();
  const Judgement judgement = lifted(session, {1.1});
  EXPECT_EQ(judgement.certainty, Certainty::unknown);
  EXPECT_NE(judgement.why_unknown.find("timed out"), std::string::npos) << judgement.why_unknown;
  EXPECT_LT(seconds_since(start), 5);
  EXPECT_EQ(session.run({1}).outputs[0].value, 1075) << "the session goes on";
}

TEST(Lifted, GivesUpWhenHighPrecisionCrashes) {
  exec::Session session =
      open_text("#include <stdlib.h>\ndouble f(double x) { if ((x + 1) - 1 == x) abort(); return x * 2; }");
  const Judgement judgement = lifted(session, {0.1});
  EXPECT_EQ(judgement.certainty, Certainty::unknown);
  EXPECT_NE(judgement.why_unknown.find("abort"), std::string::npos) << judgement.why_unknown;
}

constexpr const char* flipping =
    "double f(double x) {\n  double y = x + 1;\n  if (y - 1 == x)\n    return x * 3;\n  return x * x;\n}";

TEST(Lifted, NamesTheComparisonThatExactArithmeticDecidesDifferently) {
  exec::Session session = open_text(flipping);
  tape::Tape tape = read(session, {0.1});
  const Judgement judgement = oracle::judge_lifted(session, {0.1}, tape, {0});
  ASSERT_EQ(judgement.certainty, Certainty::known);
  ASSERT_TRUE(judgement.flip.has_value());
  EXPECT_EQ(session.sites().sites[judgement.flip->branch.site].line, 3);
  EXPECT_EQ(judgement.flip->branch.outcome, 0);
  EXPECT_EQ(judgement.flip->lifted, 1);
  expect_reference(judgement, Real(0.1) * Real(3));
  EXPECT_FALSE(lifted(session, {0.5}).flip.has_value());
}

TEST(Replayed, StaysOnThePathOfTheRun) {
  exec::Session session = open_text(flipping);
  expect_reference(replayed(session, {0.1}), Real(0.1) * Real(0.1));
}

TEST(Replayed, DoesNotKnowAnOutputWithoutARecord) {
  exec::Session session = open_text("double f(double x, double* r) { if (x > 2) *r = x / 3; return x * 2; }");
  tape::Tape tape = read(session, {1});
  size_t unwritten = 0;
  while (session.target().outputs.at(unwritten).name == "return")
    ++unwritten;
  ASSERT_EQ(output_record(tape, unwritten), 0u);
  const Judgement judgement = oracle::judge_replayed(session.target(), tape, {unwritten});
  EXPECT_EQ(judgement.certainty, Certainty::unknown);
  EXPECT_NE(judgement.why_unknown.find(session.target().outputs[unwritten].name), std::string::npos)
      << judgement.why_unknown;
}

// References that the user supplies.

} // namespace
} // namespace faultline::test
