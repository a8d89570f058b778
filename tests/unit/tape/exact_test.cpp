// The exact values that a search climbs by: the same as replay's, run after run, in memory that is used again.
#include "reading.h"

#include "tape/adjoint.h"
#include "tape/replay.h"
#include "tape/tape.h"

namespace faultline::test {
namespace {

using ops::Op;

struct Code {
  std::string name, text;
  std::vector<exec::Input> inputs;
};
void PrintTo(const Code& code, std::ostream* stream) { *stream << code.name; }

std::vector<size_t> all_outputs(const tape::Tape& tape) {
  std::vector<size_t> all;
  for (size_t i = 0; i < tape.outputs().size(); ++i)
    all.push_back(i);
  return all;
}

// The records that the outputs and the decisions depend on.
std::vector<uint8_t> needed(const tape::Tape& tape, const std::vector<size_t>& outputs) {
  std::vector<uint8_t> marked(tape.size());
  for (size_t output : outputs)
    if (const uint32_t record = output_record(tape, output))
      marked[record] = 1;
  for (uint32_t index = 1; index < tape.size(); ++index)
    if (ops::is_comparison(tape.site(index).op) || ops::is_to_int(tape.site(index).op))
      marked[index] = 1;
  tape::mark_operands(tape, marked, tape.size() - 1);
  return marked;
}

// Of a tape that was just read. Empty if everything agrees, else what does not.
std::string contradiction(tape::Exact& exact, const tape::Tape& tape, long precision) {
  const tape::Replay replay = tape::replay(tape, precision);
  const std::vector<size_t> outputs = all_outputs(tape);
  const std::vector<uint8_t> wanted = needed(tape, outputs);
  const std::vector<double> rounded = tape::rounded(replay);
  exact.read(tape, outputs);
  const std::vector<double>& own = exact.rounded(tape);
  if (own.size() != tape.size())
    return fmt::format("{} rounded values for {} records", own.size(), tape.size());
  for (uint32_t index = 1; index < tape.size(); ++index) {
    const double expected = wanted[index] ? rounded[index] : tape.value(index);
    if (own[index] != expected && !(std::isnan(own[index]) && std::isnan(expected)))
      return fmt::format("record {} is rounded to {}, not {}", index, own[index], expected);
    if (!wanted[index])
      continue;
    mpfr_srcptr value = exact.value(index), other = replay.values[index].raw();
    const bool both_nan = mpfr_nan_p(value) && mpfr_nan_p(other);
    if (!both_nan && (!mpfr_equal_p(value, other) || mpfr_signbit(value) != mpfr_signbit(other)))
      return fmt::format("record {} ({}) is {}, not {}", index, ops::name(tape.site(index).op),
                         mpfr_get_d(value, MPFR_RNDN), rounded[index]);
  }
  if (exact.flips() == replay.flips.empty())
    return fmt::format("{} flips, {}", replay.flips.size(), exact.flips() ? "but it flips" : "but it does not flip");
  return {};
}

class Programs : public testing::TestWithParam<Code> {};

TEST_P(Programs, HaveTheValuesOfReplayAtEveryPrecision) {
  exec::Session session = open_text("#include <math.h>\n" + GetParam().text);
  for (long precision : {64L, 100L, 384L, 1000L}) {
    tape::Exact exact(precision);
    for (const exec::Input& input : GetParam().inputs)
      EXPECT_EQ(contradiction(exact, read(session, input), precision), "") << precision << " bits";
  }
}

constexpr const char* summation = R"(
  double f(double a, double b, double c, double d) {
    volatile double s = 0;
    s = s + a; s = s + b; s = s + c; s = s + d;
    return s;
  })";
constexpr const char* iteration = R"(
  double f(double x, int n) {
    double s = x;
    for (int i = 0; i < n; i++)
      if (s > 2)
        s = s / 3;
      else
        s = s * s + 0.1;
    return s;
  })";

INSTANTIATE_TEST_SUITE_P(
    All, Programs,
    testing::Values(
        Code{"sums", summation, {{100, 0x1p-47, -100, -0x1p-47}, {0.1, 0.2, 0.3, -0.6}, {1e300, 1e-300, -1e300, 0}}},
        Code{"products",
             "double f(double x, double y, double z) { return x * y * z - z * x * y; }",
             {{0.1, 0.3, 1e-7}, {1e200, 1e200, 1e-200}, {0, -3, 7}}},
        Code{"division", "double f(double x, double y) { return x / y - 1 / 3.0; }", {{1, 3}, {2, 7}, {1, 0}, {0, 0}}},
        Code{"roots", "double f(double x, double y) { return sqrt(x * x + y * y) - x; }", {{3, 4}, {1e9, 1e-3}}},
        Code{"functions",
             "double f(double x, double y) { return sin(x) * exp(y) / (x - y) + pow(x, y) - log1p(x) + atan2(y, x); }",
             {{1.3, 2.7}, {0.25, 0.125}, {-3, 0.5}}},
        Code{"floats", "float f(float x, double y) { return (float)(x * 0.1f + y) * x; }", {{0.3f, 1e-3}, {-7, 1e30}}},
        Code{"long_doubles", "long double f(long double x) { return sqrtl(x * x + 1) - x * 0.1L; }", {{1e12L}, {0.1L}}},
        Code{"magic_number_rounding",
             "double f(double x) { double r = x + 0x1.8p52; r = r - 0x1.8p52; return (x - r) * x; }",
             {{3.7}, {1e10}, {-0.2}}},
        Code{"fused", "double f(double x, double y) { return fma(x, y, -x) + floor(x * 3.3); }", {{1.7, 0.3}}},
        Code{"branches", iteration, {{0.3, 20}, {9, 5}, {1.37840, 60}, {-2, 7}}},
        Code{"integers", "double f(double x) { return (double)(long)(x * 100) + x; }", {{0.35}, {0.362}}},
        Code{"decisions_of_rounding",
             "double f(double x) { double y = x + 1; return y - 1 == x ? x * 3 : x / 3; }",
             {{0.1}, {0.5}}}),
    [](const auto& info) { return info.param.name; });

