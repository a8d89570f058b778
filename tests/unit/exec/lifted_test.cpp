// Lifted execution: magic-number rounding keeps its meaning, decisions are made on high-precision values, long runs fit
// into memory, and what it says is right.
#include "../session_fixture.h"
#include "formula.h"
#include "ops/op.h"

#include <unistd.h>

namespace faultline::test {
namespace {

long double lifted(exec::Session& session, const exec::Input& input) {
  exec::LiftedRun run = session.lift(input, 200);
  EXPECT_EQ(run.outcome, exec::Outcome::returned);
  return run.outputs[0].to_long_double();
}

struct Magic {
  std::string name, source;
  long double unit; // rounds to multiples of this
};
void PrintTo(const Magic& magic, std::ostream* stream) { *stream << magic.name; }

std::vector<uint32_t> additions(const exec::Session& session) {
  std::vector<uint32_t> additions;
  for (uint32_t site = 0; site < session.sites().sites.size(); ++site)
    if (const ops::Op op = session.sites().sites[site].op; ops::rounding_on_purpose(op) != op)
      additions.push_back(site);
  return additions;
}

class MagicRounding : public testing::TestWithParam<Magic> {};

TEST_P(MagicRounding, StillRoundsInHighPrecision) {
  const Magic& magic = GetParam();
  exec::Session session = open_text(magic.source);
  for (const uint32_t site : additions(session)) // as a reader of tapes would have it (tape/intended.h)
    session.round_on_purpose(site);
  for (long double x : {2.6L, -7.25L, 100.4L, 0.3L}) {
    long double expected = std::nearbyintl(x / magic.unit) * magic.unit;
    EXPECT_EQ(session.run({x}).outputs[0].value, expected) << x;
    EXPECT_EQ(lifted(session, {x}), expected) << x;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Forms, MagicRounding,
    testing::Values(
        Magic{"double_to_integer", "double f(double x) { return (x + 6755399441055744.0) - 6755399441055744.0; }", 1},
        Magic{"constant_first",
              "double f(double x) { double s = 6755399441055744.0 + x; return s - 6755399441055744.0; }", 1},
        Magic{"power_of_two_for_both_signs",
              "double f(double x) { double c = 4503599627370496.0; return x < 0 ? (x - c) + c : (x + c) - c; }", 1},
        Magic{"float_to_integer", "float f(float x) { return (x + 12582912.0f) - 12582912.0f; }", 1},
        Magic{"multiples_of_one_128th", "double f(double x) { return (x + 0x1.8p45) - 0x1.8p45; }", 0x1p-7L},
        Magic{"negative_constant", "double f(double x) { return (x + -6755399441055744.0) + 6755399441055744.0; }", 1},
        Magic{"subtracted_first", "double f(double x) { return (x - 6755399441055744.0) + 6755399441055744.0; }", 1},
        Magic{"subtracted_first_unoptimised",
              "__attribute__((optnone, noinline)) double f(double x) { return (x - 6755399441055744.0) + "
              "6755399441055744.0; }",
              1},
        Magic{"long_double", "long double f(long double x) { return (x + 0x1.8p63L) - 0x1.8p63L; }", 1}),
    [](const auto& info) { return info.param.name; });

TEST(MagicRounding, GivesTheIntegerBehindTheBits) {
  exec::Session session = open_text(R"(
    #include <string.h>
    double f(double x) { double s = x * 16 + 6755399441055744.0; long n; memcpy(&n, &s, 8); double k = s - 6755399441055744.0; return x - k / 16 + (double)(int)n; })");
  session.round_on_purpose(additions(session).front());
  const double x = 2.62;
  EXPECT_EQ(lifted(session, {x}), 42 + ((long double)x - 2.625L));
}

TEST(Lifted, DecidesComparisonsOnExactSums) {
  exec::Session session =
      open_text("double f(double x, double y, double z) { return x + y - z > 0 ? 1 : x + y - z < 0 ? -1 : 0; }");
  EXPECT_EQ(session.run({1e16L, 1, 1e16L}).outputs[0].value, 0);
  EXPECT_EQ(lifted(session, {1e16L, 1, 1e16L}), 1);
  EXPECT_EQ(lifted(session, {1e16L, -0x1p-30L, 1e16L}), -1);
  EXPECT_EQ(lifted(session, {1, 2, 3}), 0);
}

TEST(Lifted, DecidesTheTextbookComparison) {
  exec::Session session = open_text("double f(double x, double y, double z) { return x + y == z ? 1 : 2; }");
  const double x = 0.1, y = 0.25, z = x + y; // rounded: not the exact sum
  EXPECT_EQ(session.run({x, y, z}).outputs[0].value, 1);
  EXPECT_EQ(lifted(session, {x, y, z}), 2);
}

TEST(Lifted, ListsItsDecisionsWithTheirSites) {
  exec::Session session =
      open_text("double f(double x) {\n  double s = 0;\n  while (s < x)\n    s += 1.25;\n  return s;\n}");
  exec::LiftedRun run = session.lift({3}, 128);
  ASSERT_EQ(run.decisions.size(), 4u);
  for (const runtime::Decision& decision : run.decisions) {
    EXPECT_TRUE(ops::is_comparison(session.sites().sites.at(decision.site).op));
    EXPECT_EQ(session.sites().sites[decision.site].line, 3);
  }
  std::vector<bool> outcomes;
  for (const runtime::Decision& decision : run.decisions)
    outcomes.push_back(decision.outcome);
  bool first = outcomes[0];
  EXPECT_EQ(outcomes, (std::vector<bool>{first, first, first, !first}));
  EXPECT_NE(session.lift({5}, 128).path, run.path);
  EXPECT_EQ(session.lift({3}, 128).path, run.path);
}

TEST(Lifted, ConvertsToIntegersFromTheExactValue) {
  exec::Session session = open_text("double f(double x, double y) { return (int)(x + y); }");
  EXPECT_EQ(session.run({3, -0x1p-60L}).outputs[0].value, 3);
  EXPECT_EQ(lifted(session, {3, -0x1p-60L}), 2);
}

TEST(Lifted, RoundsToIntegersAsLrintAndLroundDo) {
  exec::Session rint = open_text("#include <math.h>\ndouble f(double x, double y) { return lrint(x + y); }");
  EXPECT_EQ(lifted(rint, {2.5L, 0}), 2);
  EXPECT_EQ(lifted(rint, {2.5L, 0x1p-60L}), 3);
  exec::Session round = open_text("#include <math.h>\ndouble f(double x, double y) { return lround(x + y); }");
  EXPECT_EQ(lifted(round, {2.5L, 0}), 3);
  EXPECT_EQ(lifted(round, {2.5L, -0x1p-60L}), 2);
}

TEST(Lifted, UnsignedConversionsKeepLargeValues) {
  exec::Session session = open_text(
      "double f(double x) { unsigned n = x; unsigned long m = x * 4294967296.0; return (double)n + (double)m; }");
  const double x = 4e9;
  EXPECT_EQ(lifted(session, {x}), x + x * 4294967296.0);
}

TEST(Lifted, NaNAndInfinityArePassedOn) {
  exec::Session session = open_text("double f(double x, double y) { return x / y; }");
  EXPECT_TRUE(session.lift({0, 0}, 128).outputs.at(0).is_nan());
  EXPECT_TRUE(session.lift({1, 0}, 128).outputs.at(0).is_inf());
}

// Libraries of mathematical functions overflow on purpose.
TEST(Lifted, AProductWithAHugeConstantThatIsPassedOnIsInfinity) {
  exec::Session session = open_text(R"(
    #include <math.h>
    static const volatile double huge = 1e300;
    __attribute__((noinline)) static double grown(double x) { if (x > 700) return x * 0x1p1023; return exp(x) / 2; }
    __attribute__((noinline)) static double negative(double x) { return x > 9 ? -(huge * huge) : -x; }
    double f(double x) { return 1 / grown(x) + 1 / negative(x); })");
  exec::LiftedRun run = session.lift({710}, 128);
  EXPECT_TRUE(run.outputs.at(0).is_zero()) << run.outputs[0].to_string(9);
  EXPECT_EQ(run.made_with.at(0), "");
}

TEST(Lifted, AProductWithAHugeConstantThatTheCodeComputesWithIsUnknownIfItOverflows) {
  exec::Session session = open_text("double f(double x) { double t = x * 1e305; return t / 1e305; }");
  EXPECT_EQ(session.lift({3}, 128).made_with.at(0), "");
  EXPECT_EQ(session.lift({1e5}, 128).made_with.at(0),
            "a product with a huge constant in line 1, which may mean infinity");
}

TEST(Lifted, AProductOfInputsThatOverflowsIsANumber) {
  exec::Session session = open_text("double f(double x, double y) { double t = x * y; return t / 1e200; }");
  exec::LiftedRun run = session.lift({1e200, 1e200}, 128);
  EXPECT_NEAR(run.outputs.at(0).to_double() / 1e200, 1, 1e-15);
  EXPECT_EQ(run.made_with.at(0), "");
}

uint64_t resident_bytes() {
  std::ifstream stream("/proc/self/statm");
  uint64_t all = 0, resident = 0;
  stream >> all >> resident;
  return resident * uint64_t(sysconf(_SC_PAGESIZE));
}

TEST(Lifted, ALongLoopFitsIntoMemory) {
  exec::Session session =
      open_text("double f(double x) { double s = 0; for (int i = 0; i < 5000000; i++) s += x; return s; }");
  session.lift({1}, 128); // everything that is allocated once
  uint64_t before = resident_bytes();
  const double x = 0.1;
  exec::LiftedRun run = session.lift({x}, 128);
  ASSERT_EQ(run.outcome, exec::Outcome::returned);
  EXPECT_TRUE(agree(run.outputs[0], (Real(x) * Real(5000000)).big(), 120)) << run.outputs[0].to_string(30);
  EXPECT_LT(resident_bytes(), before + (200u << 20));
}

TEST(Lifted, CollectionKeepsWhatIsStillInUse) {
  // 1,000 values in an array, one in a recursion's frames and one in a loop, over several collections.
  exec::Session session = open_text(R"(
    #include <stdlib.h>
    static volatile double sink;
    __attribute__((noinline)) static double busy(double x) { double s = 0; for (int i = 0; i < 1500000; i++) s += x; return s; }
    __attribute__((noinline)) static double deep(double x, int n) { double third = x / 3; double r = n == 0 ? busy(x) : deep(third, n - 1); return r * 0 + third; }
    double f(double x) {
      double* a = malloc(1000 * sizeof *a);
      for (int i = 0; i < 1000; i++) a[i] = x / (i + 3);
      double kept = deep(x, 20);
      sink = busy(x);
      double s = 0;
      for (int i = 0; i < 1000; i++) s += a[i];
      return s + kept;
    })");
  const double x = 0.1;
  exec::LiftedRun run = session.lift({x}, 200);
  ASSERT_EQ(run.outcome, exec::Outcome::returned);
  Real sum;
  for (int i = 0; i < 1000; i++)
    sum = sum + Real(x) / Real(i + 3);
  sum = sum + Real(x) / 3;
  EXPECT_TRUE(agree(run.outputs[0], sum.big(), 180))
      << run.outputs[0].to_string(30) << " instead of " << sum.big().to_string(30);
}

TEST(Lifted, LargeArraysKeepTheirPrecision) {
  exec::Session session = open_text(R"(
    #include <stdlib.h>
    double f(double x) {
      int n = 700000;
      double* a = malloc(n * sizeof *a);
      for (int i = 0; i < n; i++) a[i] = x / (i + 3);
      double s = 0;
      for (int i = 0; i < n; i++) s += a[i];
      return s;
    })");
  const double x = 0.1;
  exec::LiftedRun run = session.lift({x}, 200);
  ASSERT_EQ(run.outcome, exec::Outcome::returned);
  Real sum;
  for (int i = 0; i < 700000; i++)
    sum = sum + Real(x) / Real(i + 3);
  EXPECT_TRUE(agree(run.outputs[0], sum.big(), 180))
      << run.outputs[0].to_string(30) << " instead of " << sum.big().to_string(30);
}

TEST(Lifted, StopsAtTheLimitOfOperationsAndGoesOn) {
  Options options;
  options.limits.lifted_operations = 1000;
  exec::Session session =
      open_text("double f(double x) { double s = 0; while (s < x) s += 1; return s; }", ".c", "f", options);
  EXPECT_EQ(session.lift({1e6L}, 128).outcome, exec::Outcome::timed_out);
  EXPECT_EQ(lifted(session, {10}), 10);
}

TEST(Lifted, StopsAtTheLimitOfTimeAndGoesOn) {
  Options options;
  options.limits.lifted_seconds = 0.2;
  exec::Session session =
      open_text("double f(double x) { double s = 0; while (s < x) s += 1; return s; }", ".c", "f", options);
  EXPECT_EQ(session.lift({1e9L}, 128).outcome, exec::Outcome::timed_out);
  EXPECT_EQ(lifted(session, {10}), 10);
}

TEST(Lifted, HasTheSameSitesAsTheTape) {
  exec::Session session = open_files({example("quadratic.cpp")}, "quadratic_root_stable");
  exec::Run taped = session.run({1, 3, 1});
  std::vector<std::pair<uint32_t, bool>> from_tape, from_lift;
  Tape tape(taped, session.sites());
  for (uint32_t i = 1; i < taped.records.size(); ++i)
    if (ops::is_comparison(tape.site(i).op))
      from_tape.emplace_back(taped.records[i].site, taped.records[i].result.bits != 0);
  for (const runtime::Decision& decision : session.lift({1, 3, 1}, 128).decisions)
    from_lift.emplace_back(decision.site, decision.outcome);
  EXPECT_FALSE(from_tape.empty());
  EXPECT_EQ(from_tape, from_lift);
}

TEST(Lifted, PrecisionMayChangeFromCallToCall) {
  exec::Session session = open_text("double f(double x) { return x / 3; }");
  for (long precision : {64L, 1024L, 128L, 1024L}) {
    exec::LiftedRun run = session.lift({1}, precision);
    EXPECT_EQ(run.outputs[0].precision(), precision);
    numeric::BigFloat third(precision);
    mpfr_set_ui(third.raw(), 1, MPFR_RNDN);
    mpfr_div_ui(third.raw(), third.raw(), 3, MPFR_RNDN);
    EXPECT_EQ(run.outputs[0], third);
  }
}

} // namespace
} // namespace faultline::test
