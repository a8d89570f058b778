// Accumulations: a loop whose update is not recognised is not checked.
#include "tape/turns.h"

#include "reading.h"

#include <map>

namespace faultline::tape {
namespace {

using test::read;

exec::Session open_array(const std::string& text, uint64_t size) {
  return test::open_text("#include <math.h>\n" + text, ".c", "f", {.sizes = {{"*", {size}}}});
}

exec::Input ramp(size_t size) {
  exec::Input input;
  for (size_t i = 0; i < size; ++i)
    input.push_back((long double)i + 1.25L);
  return input;
}

// How many executions each line has.
std::map<int, int> by_line(const Tape& tape, const std::vector<Addition>& additions) {
  std::map<int, int> lines;
  for (const Addition& addition : additions)
    ++lines[tape.table().sites[addition.place].line];
  return lines;
}

TEST(Accumulations, TheCopiesThatUnrollingMakesOfAnAdditionAreOnePlace) {
  exec::Session session = open_array("double f(const double x[12]) {\n  double s = 0;\n"
                                     "  for (int i = 0; i < 12; i++)\n    s += x[i];\n  return s;\n}",
                                     12);
  const Tape tape = read(session, ramp(12));
  const auto found = accumulations(tape);
  ASSERT_EQ(found.size(), 12u);
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].place, found[0].place);
    EXPECT_EQ(found[i].execution, i + 1);
    EXPECT_EQ(find_execution(tape, found[i].place, uint32_t(i + 1)), found[i].record);
  }
  EXPECT_EQ(find_execution(tape, found[0].place, 13), 0u);
}

TEST(Accumulations, ElementsOfAnArrayAreUpdatedThroughMemory) {
  exec::Session session = open_array("double f(double x[6]) {\n  for (int i = 5; i > 0; i--)\n    x[i-1] += x[i];\n"
                                     "  return x[0];\n}",
                                     6);
  const Tape tape = read(session, ramp(6));
  EXPECT_EQ(accumulations(tape).size(), 5u);
}

TEST(Accumulations, ADifferenceFromARunningMeanIsNoUpdate) {
  exec::Session session =
      open_array("double f(const double x[5], const double w[5]) {\n  double m = 0, W = 0;\n"
                 "  for (int i = 0; i < 5; i++) {\n    W += w[i];\n    double d = x[i] - m;\n    m += d * (w[i] / W);\n"
                 "  }\n  return m;\n}",
                 5);
  const Tape tape = read(session, ramp(10));
  const auto lines = by_line(tape, accumulations(tape));
  EXPECT_EQ(lines, (std::map<int, int>{{5, 5}, {7, 5}}));
  EXPECT_GT(additions(tape).size(), 10u);
}

TEST(Accumulations, HornersRuleIsAnUpdateThroughAProduct) {
  exec::Session session = open_array("double f(const double a[5], double x) {\n  double p = 0.5;\n"
                                     "  for (int i = 0; i < 5; i++)\n    p = p * x + a[i];\n  return p - 1;\n}",
                                     5);
  const Tape tape = read(session, ramp(6));
  EXPECT_EQ(by_line(tape, accumulations(tape)), (std::map<int, int>{{5, 5}}));
}

TEST(Accumulations, CompensatedSummationIsCheckedWhereItSums) {
  exec::Session session =
      open_array("double f(double A[6]) {\n  double sum, a, e = 0;\n  for (int i = 5; i > 0; i--) {\n"
                 "    sum = A[i];\n    a = A[i-1] + e;\n    A[i-1] = sum + a;\n    e = (sum - A[i-1]) + a;\n  }\n"
                 "  return A[0];\n}",
                 6);
  const Tape tape = read(session, ramp(6));
  EXPECT_EQ(by_line(tape, accumulations(tape)), (std::map<int, int>{{7, 5}}));
}

TEST(Accumulations, StraightLineCodeHasAllItsAdditions) {
  exec::Session session =
      test::open_text("double f(double a, double b, double c, double d) {\n  a += b;\n  c -= d;\n  return a + c;\n}");
  const Tape tape = read(session, ramp(4));
  EXPECT_EQ(accumulations(tape).size(), 3u);
}

TEST(Accumulations, AnFmaAddsItsProduct) {
  exec::Session session = test::open_text("double f(double a, double b, double c) { return __builtin_fma(a, b, c); }",
                                          ".c", "f", {.flags = {"-mfma"}});
  const Tape tape = read(session, {3, 5, -14});
  const auto found = accumulations(tape);
  ASSERT_EQ(found.size(), 1u);
  const Summands summands = tape::summands(tape, found[0].record);
  EXPECT_EQ(summands.a, 15);
  EXPECT_EQ(summands.b, -14);
  EXPECT_EQ(summands.result, 1);
}

} // namespace
} // namespace faultline::tape
