// The goals of FPGen: one that is seen too late, or where it is not, misleads the search.
#include "goal/exception.h"

#include "../session_fixture.h"

#include <cmath>
#include <limits>

namespace faultline::goal {
namespace {

constexpr auto binary64 = numeric::Format::binary64;

double loss(double a, double b) { return distance(Check::precision_loss, 32, {a, b, a + b}, binary64); }
double cancelled(double a, double b) { return distance(Check::cancellation, 40, {a, b, a + b}, binary64); }

TEST(InaccuracyGoal, CountsTheBitsThatAreMissing) {
  EXPECT_EQ(loss(1, 1), 32);
  EXPECT_EQ(loss(1, -0x1p-31), 1);
  EXPECT_EQ(loss(0x1.8p-32, 1.5), 0);
  EXPECT_EQ(loss(1, 0x1.8p-32), 0);
  EXPECT_EQ(cancelled(1, -0.5), 39);
  EXPECT_EQ(cancelled(1 + 0x1p-39, -1), 1);
  EXPECT_EQ(cancelled(1, -1 - 0x1p-40), 0);
}

TEST(InaccuracyGoal, AResultOfZeroCancelsAll) {
  EXPECT_EQ(cancelled(3, -3), 0);
  EXPECT_EQ(cancelled(0x1p-1020, -0x1p-1020), 0);
}

TEST(InaccuracyGoal, OperandsThatAreNotNormalNumbersDoNotCount) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double odd : {0.0, -0.0, 0x1p-1030, infinity, -infinity, std::nan("")}) {
    EXPECT_TRUE(std::isinf(loss(1, odd))) << odd;
    EXPECT_TRUE(std::isinf(loss(odd, 1))) << odd;
    EXPECT_TRUE(std::isinf(cancelled(odd, -odd))) << odd;
  }
}

TEST(InaccuracyGoal, AFloatIsNormalByItsOwnFormat) {
  EXPECT_TRUE(std::isinf(distance(Check::precision_loss, 8, {1, 0x1p-130L, 1}, numeric::Format::binary32)));
  EXPECT_EQ(distance(Check::precision_loss, 8, {1, 0x1p-126L, 1}, numeric::Format::binary32), 0);
}

TEST(InaccuracyGoal, BelongsToOneExecutionOfItsPlace) {
  exec::Session session = test::open_text("double f(const double x[4]) {\n  double s = 0;\n"
                                          "  for (int i = 0; i < 4; i++)\n    s += x[i];\n  return s;\n}",
                                          ".c", "f", {.sizes = {{"x", {4}}}});
  const exec::Run& run = session.run({1, 0x1p-40L, -1, 5});
  const tape::Tape tape(run, session.sites(), 4);
  const uint32_t place = tape::accumulations(tape).at(0).place;
  const auto at = [&](Check check, uint32_t execution) { return happened({check, place, execution, 36}, tape); };
  EXPECT_FALSE(at(Check::precision_loss, 1));
  EXPECT_TRUE(at(Check::precision_loss, 2));
  EXPECT_TRUE(at(Check::cancellation, 3));
  EXPECT_FALSE(at(Check::cancellation, 2));
  EXPECT_TRUE(at(Check::precision_loss, 4));
  EXPECT_TRUE(std::isinf(distance(Inaccuracy{Check::cancellation, place, 5, 36}, tape)));
  EXPECT_TRUE(std::isinf(distance(Inaccuracy{Check::cancellation, 0, 1, 36}, tape)));
}

} // namespace
} // namespace faultline::goal
