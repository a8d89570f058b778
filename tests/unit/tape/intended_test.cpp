#include "reading.h"

#include "tape/intended.h"

namespace faultline::test {
namespace {

using ops::Op;

// The operation of the sum in (x + C) - C after the run has been looked at.
std::vector<Op> intended(const std::string& source, double x, const exec::Input& more = {}) {
  exec::Session session = open_text(source);
  exec::Input input{x};
  input.insert(input.end(), more.begin(), more.end());
  const tape::Tape tape = read(session, input);
  tape::note_intended_roundings(session, tape);
  std::vector<Op> found;
  for (const runtime::Site& site : session.sites().sites)
    if (ops::rounds_on_purpose(site.op))
      found.push_back(site.op);
  return found;
}

TEST(IntendedRounding, IsToldByWhatTheRunDoes) {
  const std::vector<Op> by_adding{Op::round_add};
  EXPECT_EQ(intended("double f(double x) { double m = 0x1.8p52; return (x + m) - m; }", 2.3), by_adding);
  EXPECT_EQ(
      intended("static volatile double m = 0x1.8p52; double f(double x) { double t = x + m; return t - m; }", 2.3),
      by_adding)
      << "from memory";
  EXPECT_EQ(
      intended("static struct { int k; double shift; } table = {3, 0x1.8p45};\n"
               "__attribute__((noinline)) static double by(double x, double m) { double t = x + m; return t - m; }\n"
               "double f(double x) { return by(x, table.shift); }",
               2.3),
      by_adding)
      << "through a call, to multiples of 1/128";
  EXPECT_EQ(intended("float f(float x) { float m = 0x1.8p23f; return (x + m) - m; }", 2.25), by_adding);
  EXPECT_EQ(intended("#include <float.h>\nstatic volatile double one = 1;\n"
                     "double f(double x) { double m = one * 1.5 / DBL_EPSILON; return (x + m) - m; }",
                     2.3),
            by_adding)
      << "computed from constants";
  EXPECT_EQ(
      intended("#include <math.h>\ndouble f(double x) { double m = copysign(0x1p52, x); return (x + m) - m; }", -2.3),
      by_adding);
}

TEST(IntendedRounding, MayBeASubtractionOrAnFma) {
  EXPECT_EQ(
      intended("static volatile double m = 0x1.8p52; double f(double x) { double t = x - m; return t + m; }", 2.3),
      std::vector{Op::round_sub});
  EXPECT_EQ(intended("static volatile double m = 0x1.8p52;\n"
                     "double f(double x) { double t = __builtin_fma(x, 1.25, m); return t - m; }",
                     2.3),
            std::vector{Op::round_fma});
}

TEST(IntendedRounding, OfHalvesAwayFromZero) {
  EXPECT_EQ(
      intended("#include <math.h>\ndouble f(double x) { return trunc(x + copysign(0x1.fffffffffffffp-2, x)); }", 2.5),
      std::vector{Op::round_add});
  EXPECT_EQ(intended("#include <math.h>\ndouble f(double x) { return trunc(x + 0.25); }", 2.5), std::vector<Op>{});
}

TEST(IntendedRounding, ToAFixedPoint) {
  EXPECT_EQ(intended("#include <math.h>\ndouble f(double x) { double c = copysign(4, x); return (x + c) - c; }", 0.1),
            std::vector{Op::round_add});
  EXPECT_EQ(intended("double f(double x) { double c = 4; return (x + c) - c; }", 0.1), std::vector<Op>{});
}

TEST(IntendedRounding, IsNotWhatHappensToLookLikeIt) {
  const std::vector<Op> none;
  EXPECT_EQ(intended("double f(double x) { double m = 1e16; return (x + m) - m; }", 2.3), none) << "an absorption";
  EXPECT_EQ(intended("double f(double x) { double m = 1; return (x + m) - m; }", 1e-9), none);
  EXPECT_EQ(intended("double f(double x, double m) { double t = x + m; return t - m; }", 2.3, {0x1.8p52}), none)
      << "an input";
  EXPECT_EQ(intended("double f(double x) { double m = 0x1.8p52; return x + m; }", 2.3), none) << "it stays";
  EXPECT_EQ(intended("static volatile double m = 0x1.8p52, n = 0x1.8p51;\n"
                     "double f(double x) { double t = x + m; return t - n; }",
                     2.3),
            none)
      << "another is taken off";
}

TEST(IntendedRounding, NeedsAllAdditionsOfTheSite) {
  EXPECT_EQ(intended("static volatile double m = 0x1.8p52;\n"
                     "__attribute__((noinline)) static double plus(double x, double y) { return x + y; }\n"
                     "double f(double x) { double t = plus(x, m); return plus(t - m, x); }",
                     2.3),
            std::vector<Op>{});
}

} // namespace
} // namespace faultline::test
