// References that the user supplies.
#include "judging.h"

#include "oracle/judgement.h"

namespace faultline::test {
namespace {

using oracle::Certainty;
using oracle::Judgement;

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
  } catch (const base::UserError& error) {
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
  } catch (const base::UserError& error) {
    EXPECT_EQ(error.status, 2);
    EXPECT_NE(std::string(error.what()).find("/nowhere/reference.c"), std::string::npos) << error.what();
  }
}

class Failing : public testing::TestWithParam<Bad> {};

TEST_P(Failing, ReferenceMakesTheAnswerUnknown) {
  exec::Session session = open_text("double f(double x) { return x * 2; }");
  exec::Reference reference = load_reference(GetParam().text, "reference", 1, 0.05); // to end a loop early
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

} // namespace
} // namespace faultline::test
