#include "../tape/reading.h"

#include "oracle/lifted.h"
#include "oracle/truncation.h"

namespace faultline::test {
namespace {

oracle::OutputJudgement judged(const std::string& source, double x, double least = 1e-3) {
  exec::Session session = open_text("#include <math.h>\n" + source);
  const tape::Tape tape = read(session, {x});
  oracle::Judgement judgement = oracle::judge_lifted(session, {x}, tape, {0});
  EXPECT_EQ(judgement.certainty, oracle::Certainty::known) << judgement.why_unknown;
  if (!oracle::look_for_truncation(judgement, session, {x}, tape, least))
    oracle::look_at_turns(judgement, session.target(), tape, least);
  return judgement.outputs.front();
}

constexpr const char* heron = "double f(double x) { double y = x > 1 ? x : 1, d;\n"
                              "do { double n = 0.5 * (y + x / y); d = fabs(n - y); y = n; } while (d > 1e-4);\n"
                              "return y; }";

TEST(Truncation, IsToldWhereASmallerToleranceLeadsElsewhere) {
  const oracle::OutputJudgement small = judged(heron, 1e-8);
  ASSERT_TRUE(small.truncation);
  EXPECT_TRUE(small.truncation->turns == 0);
  EXPECT_NEAR(small.reference.to_double(), 1e-4, 1e-8);
  EXPECT_GT(small.relative, 0.05);
  EXPECT_NEAR(small.truncation->exact.to_double(), double(small.computed), 1e-18);
}

TEST(Truncation, IsNotToldWhereTheLoopHasArrived) {
  const oracle::OutputJudgement large = judged(heron, 2);
  EXPECT_FALSE(large.truncation);
  EXPECT_LT(large.relative, 1e-9);
}

TEST(Truncation, IsNotABorderThatTheConstantMeans) {
  EXPECT_FALSE(
      judged("double f(double x) { double t = 0, s = 0; while (t < 0.01) { s += exp(-t * x) * 0.001; t += 0.001; }\n"
             "return s; }",
             3)
          .truncation)
      << "the end of a range";
  EXPECT_FALSE(judged("double f(double x) { int n = 0; while (fabs(x) > 0.01) { x *= 0.5; n++; }\n"
                      "double y = x + x * x / 2 + x * x * x / 6 + x * x * x * x / 24;\n"
                      "while (n-- > 0) y = y * (y + 2); return y; }",
                      3)
                   .truncation)
      << "halvings before a polynomial";
}

TEST(Truncation, OfAFixedNumberOfTurnsIsToldApart) {
  const oracle::OutputJudgement few = judged("double f(double x) { double y = x, p = x;\n"
                                             "for (int k = 1; k < 12; k++) { p *= -x * x; y += p / (2 * k + 1); }\n"
                                             "return y; }",
                                             1);
  ASSERT_TRUE(few.truncation);
  EXPECT_GE(few.truncation->turns, 4u) << "the compiler may have made one of two";
  EXPECT_NEAR(few.reference.to_double(), 0.785, 0.003);
}

} // namespace
} // namespace faultline::test
