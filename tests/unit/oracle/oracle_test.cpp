// An oracle is right, or says that it does not know.
#include "../exec/formula.h"
#include "../tape/reading.h"

#include "oracle/judgement.h"
#include "oracle/lifted.h"
#include "oracle/referenced.h"
#include "oracle/replayed.h"

#include <chrono>

namespace faultline::test {
namespace {

using oracle::Certainty;
using oracle::Judgement;

Judgement lifted(exec::Session& session, const exec::Input& input) {
  return oracle::judge_lifted(session, input, read(session, input), {0});
}
Judgement replayed(exec::Session& session, const exec::Input& input) {
  return oracle::judge_replayed(session.target(), read(session, input), {0});
}

void expect_reference(const Judgement& judgement, const Real& truth) {
  ASSERT_EQ(judgement.certainty, Certainty::known) << judgement.why_unknown;
  numeric::BigFloat difference(400);
  mpfr_sub(difference.raw(), judgement.outputs.at(0).reference.raw(), truth.big().raw(), MPFR_RNDN);
  mpfr_div(difference.raw(), difference.raw(), truth.big().raw(), MPFR_RNDN);
  EXPECT_LT(std::fabs(difference.to_double()), 0x1p-66);
  const numeric::BigFloat own(judgement.outputs[0].computed, 64);
  mpfr_sub(difference.raw(), own.raw(), truth.big().raw(), MPFR_RNDN);
  mpfr_div(difference.raw(), difference.raw(), truth.big().raw(), MPFR_RNDN);
  EXPECT_NEAR(judgement.outputs[0].relative, std::fabs(difference.to_double()),
              1e-12 * judgement.outputs[0].relative + 0x1p-66);
}

TEST(Lifted, AgreesWithTheClosedFormOfTheCancellation) {
  exec::Session session = open_files({example("one_minus_cos.c")}, "one_minus_cos");
  for (double x : {0.5, 1e-3, 1e-7, 1.1e-8, 3e-20, 1e-100}) {
    const Real half = Real(x) / Real(2), s = x < 1e-50 ? half : sin(half);
    expect_reference(lifted(session, {x}), Real(2) * s * s / (Real(x) * Real(x)));
    expect_reference(replayed(session, {x}), Real(2) * s * s / (Real(x) * Real(x)));
  }
}

TEST(Lifted, AgreesWithTheStableFormOfTheQuadratic) {
  exec::Session session =
      open_text("#include <math.h>\ndouble f(double b, double c) { return (-b + sqrt(b * b - 4 * c)) / 2; }");
  for (double b : {3.0, 1e5, 1e9, 1e30})
    expect_reference(lifted(session, {b, 1.7}),
                     Real(2) * Real(1.7) / (-Real(b) - sqrt(Real(b) * Real(b) - Real(4) * Real(1.7))));
}

TEST(Lifted, JudgesFloatsAndLongDoublesByTheirOwnUlps) {
  exec::Session single = open_text("float f(float x) { return x / 3; }");
  const Judgement narrow = lifted(single, {1});
  EXPECT_GT(narrow.outputs.at(0).ulps, 0.1);
  EXPECT_LE(narrow.outputs.at(0).ulps, 0.5);
  exec::Session extended = open_text("long double f(long double x) { return x / 3; }");
  const Judgement wide = lifted(extended, {1});
  EXPECT_GT(wide.outputs.at(0).ulps, 0.1);
  EXPECT_LE(wide.outputs.at(0).ulps, 0.5);
  EXPECT_LT(wide.outputs.at(0).relative, 0x1p-63);
}

TEST(Lifted, JudgesTheOutputThatWasAskedFor) {
  exec::Session session = open_text("struct r { int n; double a; float b; };\nint f(double x, struct r* r) { r->n = 3; "
                                    "r->a = x + 1e16 - 1e16; r->b = (float)(x * 2); return 5; }");
  size_t a = 0, b = 0;
  for (size_t i = 0; i < session.target().outputs.size(); ++i) {
    if (session.target().outputs[i].name == "r.a")
      a = i;
    if (session.target().outputs[i].name == "r.b")
      b = i;
  }
  const exec::Input input = {0.75};
  const Judgement both = oracle::judge_lifted(session, input, read(session, input), {a, b});
  ASSERT_EQ(both.outputs.size(), 2u);
  EXPECT_EQ(both.outputs[0].output, a);
  EXPECT_EQ(both.outputs[0].reference.to_double(), 0.75);
  EXPECT_NEAR(both.outputs[0].relative, 1.0, 0.7);
  EXPECT_EQ(both.outputs[1].reference.to_double(), 1.5);
  EXPECT_EQ(both.outputs[1].relative, 0);
}

TEST(Lifted, KnowsAZeroThatIsExact) {
  exec::Session session = open_text("double f(double x) { return ((x + 1) - 1) - x; }");
  const Judgement judgement = lifted(session, {0.1});
  ASSERT_EQ(judgement.certainty, Certainty::known);
  EXPECT_TRUE(judgement.outputs[0].reference.is_zero());
  EXPECT_TRUE(std::isinf(judgement.outputs[0].relative));
}

struct Doubt {
  std::string name, expression;
};
void PrintTo(const Doubt& doubt, std::ostream* stream) { *stream << doubt.name; }

class Doubtful : public testing::TestWithParam<Doubt> {
protected:
  exec::Session session_ =
      open_text(std::string("#include <math.h>\ndouble f(double x) { return ") + GetParam().expression + "; }");
};
class NearlyZero : public Doubtful {};

TEST_P(Doubtful, ValuesAreUnknownAndNotWrong) {
  for (const Judgement& judgement : {lifted(session_, {0.7}), replayed(session_, {0.7})}) {
    EXPECT_EQ(judgement.certainty, Certainty::unknown);
    EXPECT_FALSE(judgement.why_unknown.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(All, Doubtful,
                         testing::Values(Doubt{"divisor", "1 / (sqrt(x) * sqrt(x) - x)"},
                                         Doubt{"quotient", "(x / 3 * 3 - x) / (x / 7 * 7 - x)"}),
                         [](const auto& info) { return info.param.name; });

// No precision shows that it is zero, but the error bound shows that it rounds to zero.
TEST_P(NearlyZero, ValuesAreZeroToEveryFormat) {
  for (const Judgement& judgement : {lifted(session_, {0.7}), replayed(session_, {0.7})}) {
    ASSERT_EQ(judgement.certainty, Certainty::known);
    EXPECT_TRUE(judgement.outputs[0].reference.is_zero());
  }
}

INSTANTIATE_TEST_SUITE_P(All, NearlyZero,
                         testing::Values(Doubt{"pythagoras", "sin(x) * sin(x) + cos(x) * cos(x) - 1"},
                                         Doubt{"thirds", "x / 3 * 3 - x"}, Doubt{"inverses", "exp(log(x)) - x"}),
                         [](const auto& info) { return info.param.name; });

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST(Lifted, DoesNotKnowWhatDependsOnThePrecision) {
  exec::Session session = open_text("double f(double x) { double h = x; while (x + h != x) h /= 2; return h; }");
  const auto start = std::chrono::steady_clock::now();
  const Judgement judgement = lifted(session, {1.1});
  EXPECT_EQ(judgement.certainty, Certainty::unknown);
  EXPECT_FALSE(judgement.why_unknown.empty());
  EXPECT_LT(seconds_since(start), 5);
}

TEST(Lifted, GivesUpOnALoopThatOnlyUnderflowEnds) {
  Options options;
  options.limits.lifted_operations = 200'000;
  exec::Session session = open_text(
      "double f(double x) { double h = x, n = 0; while (h > 0) { h /= 2; n += 1; } return n; }", ".c", "f", options);
  const auto start = std::chrono::steady_clock::now();
  const Judgement judgement = lifted(session, {1.1});
  EXPECT_EQ(judgement.certainty, Certainty::unknown);
  EXPECT_NE(judgement.why_unknown.find("timed out"), std::string::npos) << judgement.why_unknown;
  EXPECT_LT(seconds_since(start), 5);
  EXPECT_EQ(session.run({1}).outputs.at(0).value, 1075) << "the session goes on";
}

TEST(Lifted, GivesUpWhenHighPrecisionCrashes) {
  exec::Session session =
      open_text("#include <stdlib.h>\ndouble f(double x) { if ((x + 1) - 1 == x) abort(); return x * 2; }");
  const Judgement judgement = lifted(session, {0.1});
  EXPECT_EQ(judgement.certainty, Certainty::unknown);
  EXPECT_NE(judgement.why_unknown.find("abort"), std::string::npos) << judgement.why_unknown;
}

constexpr const char* flipping =
    "double f(double x) {\n  double y = x + 1;\n  if (y - 1 == x)\n    return x * 3;\n  return x * x;\n}";

TEST(Lifted, NamesTheComparisonThatExactArithmeticDecidesDifferently) {
  exec::Session session = open_text(flipping);
  tape::Tape tape = read(session, {0.1});
  const Judgement judgement = oracle::judge_lifted(session, {0.1}, tape, {0});
  ASSERT_EQ(judgement.certainty, Certainty::known);
  ASSERT_TRUE(judgement.flip.has_value());
  EXPECT_EQ(session.sites().sites[judgement.flip->branch.site].line, 3);
  EXPECT_EQ(judgement.flip->branch.outcome, 0);
  EXPECT_EQ(judgement.flip->lifted, 1);
  expect_reference(judgement, Real(0.1) * Real(3));
  EXPECT_FALSE(lifted(session, {0.5}).flip.has_value());
}

struct Passed {
  std::string name, text;
  exec::Input input;
  bool known;
};
void PrintTo(const Passed& passed, std::ostream* stream) { *stream << passed.name; }
class ThroughForeignCode : public testing::TestWithParam<Passed> {};

// scalb is not an operation: what it makes of rounded values, nobody knows.
TEST_P(ThroughForeignCode, RoundedValuesAreUnknownAndExactOnesAreNot) {
  exec::Session session = open_text("#include <math.h>\n#include <stdlib.h>\n" + GetParam().text);
  const Judgement judgement = lifted(session, GetParam().input);
  EXPECT_EQ(judgement.certainty, GetParam().known ? Certainty::known : Certainty::unknown) << judgement.why_unknown;
  if (!GetParam().known) {
    EXPECT_NE(judgement.why_unknown.find("return depends on "), std::string::npos) << judgement.why_unknown;
  }
}

constexpr const char* through_pointer = "static double (*volatile chosen)(double, double) = scalb;\n"
                                        "double f(double x) { return 1 + chosen(x * 3, 1); }";
constexpr const char* sorted =
    "static int order(const void* a, const void* b) {\n"
    "  return *(const double*)a < *(const double*)b ? -1 : 1; }\n"
    "double f(double x) { double v[3] = {x * 3, 0.25, 0.125}; qsort(v, 3, sizeof *v, order); "
    "return v[2] + 1; }";

INSTANTIATE_TEST_SUITE_P(
    All, ThroughForeignCode,
    testing::Values(Passed{"rounded", "double f(double x) { return 1 + scalb(x * 3, 1); }", {0.1}, false},
                    Passed{"exact", "double f(double x) { return 1 + scalb(x * 3, 1); }", {0.5}, true},
                    Passed{"long_ago",
                           "double f(double x) { double s = scalb(x / 3, 1); for (int i = 0; i < 9; ++i) s = sqrt(s); "
                           "return s; }",
                           {0.1},
                           false},
                    Passed{"beside", "double f(double x) { return scalb(x / 3, 1) > 1e9 ? 1 : x * x; }", {0.1}, true},
                    Passed{"through_a_pointer", through_pointer, {0.1}, false},
                    Passed{"exact_through_a_pointer", through_pointer, {0.5}, true},
                    Passed{"twice", "double f(double x) { return scalb(scalb(x / 3, 1) - 1, 1); }", {0.1}, false},
                    Passed{"sorted", sorted, {0.1}, false}, Passed{"exact_and_sorted", sorted, {0.5}, true}),
    [](const auto& info) { return info.param.name; });

TEST(Replayed, StaysOnThePathOfTheRun) {
  exec::Session session = open_text(flipping);
  expect_reference(replayed(session, {0.1}), Real(0.1) * Real(0.1));
}

TEST(Replayed, DoesNotKnowAnOutputWithoutARecord) {
  exec::Session session = open_text("double f(double x, double* r) { if (x > 2) *r = x / 3; return x * 2; }");
  tape::Tape tape = read(session, {1});
  size_t unwritten = 0;
  while (session.target().outputs.at(unwritten).name == "return")
    ++unwritten;
  ASSERT_EQ(output_record(tape, unwritten), 0u);
  const Judgement judgement = oracle::judge_replayed(session.target(), tape, {unwritten});
  EXPECT_EQ(judgement.certainty, Certainty::unknown);
  EXPECT_NE(judgement.why_unknown.find(session.target().outputs[unwritten].name), std::string::npos)
      << judgement.why_unknown;
}

// References that the user supplies.

exec::Reference load_reference(const std::string& text, const std::string& name = "reference", size_t inputs = 1,
                               double seconds = exec::reference_seconds) {
  TemporaryFolder folder;
  return exec::Reference::load({{folder.write("reference.c", text)}, {}, ""}, name, inputs, seconds);
}

Judgement referenced(exec::Session& session, exec::Reference& reference, const exec::Input& input) {
  return oracle::judge_referenced(reference, session.target(), input, read(session, input), 0);
}

TEST(Referenced, ByMpfrSeesAWrongConstant) {
  exec::Session session = open_text("double f(double x) { return x * 3.1416; }");
  exec::Reference reference = load_reference("#include <mpfr.h>\nvoid reference(mpfr_t r, const mpfr_t x) { "
                                             "mpfr_const_pi(r, MPFR_RNDN); mpfr_mul(r, r, x, MPFR_RNDN); }");
  EXPECT_TRUE(reference.any_precision());
  const Judgement judgement = referenced(session, reference, {2});
  ASSERT_EQ(judgement.certainty, Certainty::known) << judgement.why_unknown;
  EXPECT_NEAR(judgement.outputs.at(0).relative, 2.338e-6, 1e-8);
  EXPECT_LT(lifted(session, {2}).outputs.at(0).relative, 1e-15) << "lifted execution cannot see it";
}

TEST(Referenced, ByMpfrIsAskedForMoreBitsUntilItSettles) {
  exec::Session session = open_files({example("one_minus_cos.c")}, "one_minus_cos");
  exec::Reference reference = load_reference("#include <mpfr.h>\nvoid reference(mpfr_t r, const mpfr_t x) { "
                                             "mpfr_cos(r, x, MPFR_RNDN); mpfr_ui_sub(r, 1, r, MPFR_RNDN);"
                                             " mpfr_div(r, r, x, MPFR_RNDN); mpfr_div(r, r, x, MPFR_RNDN); }");
  const Judgement judgement = referenced(session, reference, {1e-15});
  ASSERT_EQ(judgement.certainty, Certainty::known) << judgement.why_unknown;
  EXPECT_NEAR(judgement.outputs[0].reference.to_double(), 0.5, 1e-15);
}

TEST(Referenced, ByQuadIsGoodToMoreThanADouble) {
  exec::Session session = open_text("double f(double x, double y) { return x * x - y; }");
  exec::Reference reference =
      load_reference("__float128 reference(__float128 x, __float128 y) { return x * x - y; }", "reference", 2);
  EXPECT_FALSE(reference.any_precision());
  const double x = 1.1, y = x * x;
  const Judgement judgement = referenced(session, reference, {x, y});
  ASSERT_EQ(judgement.certainty, Certainty::known) << judgement.why_unknown;
  EXPECT_EQ(judgement.outputs[0].reference.to_double(), std::fma(x, x, -y));
  EXPECT_EQ(judgement.outputs[0].relative, 1);
}

TEST(Referenced, ByDoubleIsTakenAtItsWord) {
  exec::Session session = open_text("#include <math.h>\ndouble f(double x) { return log(1 + x); }");
  exec::Reference reference = load_reference("#include <math.h>\ndouble reference(double x) { return log1p(x); }");
  const Judgement judgement = referenced(session, reference, {1e-20});
  ASSERT_EQ(judgement.certainty, Certainty::known) << judgement.why_unknown;
  EXPECT_EQ(judgement.outputs[0].reference.to_double(), 1e-20);
  EXPECT_EQ(judgement.outputs[0].relative, 1);
}

TEST(Referenced, TakesIntegersToo) {
  exec::Session session =
      open_text("double f(double x, int n) { double r = 1; for (int i = 0; i < n; i++) r *= x; return r; }");
  exec::Reference reference = load_reference(
      "long double reference(long double x, int n) { long double r = 1; while (n-- > 0) r *= x; return r; }",
      "reference", 2);
  const Judgement judgement = referenced(session, reference, {1.1, 5});
  ASSERT_EQ(judgement.certainty, Certainty::known) << judgement.why_unknown;
  EXPECT_LT(judgement.outputs[0].relative, 1e-15);
}

struct Bad {
  std::string name, text;
};
void PrintTo(const Bad& bad, std::ostream* stream) { *stream << bad.name; }

class BadReference : public testing::TestWithParam<Bad> {};

TEST_P(BadReference, IsAUsersErrorThatSaysWhatToWrite) {
  try {
    load_reference(GetParam().text);
    FAIL() << "it loads";
  } catch (const frontend::UserError& error) {
    EXPECT_EQ(error.status, 2);
    EXPECT_NE(std::string(error.what()).find("reference"), std::string::npos);
    EXPECT_FALSE(error.hint.empty()) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(All, BadReference,
                         testing::Values(Bad{"too_many_parameters",
                                             "double reference(double x, double y) { return x + y; }"},
                                         Bad{"no_number", "const char* reference(double x) { return 0; }"},
                                         Bad{"a_pointer", "double reference(double* x) { return *x; }"},
                                         Bad{"no_result", "void reference(double x) {}"},
                                         Bad{"other_name", "double referense(double x) { return x; }"}),
                         [](const auto& info) { return info.param.name; });

TEST(Referenced, MissingFileIsAUsersError) {
  try {
    exec::Reference::load({{"/nowhere/reference.c"}, {}, ""}, "reference", 1);
    FAIL() << "it loads";
  } catch (const frontend::UserError& error) {
    EXPECT_EQ(error.status, 2);
    EXPECT_NE(std::string(error.what()).find("/nowhere/reference.c"), std::string::npos) << error.what();
  }
}

class Failing : public testing::TestWithParam<Bad> {};

TEST_P(Failing, ReferenceMakesTheAnswerUnknown) {
  exec::Session session = open_text("double f(double x) { return x * 2; }");
  exec::Reference reference = load_reference(GetParam().text, "reference", 1, 0.05); // so that nobody waits for a loop
  EXPECT_EXIT(
      {
        exec::install_guard(); // timers are not inherited
        const Judgement judgement = referenced(session, reference, {3});
        const Judgement after = referenced(session, reference, {1});
        std::fprintf(stderr, "%s\n", judgement.why_unknown.c_str());
        _exit(judgement.certainty == Certainty::unknown && after.certainty == Certainty::known ? 0 : 1);
      },
      testing::ExitedWithCode(0), "the reference");
}

INSTANTIATE_TEST_SUITE_P(
    All, Failing,
    testing::Values(
        Bad{"that_crashes", "double reference(double x) { volatile int* p = 0; if (x > 2) *p = 1; return x * 2; }"},
        Bad{"that_aborts", "#include <stdlib.h>\ndouble reference(double x) { if (x > 2) abort(); return x * 2; }"},
        Bad{"that_exits", "#include <stdlib.h>\ndouble reference(double x) { if (x > 2) exit(3); return x * 2; }"},
        Bad{"that_loops", "double reference(double x) { volatile double y = x; while (y > 2) y = x; return x * 2; }"}),
    [](const auto& info) { return info.param.name; });

// The measure of an error.

constexpr const char* exits = "#include <stdlib.h>\ndouble f(double x) {\n  double h = (1 + x * x) - 1;\n"
                              "  if (h > 0)\n    exit(1);\n  return x;\n}";

TEST(Lifted, KnowsACodeThatDoesNotReturnInExactArithmetic) {
  exec::Session session = open_text(exits);
  const Judgement judgement = lifted(session, {0x1p-40});
  EXPECT_EQ(judgement.certainty, Certainty::unknown);
  ASSERT_TRUE(judgement.ends.has_value());
  EXPECT_EQ(*judgement.ends, exec::Outcome::exited);
  ASSERT_TRUE(judgement.flip.has_value());
  EXPECT_EQ(judgement.flip->lifted, 1);
  EXPECT_EQ(session.sites().sites[judgement.flip->branch.site].line, 4);
}

TEST(Lifted, AsksHigherPrecisionsWhereALowOneDoesNotReturn) {
  // With 128 bits k is 0 and the code exits; with 256 it is 2^-160.
  exec::Session session =
      open_text("#include <stdlib.h>\ndouble f(double x) { double h = (1 + x * x) - 1, k = (1 + x * x "
                "* (x * x)) - 1; if (h > 0 && k == 0) exit(1); return 1 + h; }");
  const Judgement judgement = lifted(session, {0x1p-40});
  EXPECT_EQ(judgement.certainty, Certainty::known) << judgement.why_unknown;
  EXPECT_FALSE(judgement.ends.has_value());
}

// sqrt(x) * sqrt(x) - x is 0, and what it is in any precision is that precision's rounding.
struct Tie {
  std::string name, test;
};
void PrintTo(const Tie& tie, std::ostream* stream) { *stream << tie.name; }
class Ties : public testing::TestWithParam<Tie> {};

constexpr double squares[] = {2.0, 3.0, 5.0, 0.1, 0.7, 2.4235988216325666e-11, 1.1506875452482745e-08};

TEST_P(Ties, AreNeverDecidedByRounding) {
  exec::Session session =
      open_text("#include <math.h>\n#include <stdlib.h>\ndouble f(double x) { double s = sqrt(x), d = s "
                "* s - x; if (" +
                GetParam().test + ") exit(1); return d; }");
  for (double x : squares)
    if (session.run({x}).outcome == exec::Outcome::returned)
      EXPECT_FALSE(lifted(session, {x}).ends.has_value()) << x;
}

INSTANTIATE_TEST_SUITE_P(All, Ties,
                         testing::Values(Tie{"less", "d < 0"}, Tie{"greater", "d > 0"}, Tie{"differs", "d != 0"}),
                         [](const auto& info) { return info.param.name; });

TEST(Lifted, KnowsTheEndThatAnExactZeroLeadsTo) {
  // Cholesky's factor of a singular matrix.
  exec::Session session =
      open_text("#include <math.h>\n#include <stdlib.h>\ndouble f(double x) { double s = sqrt(x), d = x "
                "- s * s; if (d <= 0) exit(1); return d; }");
  int known = 0;
  for (double x : squares)
    if (session.run({x}).outcome == exec::Outcome::returned)
      known += lifted(session, {x}).ends.has_value();
  EXPECT_GT(known, 0);
}

} // namespace
} // namespace faultline::test
