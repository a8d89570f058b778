// Periodic functions of huge results: an estimate that knows no more than their range ranks inputs by luck.
#include "reading.h"

#include "numeric/bigfloat.h"
#include "numeric/random.h"
#include "tape/replay.h"
#include "tape/residue.h"

namespace faultline::test {
namespace {

double estimate(const tape::Tape& tape, tape::Residues& residues) {
  return tape::estimated_error(tape, {0}, residues).relative;
}

double replayed(const tape::Tape& tape) {
  return numeric::relative_error(tape.outputs()[0].value, tape::replay(tape, 3000).values[output_record(tape)]);
}

struct Wave {
  const char* name;
  const char* formula;
};
void PrintTo(const Wave& wave, std::ostream* stream) { *stream << wave.name; }

class OfAHugeResult : public testing::TestWithParam<Wave> {};

TEST_P(OfAHugeResult, TheErrorIsKnownAndNotGuessed) {
  exec::Session session =
      open_text(fmt::format("#include <math.h>\ndouble f(double x) {{ return {}; }}", GetParam().formula));
  numeric::Rng rng(7);
  tape::Residues residues;
  for (int i = 0; i < 100; ++i) {
    const exec::Input input = {std::ldexp(1 + rng.uniform(), 40 + int(rng.below(600)))};
    const tape::Tape tape = read(session, input);
    const double expected = replayed(tape);
    EXPECT_NEAR(estimate(tape, residues) / expected, 1, 1e-2) << double(input[0]);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, OfAHugeResult,
    testing::Values(Wave{"sine", "sin(x * sqrt(x) * (2.0 / 3))"}, Wave{"cosine", "cos(x * 1.1)"}, //
                    Wave{"tangent", "tan(x * 3.14159265358979)"}, Wave{"both", "sin(x * 0.37) + 2 * cos(x * 0.37)"},
                    Wave{"divided_by_what_overflows", "sin(x * 0.3 + 16 / (x * x * x))"},
                    Wave{"of_a_function", "sin(pow(x, 1.3))"}, Wave{"of_a_rounding", "sin(floor(x * 1e-3) * 1.1)"}),
    [](const auto& info) { return info.param.name; });

TEST(Phases, AreThoseOfTheLastTape) {
  exec::Session session = open_text("#include <math.h>\ndouble f(double x) { return sin(x * 1.1); }");
  tape::Residues reused;
  for (double x : {1e30, 2e30, 1e200, 3.0, 1e25}) {
    const tape::Tape tape = read(session, {x});
    tape::Residues fresh;
    EXPECT_EQ(estimate(tape, reused), estimate(tape, fresh)) << x;
  }
}

TEST(Phases, AreLeftAloneWhereTheyWouldCostTooMuch) {
  exec::Session session = open_text(R"(
    #include <math.h>
    double f(double x) { for (int i = 0; i < 2000; i++) x = x * 1.0001 + 1; return sin(x); })");
  const tape::Tape tape = read(session, {1e30});
  tape::Phases phases;
  EXPECT_FALSE(phases.exact(tape, find(tape, ops::Op::sin)).has_value());
  tape::Residues residues;
  EXPECT_GT(estimate(tape, residues), 0);
}

TEST(Phases, AreLostOnlyWhereAnErrorReachesThem) {
  EXPECT_FALSE(tape::phase_is_lost(1e30L, 0)) << "the argument is an input";
  EXPECT_FALSE(tape::phase_is_lost(10, 1e-15L));
  EXPECT_FALSE(tape::phase_is_lost(1e9L, 1e-7L));
  EXPECT_TRUE(tape::phase_is_lost(1e30L, 1e14L));
  EXPECT_TRUE(tape::phase_is_lost(-1e30L, -1e14L));
}

} // namespace
} // namespace faultline::test
