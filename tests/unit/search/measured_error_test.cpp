// The error that guides the published strategies: where it is wrong, they climb on nothing.
#include "measuring.h"

namespace faultline::test {
namespace {

double error_of(exec::Session& session, long double x) {
  return measured_error(session, {{a_double(-largest_double, largest_double)}}, {x});
}

exec::Session open_expression(const std::string& expression) {
  return open_math("double f(double x) { return " + expression + "; }");
}

TEST(MeasuredError, IsTheRelativeErrorOfTheOutput) {
  exec::Session session = open_expression("(x + 1) - x");
  EXPECT_EQ(error_of(session, 0x1p60L), 1);
  EXPECT_EQ(error_of(session, 0.5L), 0);
  EXPECT_NEAR(error_of(session, 0x1.8p53L), 1, 1e-15) << "3 * 2^52 + 1 is rounded to even, by 1";
}

TEST(MeasuredError, IsZeroWithinAnUlp) {
  exec::Session session = open_expression("x / 3");
  EXPECT_EQ(error_of(session, 1), 0);
  EXPECT_EQ(error_of(session, 0x1p-1073L), 0) << "large in relative terms, but nothing better can be returned";
}

TEST(MeasuredError, IsZeroWhereThereIsNoFiniteOutput) {
  exec::Session session = open_expression("(x - x * x) / 0.0");
  EXPECT_EQ(error_of(session, 3), 0);
  exec::Session crash = open_text("#include <stdlib.h>\ndouble f(double x) { if (x > 1) abort(); return x + 1 - x; }");
  EXPECT_EQ(error_of(crash, 2), 0);
  EXPECT_EQ(error_of(crash, -0x1p60L), 1);
}

TEST(MeasuredError, OfAnExactZeroMissedIsTheLargestDouble) {
  exec::Session session = open_expression("(x + 0.1) - x - 0.1");
  EXPECT_EQ(error_of(session, 0x1p40L), std::numeric_limits<double>::max());
}

TEST(MeasuredError, IsToldOfLongRunsToo) {
  exec::Session session = open_text("double f(double x) { double s = x; for (int i = 0; i < 300000; i++) s = s * 0.5 + "
                                    "x; return (s + 1e17) - 1e17; }");
  EXPECT_EQ(error_of(session, 0.1L), 1);
}

TEST(MeasuredError, IsCharged) {
  exec::Session session = open_expression("(x + 1) - x");
  search::Evaluator evaluator(session, {.records = 300},
                              [](const exec::Input&, const exec::Run&, const tape::Tape&) {});
  const std::vector<size_t> outputs = {0};
  const search::Space space{{a_double(-largest_double, largest_double)}};
  search::Quest quest{evaluator, space, outputs, numeric::Rng(1)};
  tape::Residues residues;
  for (int i = 0; i < 30 && !evaluator.spent(); ++i)
    search::measure(quest, {1}, residues);
  EXPECT_LE(evaluator.evaluations(), 25u) << "the records alone would last for 75";
}

} // namespace
} // namespace faultline::test
