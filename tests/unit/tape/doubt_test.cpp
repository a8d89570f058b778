// Decisions that only rounding made, seen without high precision: where they are missed, a wrong path is taken for the
// right one.
#include "reading.h"

#include "numeric/random.h"
#include "tape/replay.h"
#include "tape/residue.h"

namespace faultline::test {
namespace {

TEST(DoubtOfAPath, IsThatOfTheReplay) {
  exec::Session session = open_text(R"(
    #include <math.h>
    double f(double x, double y) {
      double a = x * 0.1, b = y / 10;
      long n = (long)(a * 1000);
      if (a < b) n += 1;
      return sqrt(a * a + b * b) > a + b ? n : n * b;
    })");
  numeric::Rng rng(5);
  tape::Residues residues;
  int doubted = 0;
  for (int i = 0; i < 1000; ++i) {
    const double x = double(rng.below(300)) / 100;
    const tape::Tape tape = read(session, {x, rng.coin() ? x : double(rng.below(300)) / 64});
    const bool flips = !tape::replay(tape, 256).flips.empty();
    EXPECT_EQ(residues.doubt_path(tape), flips) << x;
    doubted += flips;
  }
  EXPECT_GT(doubted, 30);
  EXPECT_LT(doubted, 500);
}

TEST(DoubtOfAPath, IncludesTiesThatResiduesCannotTell) {
  exec::Session session =
      open_text("double f(double x) { double a = x / 3, b = x / 7; return a + b - b >= a ? 1 : 2; }");
  tape::Residues residues;
  EXPECT_TRUE(residues.doubt_path(read(session, {1})));
  EXPECT_FALSE(residues.doubt_path(read(session, {0})));
}

TEST(DoubtOfAPath, DoesNotConcernInputsAndWhatIsExact) {
  exec::Session session = open_text("double f(double x) { return x < 0.1 ? x : x * 2 >= 1 ? 1 : 0; }");
  tape::Residues residues;
  for (double x : {0.05, 0.1, 0.5, 0.25, 1e300})
    EXPECT_FALSE(residues.doubt_path(read(session, {x}))) << x;
}

// Roundings that stay floats are steps too, and one that is right stands although its operand carries an error.
TEST(DoubtOfAStep, IsThatOfHighPrecision) {
  exec::Session session = open_text(R"(
    #include <math.h>
    double f(double x) {
      double a = x * 66;
      return floor(a) + 2 * ceil(a) + 3 * trunc(a) + 5 * round(a + 0.5) + (x < 0.5 ? 1 : 2) + floor(x);
    })");
  numeric::Rng rng(5);
  tape::Residues residues;
  int none = 0, stands = 0, falls = 0;
  for (int i = 0; i < 600; ++i) {
    const double x = double(rng.below(1584)) / 66;
    const tape::Tape tape = read(session, {x});
    const tape::Replay replay = tape::replay(tape, 256);
    residues.read_steps(tape, tape.size() - 1);
    for (uint32_t index = 1; index < tape.size(); ++index) {
      if (!ops::rounds_to_integer(tape.site(index).op))
        continue;
      const tape::ExactOutcome outcome = residues.exact_outcome(tape, index);
      EXPECT_EQ(outcome == tape::ExactOutcome::another, replay.values[index].to_long_double() != tape.exact(index))
          << x;
      ++(outcome == tape::ExactOutcome::certain ? none : outcome == tape::ExactOutcome::same ? stands : falls);
    }
  }
  EXPECT_GT(none, 600);
  EXPECT_GT(stands, 100);
  EXPECT_GT(falls, 100);
}

} // namespace
} // namespace faultline::test
