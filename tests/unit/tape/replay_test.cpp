// The run again at high precision, on its own path: exact where lifted execution is, and honest about decisions that
// only rounding made.
#include "reading.h"

#include "tape/path.h"
#include "tape/replay.h"

namespace faultline::test {
namespace {

using ops::Op;

struct Straight {
  std::string name, text;
  exec::Input input;
};
void PrintTo(const Straight& code, std::ostream* stream) { *stream << code.name; }

class StraightLine : public testing::TestWithParam<Straight> {};

TEST_P(StraightLine, ReplayIsTheLiftedRun) {
  exec::Session session = open_text(GetParam().text);
  tape::Tape tape = read(session, GetParam().input);
  for (long precision : {128L, 256L, 1000L}) {
    const tape::Replay replay = tape::replay(tape, precision);
    ASSERT_EQ(replay.values.size(), tape.size());
    ASSERT_EQ(replay.errors.size(), tape.size());
    EXPECT_TRUE(replay.flips.empty());
    const exec::LiftedRun lifted = session.lift(GetParam().input, precision);
    const uint32_t record = output_record(tape);
    EXPECT_TRUE(replay.values[record] == lifted.outputs.at(0))
        << replay.values[record].to_string(40) << " " << lifted.outputs[0].to_string(40);
    EXPECT_EQ(replay.errors[record], lifted.errors.at(0));
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, StraightLine,
    testing::Values(
        Straight{"functions",
                 "#include <math.h>\ndouble f(double x, double y) { return sin(x) * exp(y) / (x - y) + pow(x, y) - "
                 "log1p(x); }",
                 {1.3, 2.7}},
        Straight{"cancellation", "#include <math.h>\ndouble f(double x) { return (1 - cos(x)) / (x * x); }", {1e-9}},
        Straight{"floats", "float f(float x, double y) { return (float)(x * 0.1f + y) * x; }", {0.3f, 1e-3}},
        Straight{"long_doubles",
                 "#include <math.h>\nlong double f(long double x) { return sqrtl(x * x + 1) - x; }",
                 {1e12L}},
        Straight{"magic_number_rounding",
                 "double f(double x) { double r = x + 0x1.8p52; r = r - 0x1.8p52; return (x - r) * x; }",
                 {3.7}},
        Straight{"fused",
                 "#include <math.h>\ndouble f(double x, double y) { return fma(x, y, -x) + floor(x * 3.3); }",
                 {1.7, 0.3}}),
    [](const auto& info) { return info.param.name; });

TEST(Replay, RoundsToDoublesRecordByRecord) {
  exec::Session session = open_text("double f(double x) { return x / 3 * 3 - x; }");
  tape::Tape tape = read(session, {1});
  const std::vector<double> values = tape::rounded(tape::replay(tape, 200));
  ASSERT_EQ(values.size(), tape.size());
  EXPECT_EQ(values[1], 1);
  EXPECT_EQ(values[find(tape, Op::fdiv)], 1.0 / 3);
}

TEST(Replay, ReportsAComparisonThatRoundingDecided) {
  exec::Session session = open_text("double f(double x) { double y = x + 1; return y - 1 == x ? x * 3 : x / 3; }");
  tape::Tape tape = read(session, {0.1});
  const tape::Replay replay = tape::replay(tape, 256);
  ASSERT_EQ(replay.flips.size(), 1u);
  EXPECT_EQ(tape.site(replay.flips[0]).op, Op::cmp_oeq);
  tape = read(session, {0.5});
  EXPECT_TRUE(tape::replay(tape, 256).flips.empty()) << "nothing was rounded";
}

TEST(Replay, ReportsAnIntegerThatRoundingDecided) {
  exec::Session session = open_text("double f(double x) { return (double)(long)(x * 100) + x; }");
  tape::Tape tape = read(session, {0.35}); // 34.999999999999997... before it is rounded
  ASSERT_EQ(tape.exact(find(tape, Op::to_int)), 35);
  const tape::Replay replay = tape::replay(tape, 256);
  ASSERT_EQ(replay.flips.size(), 1u);
  EXPECT_EQ(replay.flips[0], find(tape, Op::to_int));
  tape = read(session, {0.362});
  EXPECT_TRUE(tape::replay(tape, 256).flips.empty());
}

TEST(Replay, OnOtherInputsIsTheCodeOnTheseUntilADecisionFalls) {
  exec::Session session =
      open_text("#include <math.h>\ndouble f(double x) { return x * 1.1 > 10 ? sqrt(x * 1.1) - 1 : x / 3; }");
  const tape::Tape tape = read(session, {20});
  const exec::Input near = {30.5}, far = {2};
  const tape::Replay replay = tape::replay(tape, 200, near);
  EXPECT_TRUE(replay.flips.empty());
  ASSERT_EQ(tape::replay(tape, 200, far).flips.size(), 1u);
  EXPECT_EQ(tape::replay(tape, 200, far).decided, std::vector<int64_t>{0});
  EXPECT_TRUE(replay.values[output_record(tape)] == session.lift(near, 200).outputs[0]);
}

constexpr const char* branching = R"(
  double f(double x) {
    double s = x;
    for (int i = 0; i < 5; i++)
      if (s > 2)
        s = s / 3;
      else
        s = s * s + 0.5;
    return s;
  })";

TEST(Path, ListsTheDecisionsInTheirOrder) {
  exec::Session session =
      open_text("double f(double x) { volatile double s = x; if (s > 2) s = s / 3; if (s < 1) s = s + 5; return s; }");
  tape::Tape tape = read(session, {2.7});
  const std::vector<tape::Branch> path = tape::path(tape);
  ASSERT_EQ(path.size(), 2u);
  EXPECT_TRUE(path[0].outcome);
  EXPECT_TRUE(path[1].outcome);
  EXPECT_LT(path[0].record, path[1].record);
  EXPECT_NE(path[0].site, path[1].site);
  EXPECT_EQ(tape.site(path[1].record).op, Op::cmp_olt);
  tape = read(session, {1.5});
  EXPECT_FALSE(tape::path(tape)[0].outcome);
  EXPECT_FALSE(tape::path(tape)[1].outcome);
}

TEST(Path, HashTellsPathsApartAndOnlyPaths) {
  exec::Session session = open_text(branching);
  auto path_of = [&](long double x) {
    tape::Tape tape = read(session, {x});
    std::string text;
    for (const tape::Branch& branch : tape::path(tape))
      text += fmt::format("{}{} ", branch.site, branch.outcome);
    return std::pair(text, tape::path_hash(tape));
  };
  std::map<std::string, uint64_t> hashes;
  std::set<uint64_t> all;
  for (double x = -4; x < 9; x += 0.17) {
    const auto [text, hash] = path_of(x);
    const auto [place, fresh] = hashes.emplace(text, hash);
    EXPECT_EQ(place->second, hash);
    if (fresh)
      EXPECT_TRUE(all.insert(hash).second) << "two paths have one number";
  }
  EXPECT_GT(all.size(), 4u);
}

TEST(Path, OfALiftedRunThatAgreesIsTheSame) {
  exec::Session session = open_text(branching);
  for (double x : {-3.1, 0.3, 1.7, 8.1}) {
    tape::Tape tape = read(session, {x});
    const exec::LiftedRun lifted = session.lift({x}, 256);
    EXPECT_EQ(tape::path_hash(tape), lifted.path);
    EXPECT_EQ(tape::path(tape).size(), lifted.decisions.size());
    EXPECT_FALSE(tape::divergence(tape, lifted.decisions).has_value());
  }
}

TEST(Path, DivergenceIsTheFirstDecisionThatDiffers) {
  exec::Session session = open_text("double f(double x) { volatile double v = x; if (v > 0) v = v + 1;\nif (v - 1 == "
                                    "x)\nv = v * 7; if (v < 100) v = v - 0.5; return v; }");
  tape::Tape tape = read(session, {0.1});
  const exec::LiftedRun lifted = session.lift({0.1}, 256);
  const auto left = tape::divergence(tape, lifted.decisions);
  ASSERT_TRUE(left.has_value());
  EXPECT_EQ(tape.site(left->branch.record).line, 2);
  EXPECT_EQ(left->branch.outcome, 0);
  EXPECT_EQ(left->lifted, 1);
  EXPECT_EQ(tape.record(left->branch.record).site, left->branch.site);
  EXPECT_NE(tape::path_hash(tape), lifted.path);
}

TEST(Path, DivergesAtAnIntegerThatRoundingDecided) {
  exec::Session session = open_text("double f(double x) { long n = (long)(x * 100); return n * x; }");
  tape::Tape tape = read(session, {0.35});
  const auto left = tape::divergence(tape, session.lift({0.35}, 256).decisions);
  ASSERT_TRUE(left.has_value());
  EXPECT_EQ(left->branch.outcome, 35);
  EXPECT_EQ(left->lifted, 34);
}

} // namespace
} // namespace faultline::test
