// The decisions of a run, and in a session that asks for them the integer conditions among them.
#include "reading.h"

#include "numeric/random.h"
#include "tape/path.h"

#include <algorithm>
#include <map>

namespace faultline::test {
namespace {

using ops::Op;

exec::Session open_deciding(const std::string& text, frontend::Sizes sizes = {}, const std::string& ending = ".c") {
  Options options;
  options.sizes = std::move(sizes);
  options.recording.decisions = true;
  return open_text(text, ending, "f", options);
}

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

// The leaf that an operation took as an operand; multiplications and sums have it on either side.
uint32_t leaf_of(const tape::Tape& tape, Op op) {
  const uint32_t record = find(tape, op);
  for (int which : {0, 1})
    if (const uint32_t operand = tape.operand(record, which);
        !runtime::is_constant(operand) && tape.site(operand).op == Op::leaf)
      return operand;
  ADD_FAILURE() << ops::name(op) << " has no leaf";
  return 0;
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
      const double plain = double(run.outputs.at(0).value);
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

// What the mode is for: the decisions settle which operations ran, and every leaf that claims to be determined.
struct Program {
  std::string name, text;
};
void PrintTo(const Program& program, std::ostream* stream) { *stream << program.name; }

class SamePath : public testing::TestWithParam<Program> {};

TEST_P(SamePath, IsTheSameComputation) {
  exec::Session session =
      open_deciding("#include <math.h>\n#include <stdint.h>\n#include <string.h>\n" + GetParam().text);
  struct Trace {
    std::vector<uint32_t> sites;
    std::vector<double> determined;
    bool operator==(const Trace&) const = default;
  };
  std::map<std::vector<int64_t>, Trace> traces;
  numeric::Rng rng(5);
  int again = 0;
  for (int i = 0; i < 3000; ++i) {
    const auto n = (long double)(int64_t(rng.below(9)) - 2);
    const tape::Tape tape = read(session, {double(rng.below(4096)) / 256 - 4, n});
    std::vector<int64_t> path;
    for (const tape::Branch& branch : tape::path(tape))
      path.insert(path.end(), {int64_t(branch.site), branch.outcome});
    Trace trace;
    for (uint32_t record = 1; record < tape.size(); ++record) {
      trace.sites.push_back(tape.record(record).site);
      if (tape.site(record).determined)
        trace.determined.push_back(tape.value(record));
      if (tape.site(record).parameter == 1)
        EXPECT_EQ(tape.exact(record), n);
    }
    const auto [known, fresh] = traces.try_emplace(path, trace);
    again += !fresh;
    ASSERT_EQ(known->second, trace) << "run " << i;
  }
  EXPECT_GT(traces.size(), 1u);
  EXPECT_GT(again, 1000);
}

INSTANTIATE_TEST_SUITE_P(
    Of, SamePath,
    testing::Values(
        Program{"status",
                "__attribute__((noinline)) static int g(double x, int n, double *y) { if (x < 0) return 1; "
                "*y = x / 3; return n > 2 ? 2 : 0; }\n"
                "double f(double x, int n) { double y = 1; int s = g(x, n, &y); return s == 2 ? y * 5 : s ? y "
                "- 1 : y + 1; }"},
        Program{"loop",
                "double f(double x, int n) { double s = 1; for (int i = 0; i < n; i++) { s = s * x + i; if (s > "
                "50) break; } return s; }"},
        Program{"table",
                "static const double t[8] = {.1, .2, .3, .5, .7, .11, .13, .17}; static const int next[8] = {3, "
                "1, 4, 1, 5, 0, 2, 6};\n"
                "double f(double x, int n) { int i = (int)x & 7; double s = 0; do { s += t[i] * x; i = "
                "next[i]; } while (i > 1); return n & 1 ? s : s / 3; }"},
        Program{"bits", "double f(double x, int n) { uint64_t u; memcpy(&u, &x, 8); int e = (int)(u >> 52 & 2047) - "
                        "1023; double s = x; while (e > 0) { s /= 2; e--; } return s + n; }"},
        Program{"frexp", "double f(double x, int n) { int e; double m = frexp(x, &e); if (e + n > 3) return m * 3; "
                         "return ldexp(m, n) - 1; }"},
        Program{"counts",
                "double f(double x, int n) { int c[4] = {0, 0, 0, 0}; for (int i = 0; i < 6; i++) c[(i * n) & "
                "3] += i; double s = x; for (int i = 0; i < 4; i++) if (c[i] > 4) s = s * x + 1; return s; }"},
        Program{"statics", "static int calls; static int last;\n__attribute__((noinline)) static void note(int k) { "
                           "calls++; last = k; }\n"
                           "double f(double x, int n) { note((int)x); if (x > 3) note(n); if (calls == 2 && last > 1) "
                           "return x * 3; return x / 7; }"},
        Program{"pointers",
                "__attribute__((noinline)) static void put(int **p, int v) { **p = v; }\n"
                "double f(double x, int n) { int a = 1, b = 2; int *p = x > 2 ? &a : &b; put(&p, n); return "
                "a > b ? x * 3 : x - 3; }"}),
    [](const auto& info) { return info.param.name; });

TEST(Leaf, OfATableAtAConvertedIndexIsDetermined) {
  exec::Session session = open_deciding("static const double t[4] = {0.1, 0.3, 0.7, 0.9};\n"
                                        "double f(double x, int n) { return x * t[(int)x & 3] + t[n & 3]; }");
  const tape::Tape tape = read(session, {2.5L, 1});
  EXPECT_EQ(tape.value(leaf_of(tape, Op::fmul)), 0.7);
  EXPECT_TRUE(tape.site(leaf_of(tape, Op::fmul)).determined);
  EXPECT_EQ(tape.value(leaf_of(tape, Op::fadd)), 0.3);
  EXPECT_FALSE(tape.site(leaf_of(tape, Op::fadd)).determined) << "the input chooses the element";
}

TEST(Leaf, OfAVariableThatTheProgramWritesIsNotDetermined) {
  exec::Session session = open_deciding("static double t[4] = {0.1, 0.3, 0.7, 0.9};\n"
                                        "double f(double x) { int i = (int)x & 3; t[i] *= x; return t[1] - x; }");
  const tape::Tape tape = read(session, {2.5L});
  for (uint32_t i = 1; i < tape.size(); ++i)
    EXPECT_FALSE(tape.site(i).determined);
}

TEST(Leaf, OfAnIntegerInputSaysWhich) {
  exec::Session session =
      open_deciding("__attribute__((noinline)) static double g(double x, long n) { return x - n; }\n"
                    "double f(double x, int n, unsigned m, int k) { return g(x * n, k) / m; }");
  const tape::Tape tape = read(session, {1.5L, -4, 3000000000.0L, 6});
  EXPECT_EQ(tape.site(leaf_of(tape, Op::fmul)).parameter, 1);
  EXPECT_EQ(tape.value(leaf_of(tape, Op::fmul)), -4);
  EXPECT_EQ(tape.site(leaf_of(tape, Op::fdiv)).parameter, 2);
  EXPECT_EQ(tape.value(leaf_of(tape, Op::fdiv)), 3e9);
  EXPECT_EQ(tape.site(leaf_of(tape, Op::fsub)).parameter, 3);
  EXPECT_FALSE(tape.site(leaf_of(tape, Op::fmul)).determined);
}

TEST(Leaf, OfAnIntegerThatIsNotTheInputsValueSaysNothing) {
  exec::Session session =
      open_deciding("double f(double x, long n, int m, int k) { return (x * (int)n + (unsigned)m) / "
                    "(k + 1); }");
  const tape::Tape tape = read(session, {1.5L, 4, 5, 6});
  EXPECT_EQ(tape.site(leaf_of(tape, Op::fmul)).parameter, -1) << "the upper half of n is lost";
  EXPECT_EQ(tape.site(leaf_of(tape, Op::fadd)).parameter, -1) << "m may be negative";
  EXPECT_EQ(tape.site(leaf_of(tape, Op::fdiv)).parameter, -1);
}

} // namespace
} // namespace faultline::test
