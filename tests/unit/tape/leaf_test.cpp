// Leaves of a tape: which of them the decisions determine, and which are inputs.
#include "deciding.h"

namespace faultline::test {
namespace {

using ops::Op;

TEST(Leaf, OfATableAtAConvertedIndexIsDetermined) {
  exec::Session session = open_deciding("static const double t[4] = {0.1, 0.3, 0.7, 0.9};\n"
                                        "double f(double x, int n) { return x * t[(int)x & 3] + t[n & 3]; }");
  const tape::Tape tape = read(session, {2.5L, 1});
  EXPECT_EQ(tape.value(leaf_of(tape, Op::fmul)), 0.7);
  EXPECT_TRUE(tape.site(leaf_of(tape, Op::fmul)).determined);
  EXPECT_EQ(tape.value(leaf_of(tape, Op::fadd)), 0.3);
  EXPECT_FALSE(tape.site(leaf_of(tape, Op::fadd)).determined) << "the input chooses the element";
}

TEST(Leaf, OfAVariableThatTheProgramWritesIsNotDetermined) {
  exec::Session session = open_deciding("static double t[4] = {0.1, 0.3, 0.7, 0.9};\n"
                                        "double f(double x) { int i = (int)x & 3; t[i] *= x; return t[1] - x; }");
  const tape::Tape tape = read(session, {2.5L});
  for (uint32_t i = 1; i < tape.size(); ++i)
    EXPECT_FALSE(tape.site(i).determined);
}

TEST(Leaf, OfAnIntegerInputSaysWhich) {
  exec::Session session =
      open_deciding("__attribute__((noinline)) static double g(double x, long n) { return x - n; }\n"
                    "double f(double x, int n, unsigned m, int k) { return g(x * n, k) / m; }");
  const tape::Tape tape = read(session, {1.5L, -4, 3000000000.0L, 6});
  EXPECT_EQ(tape.site(leaf_of(tape, Op::fmul)).parameter, 1);
  EXPECT_EQ(tape.value(leaf_of(tape, Op::fmul)), -4);
  EXPECT_EQ(tape.site(leaf_of(tape, Op::fdiv)).parameter, 2);
  EXPECT_EQ(tape.value(leaf_of(tape, Op::fdiv)), 3e9);
  EXPECT_EQ(tape.site(leaf_of(tape, Op::fptrunc)).parameter, 3) << "a long may need rounding";
  EXPECT_FALSE(tape.site(leaf_of(tape, Op::fmul)).determined);
}

TEST(Leaf, OfAnIntegerThatIsNotTheInputsValueSaysNothing) {
  exec::Session session =
      open_deciding("double f(double x, long n, int m, int k) { return (x * (int)n + (unsigned)m) / "
                    "(k + 1); }");
  const tape::Tape tape = read(session, {1.5L, 4, 5, 6});
  EXPECT_EQ(tape.site(leaf_of(tape, Op::fmul)).parameter, -1) << "the upper half of n is lost";
  EXPECT_EQ(tape.site(leaf_of(tape, Op::fadd)).parameter, -1) << "m may be negative";
  EXPECT_EQ(tape.site(leaf_of(tape, Op::fdiv)).parameter, -1);
}

} // namespace
} // namespace faultline::test
