// The decisions of a run, and in a session that asks for them the integer conditions among them.
#include "deciding.h"

#include "tape/path.h"

#include <algorithm>

namespace faultline::test {
namespace {

using ops::Op;

// The integer conditions of a run, as the records that hold them.
std::vector<uint32_t> decided(const tape::Tape& tape) {
  std::vector<uint32_t> records;
  for (const tape::Branch& branch : tape::path(tape))
    if (tape.site(branch.record).op == Op::decide)
      records.push_back(branch.record);
  return records;
}

std::vector<int64_t> outcomes(const tape::Tape& tape) {
  std::vector<int64_t> all;
  for (uint32_t record : decided(tape))
    all.push_back(int64_t(tape.value(record)));
  return all;
}

int decide_sites(const exec::Session& session) {
  const auto& sites = session.sites().sites;
  return int(std::count_if(sites.begin(), sites.end(), [](const auto& site) { return site.op == Op::decide; }));
}

const char* const by_parameter = "double f(double x, int n) { if (n > 7) return x * 3; return x / 3; }";

TEST(Path, HasTheIntegerConditionsThatTheInputDecides) {
  exec::Session session = open_deciding(by_parameter);
  const tape::Tape tape = read(session, {1.5L, 5});
  const std::vector<uint32_t> records = decided(tape);
  ASSERT_EQ(records.size(), 1u);
  const tape::Site& site = tape.site(records[0]);
  EXPECT_EQ(site.outcomes, 2);
  EXPECT_EQ(site.line, 1);
  EXPECT_TRUE(site.predicate == ">" || site.predicate == "<") << site.predicate;
  const auto& record = tape.record(records[0]);
  EXPECT_EQ(tape.value(record.a), 5);
  EXPECT_NEAR(tape.value(record.b), 7.5, 0.5);
  EXPECT_EQ(tape.site(record.a).parameter, 1) << "the second input";
  const int64_t before = outcomes(tape)[0];
  EXPECT_NE(outcomes(read(session, {1.5L, 8}))[0], before);
  EXPECT_EQ(outcomes(read(session, {-1.5L, 7}))[0], before);
}

TEST(Path, StaysThatOfLiftedRunsUnlessAsked) {
  exec::Session session = open_text(by_parameter);
  EXPECT_EQ(decide_sites(session), 0);
  const tape::Tape tape = read(session, {1.5L, 5});
  EXPECT_TRUE(tape::path(tape).empty());
  EXPECT_EQ(tape::path_hash(tape), session.lift({1.5L, 5}, 200).path);
  for (const tape::Site& site : session.sites().sites)
    EXPECT_TRUE(!site.determined && site.parameter == -1);
}

TEST(Path, OfADecidingSessionDoesNotConfuseTheOracle) {
  exec::Session session = open_deciding("static const double t[4] = {0.5, 1.5, 2.5, 3.5};\n"
                                        "double f(double x, int n) { if (n > 7 && x > 1) return x * n + 11;\n"
                                        "switch (n) { case 3: return x / 3; case 5: return x * t[(int)x & 3]; case "
                                        "9: return x - 1; } return x < 2 ? x + 17 : x * x; }");
  for (long double n : {1, 3, 5, 8, 9})
    for (long double x : {0.75L, 1.25L, 2.5L}) {
      const exec::Run& run = session.run({x, n});
      const double plain = double(run.outputs[0].value);
      const tape::Tape tape(run, session.sites(), 2);
      EXPECT_FALSE(decided(tape).empty());
      const exec::LiftedRun lifted = session.lift({x, n}, 200);
      EXPECT_FALSE(tape::divergence(tape, lifted.decisions));
      EXPECT_NEAR(lifted.outputs.at(0).to_double(), plain, 1e-12) << double(x) << " " << double(n);
    }
}

TEST(Path, HasNothingOfALoopWithConstantBounds) {
  exec::Session session =
      open_deciding("double f(double x) { double s = 0;\n#pragma clang loop unroll(disable) vectorize(disable)\nfor "
                    "(int i = 0; i < 10; i++) s = s * x + i; return s; }");
  const tape::Tape tape = read(session, {1.5L});
  EXPECT_TRUE(tape::path(tape).empty());
  EXPECT_TRUE(tape.site(leaf_of(tape, Op::fadd)).determined) << "the loop counter";
}

TEST(Path, HasEveryTurnOfALoopThatAnInputBounds) {
  exec::Session session =
      open_deciding("double f(double x, int n) { double s = 0;\n#pragma clang loop unroll(disable) vectorize(disable)\n"
                    "for (int i = 0; i < n; i++) s = s * x + i; return s; }");
  const size_t three = decided(read(session, {1.5L, 3})).size();
  EXPECT_EQ(decided(read(session, {1.5L, 8})).size(), three + 5);
  EXPECT_EQ(decided(read(session, {1.5L, 0})).size(), 1u);
}

TEST(Path, KnowsACaseOfASwitchByItsNumber) {
  exec::Session session =
      open_deciding("double f(double x, int n) { switch (n) { case 2: return x * 3; case 40: return "
                    "x / 3; case -7: return x + 3; case 9: return x - 3; } return x; }");
  const tape::Site& site = session.sites().sites[site_of(session, Op::decide)];
  EXPECT_EQ(site.predicate, "switch");
  ASSERT_EQ(site.outcomes, 5);
  ASSERT_EQ(site.cases.size(), 4u);
  for (size_t i = 0; i < site.cases.size(); ++i) {
    const tape::Tape tape = read(session, {1.5L, (long double)site.cases[i]});
    EXPECT_EQ(outcomes(tape), std::vector<int64_t>{int64_t(i) + 1});
    EXPECT_EQ(tape.value(tape.record(decided(tape)[0]).a), double(site.cases[i]));
    EXPECT_EQ(tape.site(tape.record(decided(tape)[0]).a).parameter, 1);
  }
  EXPECT_EQ(outcomes(read(session, {1.5L, 3})), std::vector<int64_t>{0});
}

TEST(Path, HasNothingOfAStatusThatFollowsFromComparisons) {
  exec::Session session =
      open_deciding("__attribute__((noinline)) static int check(double x, double *y) { if (x < 0) "
                    "return 4; *y = x * 2; return x > 100 ? 1 : 0; }\n"
                    "double f(double x) { double y = 0; int status = check(x, &y); if (status == 4) "
                    "return -1; if (status) return y / 3; return y; }");
  EXPECT_EQ(decide_sites(session), 0);
  EXPECT_EQ(tape::path(read(session, {3})).size(), 2u);
}

TEST(Path, HasADecisionOnTheBitsOfAFloat) {
  exec::Session session =
      open_deciding("#include <stdint.h>\n#include <string.h>\ndouble f(double x) { uint64_t u; memcpy(&u, &x, 8); if "
                    "((u >> 52 & 0x7ff) > 1030) return x * 3; return x / 3; }");
  EXPECT_NE(outcomes(read(session, {1})), outcomes(read(session, {1e6L})));
  EXPECT_EQ(decided(read(session, {1})).size(), 1u);
}

TEST(Path, HasADecisionOnTheExponentThatTheLibraryFound) {
  exec::Session session = open_deciding("#include <math.h>\ndouble f(double x) { int e; double m = frexp(x, &e); if (e "
                                        "> 3) return m * 3; return m / 3; }");
  EXPECT_NE(outcomes(read(session, {1})), outcomes(read(session, {100})));
}

TEST(Path, HasAConvertedFloatAndWhatItIsComparedWithAsDetermined) {
  exec::Session session =
      open_deciding("double f(double x) { int n = (int)x; if (n % 3 == 1) return x * 3; if (n == 2) return x; return "
                    "x / 3; }");
  EXPECT_EQ(decide_sites(session), 2);
  for (const runtime::Site& site : session.sites().sites)
    if (site.op == ops::Op::decide) {
      EXPECT_TRUE(site.determined);
    }
  const tape::Tape tape = read(session, {4.5L});
  ASSERT_EQ(tape::path(tape).size(), 2u);
  EXPECT_EQ(tape::path(tape)[0].outcome, 4);
  EXPECT_EQ(tape::path(tape)[1].outcome, 1);
}

TEST(Path, HasTheLengthOfAnArray) {
  exec::Session session =
      open_deciding("double f(const double *a, int n) { double s = 0;\n#pragma clang loop unroll(disable) "
                    "vectorize(disable)\nfor (int i = 0; i < n; i++) s += a[i]; return s; }",
                    {{"a", {4}}});
  EXPECT_LT(decided(read(session, {1, 2, 3, 4, 2})).size(), decided(read(session, {1, 2, 3, 4, 4})).size());
}

TEST(Path, HasAChoiceBetweenNumbersThatIsNoBranch) {
  exec::Session session = open_deciding("double f(double x, int n, int m) { return (n > 3 && m > 4 ? x : 0.25) * 3; }");
  EXPECT_GE(decide_sites(session), 1);
  EXPECT_NE(outcomes(read(session, {1.5L, 5, 5})), outcomes(read(session, {1.5L, 3, 5})));
}

TEST(Path, ListsTheConditionsThatDidNotRunToo) {
  exec::Session session =
      open_deciding("__attribute__((noinline)) static double g(double x, int n) { if (n == 5) return x * 7; return x / "
                    "7; }\ndouble f(double x, int n) { if (x > 3) return g(x, n); return x; }");
  EXPECT_TRUE(decided(read(session, {1, 5})).empty());
  EXPECT_EQ(decided(read(session, {4, 5})).size(), 1u);
  EXPECT_EQ(session.sites().sites[site_of(session, Op::decide)].function, "g");
  EXPECT_EQ(decide_sites(session), 1);
}

} // namespace
} // namespace faultline::test