TEST(Exact, KnowsThatASumCancelsToNothing) {
  exec::Session session = open_text(summation);
  const tape::Tape tape = read(session, {100, 0x1p-47, -100, -0x1p-47});
  tape::Exact exact(384);
  exact.read(tape, {0});
  EXPECT_EQ(tape.outputs()[0].value, -0x1p-47);
  EXPECT_TRUE(mpfr_zero_p(exact.value(output_record(tape))));
}

TEST(Exact, UsesItsMemoryForTapesOfAllSizes) {
  exec::Session session = open_text(iteration);
  tape::Exact exact(200);
  for (int n : {1, 3, 2, 300, 0, 5, 3000, 4, 299, 3000, 1}) {
    const tape::Tape tape = read(session, {0.7, (long double)n});
    EXPECT_EQ(contradiction(exact, tape, 200), "") << n << " rounds";
  }
}

TEST(Exact, ForgetsAFlipOfTheRunBefore) {
  exec::Session session = open_text("double f(double x) { double y = x + 1; return y - 1 == x ? x * 3 : x / 3; }");
  tape::Exact exact(200);
  for (const auto& [x, flips] : {std::pair(0.5, false), {0.1, true}, {0.5, false}, {0.3, true}, {0.25, false}}) {
    const tape::Tape tape = read(session, {x});
    exact.read(tape, {0});
    EXPECT_EQ(exact.flips(), flips) << x;
    EXPECT_EQ(tape::replay(tape, 200).flips.empty(), !flips) << x;
  }
}

TEST(Exact, SeesADecisionThatNoOutputDependsOn) {
  exec::Session session =
      open_text("int g; double f(double x) { double y = x + 1; if (y - 1 == x) g = 1; if (x > 100) g "
                "= 2; return x * 3; }"); // the second decision is right in all runs
  tape::Exact exact(200);
  const tape::Tape tape = read(session, {0.1});
  exact.read(tape, {0});
  EXPECT_GE(tape::replay(tape, 200).flips.size(), 1u);
  EXPECT_TRUE(exact.flips());
}

TEST(Exact, LeavesOutWhatNothingDependsOn) {
  exec::Session session = open_text("void f(double x, double* near, double* far) { *near = x / 3; *far = x / 7; }");
  const tape::Tape tape = read(session, {1});
  const uint32_t near = output_record(tape, 0), far = output_record(tape, 1);
  tape::Exact exact(200);
  exact.read(tape, {0});
  const std::vector<double>& some = exact.rounded(tape);
  EXPECT_EQ(some[near], 1.0 / 3);
  EXPECT_EQ(some[far], tape.value(far)) << "the run's";
  EXPECT_FALSE(mpfr_cmp_d(exact.value(near), 1.0 / 3) == 0);
  exact.read(tape, {0, 1});
  EXPECT_FALSE(mpfr_cmp_d(exact.value(far), 1.0 / 7) == 0);
  EXPECT_EQ(exact.rounded(tape)[far], 1.0 / 7);
}

TEST(Exact, RoundsOnceWhatTheRunRoundedOften) {
  exec::Session session = open_text("double f(double x) { return (x + 1e16) - 1e16; }");
  const tape::Tape tape = read(session, {0.7});
  tape::Exact exact(384);
  exact.read(tape, {0});
  EXPECT_NE(tape.outputs()[0].value, 0.7);
  EXPECT_EQ(exact.rounded(tape)[output_record(tape)], 0.7);
}

TEST(Exact, GivesTheAdjointItsPointOfView) {
  exec::Session session = open_text("double f(double x, double y) { return ((x + 1e20) - 1e20) * y; }");
  const tape::Tape tape = read(session, {3, 5});
  tape::Exact exact(384);
  exact.read(tape, {0});
  EXPECT_EQ(tape::adjoint(tape, output_record(tape))[2], 0) << "the run lost x";
  EXPECT_EQ(tape::adjoint(tape, output_record(tape), exact.rounded(tape))[2], 3);
  EXPECT_EQ(tape::adjoint(tape, output_record(tape), exact.rounded(tape))[1], 5);
}

} // namespace
} // namespace faultline::test
