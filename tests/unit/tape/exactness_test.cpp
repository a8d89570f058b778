#include "reading.h"

#include "tape/replay.h"

namespace faultline::test {
namespace {

bool deviates(const std::string& expression, double x, double y = 0) {
  exec::Session session = open_text("#include <math.h>\ndouble f(double x, double y) { return " + expression + "; }\n");
  const tape::Tape tape = read(session, {x, y});
  return tape::deviates(tape, output_record(tape));
}

TEST(Deviation, IsOfWhatWasRounded) {
  EXPECT_FALSE(deviates("x", 3));
  EXPECT_FALSE(deviates("x - 1", 3));
  EXPECT_TRUE(deviates("1 / x", 3));
  EXPECT_FALSE(deviates("1 / x", 4));
  EXPECT_TRUE(deviates("1 / x - 0.25", 3)) << "the subtraction is exact, its operand is not";
  EXPECT_TRUE(deviates("sqrt(x) * 2", 2));
}

TEST(Deviation, CancelsWhereTheErrorsDo) {
  EXPECT_FALSE(deviates("1 / x - 1 / y", 3, 3)) << "equal roundings";
  EXPECT_TRUE(deviates("1 / x - 1 / y", 0x1.fffffffffffffp-1, 0x1.ffffffffffffep-1));
  EXPECT_TRUE(deviates("sqrt(x) - 1 / x", 3));
}

TEST(Deviation, OfALongComputationIsTakenForGranted) {
  std::string sum = "x";
  for (int i = 0; i < 100; ++i)
    sum = "(" + sum + " + " + std::to_string(i + 1) + ")";
  EXPECT_TRUE(deviates(sum, 1));
}

} // namespace
} // namespace faultline::test
