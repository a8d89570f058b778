// What became of an infinity or NaN.
#include "reading.h"

#include "tape/fate.h"

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

} // namespace
} // namespace faultline::tape
