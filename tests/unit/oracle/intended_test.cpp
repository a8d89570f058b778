#include "../tape/reading.h"

#include "oracle/judgement.h"
#include "oracle/lifted.h"

namespace faultline::test {
namespace {

struct Errors {
  double lifted = 0, allowed = 0; // relative, of the last output
  bool flips = false;
};

exec::Session open(const std::string& body) {
  return open_text("#include <math.h>\ndouble f(double a, double b, double* e) { " + body + " }");
}

Errors judged_in(exec::Session& session, const exec::Input& input) {
  const tape::Tape tape = read(session, input);
  std::vector<size_t> outputs{0, 1};
  oracle::Judgement judgement = oracle::judge_lifted(session, input, tape, outputs);
  EXPECT_EQ(judgement.certainty, oracle::Certainty::known) << judgement.why_unknown;
  Errors errors{.lifted = judgement.outputs.back().relative};
  oracle::allow_for_intended(judgement, session.target(), tape);
  errors.allowed = judgement.outputs.back().relative;
  errors.flips = judgement.flip.has_value();
  return errors;
}

Errors judged(const std::string& body, const exec::Input& input) {
  exec::Session session = open(body);
  return judged_in(session, input);
}

TEST(AllowingForIntended, TermsThatMeasureARoundingAreRight) {
  const Errors sum = judged("double s = a + b; *e = (a - s) + b; return s;", {1.1, 1e-5});
  EXPECT_TRUE(std::isinf(sum.lifted)) << "without: zero, by the rules of algebra";
  EXPECT_EQ(sum.allowed, 0);
  const Errors far = judged("double s = a + b, t = s - a; *e = (a - (s - t)) + (b - t); return s;", {1e308, 1});
  EXPECT_TRUE(std::isinf(far.lifted));
  EXPECT_EQ(far.allowed, 0);
}

TEST(AllowingForIntended, AWrongTermStaysWrong) {
  const Errors wrong =
      judged("double s = a + b, t = (a - s) + b; *e = t + ((1e17 * a + 1) - 1e17 * a); return s;", {1.1, 1e-5});
  EXPECT_GT(wrong.allowed, 0.5) << "what is added to it is lost";
}

TEST(AllowingForIntended, EitherNeighbourWillDoToReduceAnArgument) {
  // 3.5 / 0.7 is 5 - 0.5 ulp or so; a quotient half-way between two integers is what it takes.
  exec::Session reduction = open("double k = rint(a / b); *e = a - k * b; return k;");
  int differ = 0;
  for (int n = 1; n < 200; ++n)
    for (double b : {0.1, 0.3, 0.7, 1.1}) {
      const double a = (n + 0.5) * b;
      const Errors errors = judged_in(reduction, {a, b});
      differ += errors.lifted > 0.5;
      EXPECT_LT(errors.allowed, 1e-8) << a << " " << b;
    }
  EXPECT_GT(differ, 3) << "the test shows nothing otherwise";
}

// The angle is pi, which is more than M_PI.
TEST(AllowingForIntended, ARoundedConstantStandsForWhatItIsComparedWith) {
  const std::string restricted = "*e = atan2(b, a); if (*e > 3.141592653589793) *e -= 2 * 3.141592653589793; return a;";
  const Errors angle = judged(restricted, {-1, 0});
  EXPECT_GT(angle.lifted, 1);
  EXPECT_LT(angle.allowed, 1e-15);
  EXPECT_FALSE(angle.flips);
  const Errors whole = judged("*e = (a + b) - a; if (*e > 1) *e += 1; return a;", {1e10, 1.0000001});
  EXPECT_GT(whole.allowed, 0.1) << "1 is 1: the comparison is wrong";
  const Errors absorbed =
      judged("*e = b + 3.141592653589793; *e = *e > 3.141592653589793 ? 1 : 2; *e *= a; return a;", {1, 1e-17});
  EXPECT_GT(absorbed.allowed, 0.1) << "more than M_PI, and not pi";
}

TEST(AllowingForIntended, APathThatExactArithmeticDoesNotTakeIsNoExcuse) {
  const Errors flipped =
      judged("double s = a + b, t = (a - s) + b; *e = (a + 1e17) - 1e17 < 0.5 * a ? 1 : t; return s;", {1.1, 1e-5});
  EXPECT_GT(flipped.allowed, 0.5);
  EXPECT_TRUE(flipped.flips);
}

} // namespace
} // namespace faultline::test
