#include "reading.h"

#include "tape/turns.h"

namespace faultline::test {
namespace {

using ops::Op;

// The operations that have a tolerance among their operands.
std::vector<Op> with_tolerance(const std::string& body, double x) {
  exec::Session session = open_text("#include <math.h>\nstatic volatile double eps = 1e-12;\n"
                                    "double f(double x) { double y = x, d = x, s = 0; int n = 0;\n" +
                                    body + " }");
  const tape::Tape tape = read(session, {x});
  std::vector<Op> found;
  for (const tape::Tolerance& tolerance : tape::tolerances(tape)) {
    found.push_back(tape.table().sites[tolerance.site].op);
    EXPECT_TRUE(tape.table().sites[tolerance.exit].exits_loop);
  }
  return found;
}

TEST(Tolerance, IsAConstantInTheExitOfALoop) {
  EXPECT_EQ(with_tolerance("do { d = 0.5 * (x / y - y); y += d; } while (fabs(d) > 1e-10); return y;", 2),
            std::vector{Op::cmp_ogt});
  EXPECT_EQ(with_tolerance("while (1) { d /= ++n; s += d; if (fabs(d) < 1e-15 * fabs(s)) break; } return s;", 2),
            std::vector{Op::fmul});
  EXPECT_EQ(with_tolerance("do { d /= ++n; s += d; } while (fabs(d) > eps && n < 100); return s;", 2),
            std::vector{Op::cmp_ogt})
      << "from memory, and beside another condition";
}

TEST(Tolerance, IsNotAnotherConstantOrAnotherComparison) {
  EXPECT_EQ(with_tolerance("while (y > 1) y *= 0.5; return y;", 20), std::vector<Op>{}) << "a large one";
  EXPECT_EQ(with_tolerance("for (; n < 9; n++) { if (y < 1e-9) s += 1; y *= 0.5; } return s + y;", 2),
            std::vector<Op>{})
      << "the loop does not end by it";
  EXPECT_EQ(with_tolerance("return x < 1e-9 ? x : x * x;", 2), std::vector<Op>{}) << "no loop";
}

// As in generators of random numbers that reject some: what is compared with the input comes from integers, and is
// small by chance.
const std::string drawn = "volatile unsigned seed = 7; do { seed = seed * 69069u + 1u; s = (seed >> 8) * 0x1p-31; } ";

TEST(Tolerance, IsNotARandomNumber) {
  EXPECT_EQ(with_tolerance(drawn + "while (s > x); return s;", 1e-4), std::vector<Op>{}) << "another one each time";
  EXPECT_EQ(with_tolerance(drawn + "while (s > x); return s;", 1), std::vector<Op>{}) << "drawn once";
  EXPECT_EQ(
      with_tolerance("volatile unsigned seed = 7; do { seed = seed * 69069u + 1u; s = seed * 0x1p-32; y *= 0.5; } "
                     "while (s > y); return s;",
                     3),
      std::vector<Op>{})
      << "scaled by a small constant";
  EXPECT_EQ(with_tolerance(drawn + "while (s <= 0 || s >= 1); return s + x;", 1), std::vector<Op>{})
      << "compared with constants";
}

} // namespace
} // namespace faultline::test
