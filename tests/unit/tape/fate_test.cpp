// What became of an infinity or NaN.
#include "reading.h"

#include "tape/exceptions.h"

namespace faultline::tape {
namespace {

using ops::Op;
using test::find;

struct Story {
  Story(const std::string& text, const exec::Input& input)
      : session(test::open_text("#include <math.h>\n" + text)), tape(test::read(session, input)) {}
  exec::Session session;
  Tape tape;
  std::vector<size_t> judged{0};

  Fate of(Op op, int n = 0) const { return Fates(tape, judged).of_nonfinite(find(tape, op, n)); }
};

TEST(Fate, OfAnInfinityThatIsReturned) {
  const Story story("double f(double x) { return 2 / x + 1; }", {0});
  EXPECT_EQ(story.of(Op::fdiv).end, End::output);
}

TEST(Fate, OfAnInfinityThatADivisionEnds) {
  const Story story("double f(double x) { return 1 / (1 + exp(x)); }", {1000});
  const Fate fate = story.of(Op::exp);
  EXPECT_EQ(fate.end, End::arithmetic);
  EXPECT_EQ(story.tape.site(fate.record).op, Op::fdiv);
  EXPECT_EQ(story.tape.site(fate.operand).op, Op::fadd) << "what it was by then";
}

TEST(Fate, IsThatOnTheWayToTheOutputAndNotOfAComparisonBefore) {
  const Story story("double f(double x) { double e = exp(x); if (e > 5) return 1 / e; return e; }", {1000});
  EXPECT_EQ(story.of(Op::exp).end, End::arithmetic);
}

TEST(Fate, OfANumberIsWhateverIsComputedFromIt) {
  const Story story("double f(double x) { return 1 / (1 + exp(x)); }", {1000});
  EXPECT_EQ(Fates(story.tape, story.judged).of_number(find(story.tape, Op::exp)).end, End::output);
}

TEST(Fate, OfWhatIsConvertedOrNotUsed) {
  EXPECT_EQ(Story("double f(double x) { return (int)(1 / x); }", {0}).of(Op::fdiv).end, End::conversion);
  Story story("void f(double x, double *p, double *q) { *p = x + 1; *q = 1 / x; }", {0});
  const Fate fate = story.of(Op::fdiv);
  EXPECT_EQ(fate.end, End::unjudged);
  EXPECT_EQ(fate.output, 1u);
}

TEST(Source, OfANaNIsTheOperationThatMadeTheInfinity) {
  const Story story("double f(double x) { double q = x * x; double r = q + 1; return r - r * 2; }", {1e200});
  EXPECT_EQ(source_of_nonfinite(story.tape, find(story.tape, Op::fsub)), find(story.tape, Op::fmul));
  EXPECT_EQ(nonfinite_operand(story.tape, find(story.tape, Op::fmul)), 0u);
  const Story given("double f(double x) { return x - x * 2; }", {INFINITY});
  EXPECT_EQ(source_of_nonfinite(given.tape, find(given.tape, Op::fsub)), 1u) << "the input";
}

// x / norm, where the squares underflow.
TEST(Underflow, BehindADivisionIsFoundThroughASumAndARoot) {
  const char* text = "double f(double x, double y) { double n = sqrt(x * x + y * y); return y / n + x / n; }";
  const Story story(text, {0, 1e-200});
  for (const int division : {0, 1}) {
    const uint32_t behind = underflow_behind(story.tape, find(story.tape, Op::fdiv, division));
    ASSERT_NE(behind, 0u) << "0 / 0 and 1e-200 / 0 alike: it is the divisor that should not be zero";
    EXPECT_EQ(behind, find(story.tape, Op::fmul, 1)) << "0 * 0 does not underflow";
  }
  const Story zeros(text, {0, 0});
  EXPECT_EQ(underflow_behind(zeros.tape, find(zeros.tape, Op::fdiv)), 0u) << "exact arithmetic divides by zero, too";
}

TEST(Underflow, OfWhatIsDividedIsBehindZeroByAZeroThatWasComputed) {
  const Story story("double f(double x, double p) { return (x * x) / log(1 / (1 - p)); }", {1e-200, 1e-20});
  EXPECT_EQ(underflow_behind(story.tape, find(story.tape, Op::fdiv, 1)), find(story.tape, Op::fmul));
}

TEST(Underflow, IsNotBehindAZeroThatIsOneWithoutIt) {
  const Story cancelled("double f(double x, double y) { return 1 / (y - x); }", {3, 3});
  EXPECT_EQ(underflow_behind(cancelled.tape, find(cancelled.tape, Op::fdiv)), 0u);
  const Story product("double f(double x, double y) { return 1 / (x * x * y); }", {1e-200, 0});
  EXPECT_EQ(underflow_behind(product.tape, find(product.tape, Op::fdiv)), 0u) << "y is zero";
  const Story numerator("double f(double x, double y) { return (x * x) / y; }", {1e-200, 0});
  EXPECT_EQ(underflow_behind(numerator.tape, find(numerator.tape, Op::fdiv)), 0u);
}

} // namespace
} // namespace faultline::tape
