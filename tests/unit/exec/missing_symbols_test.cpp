// What is declared and nowhere defined: a run that does not need it is right, one that does ends there and says its
// name.
#include "../session_fixture.h"

#include <gtest/gtest.h>

namespace faultline::exec {
namespace {

using test::open_text;

struct Partial {
  std::string name, ending, source; // for x > 10 it needs what is not there
  std::string words, missing;
};
void PrintTo(const Partial& partial, std::ostream* stream) { *stream << partial.name; }

class PartialProgram : public testing::TestWithParam<Partial> {};

TEST_P(PartialProgram, EndsWhereSomethingIsMissingAndNamesIt) {
  Session session = open_text(GetParam().source, GetParam().ending);
  for (int i = 0; i < 3; ++i) {
    for (const exec::Run& run : {exec::Run(session.run({11})), exec::Run(session.run_native({11}))}) {
      EXPECT_EQ(run.outcome, Outcome::missing);
      EXPECT_EQ(run.ending.words, GetParam().words);
      EXPECT_EQ(run.ending.missing, GetParam().missing);
    }
    const LiftedRun lifted = session.lift({11}, 128);
    EXPECT_EQ(lifted.outcome, Outcome::missing);
    EXPECT_EQ(lifted.ending.words, GetParam().words);

    EXPECT_EQ(session.run({3}).outcome, Outcome::returned);
    EXPECT_EQ(session.run({3}).outputs[0].value, 10);
    EXPECT_EQ(session.run_native({3}).outputs[0].value, 10);
    EXPECT_EQ(session.lift({3}, 128).outputs.at(0).to_double(), 10);
    EXPECT_EQ(session.run({3}).ending, Ending());
    EXPECT_TRUE(session.foreign().empty()) << "it makes no number";
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, PartialProgram,
    testing::Values(
        Partial{"function", ".c",
                "void errmsg(const char*);\ndouble f(double x) { if (x > 10) errmsg(\"no\"); return x * x + 1; }",
                "calls errmsg, which is missing", "errmsg"},
        Partial{"function_that_makes_a_float", ".c",
                "double elsewhere(double);\ndouble f(double x) { return x > 10 ? elsewhere(x) : x * x + 1; }",
                "calls elsewhere, which is missing", "elsewhere"},
        Partial{"function_of_a_library_of_ours", ".c",
                "double compress(double);\ndouble f(double x) { return x > 10 ? compress(x) : x * x + 1; }",
                "calls compress, which is missing", "compress"},
        Partial{"function_behind_a_pointer", ".c",
                "double elsewhere(double);\nstatic double (*volatile p)(double) = elsewhere;\ndouble f(double x) { "
                "return x > 10 ? p(x) : p ? x * x + 1 : 0; }",
                "calls elsewhere, which is missing", "elsewhere"},
        Partial{"variable", ".c", "extern double scale;\ndouble f(double x) { return x > 10 ? x * scale : x * x + 1; }",
                "uses scale, which is missing", ""},
        Partial{"variable_written", ".c",
                "extern int signgam_;\ndouble f(double x) { if (x > 10) signgam_ = 1; return x * x + 1; }",
                "uses signgam, which is missing", ""},
        Partial{
            "table_without_a_size", ".c",
            "extern const double table[];\ndouble f(double x) { return x > 10 ? table[(int)x * 1000] : x * x + 1; }",
            "uses table, which is missing", ""},
        Partial{"cxx_function", ".cpp",
                "namespace ns { struct S { double get(int) const; }; template <class T> T twice(T); }\ndouble f(double "
                "x) { return x > 10 ? ns::twice(x) : x * x + 1; }",
                "calls ns::twice<double>, which is missing", "ns::twice<double>"},
        Partial{"fortran_subroutine", ".f90",
                "real(8) function f(x)\n  real(8), intent(in) :: x\n  f = x * x + 1\n  if (x > 10) call errmsg(x)\nend",
                "calls errmsg, which is missing", "errmsg"}),
    [](const auto& info) { return info.param.name; });

TEST(MissingSymbols, AWeakReferenceStaysNull) {
  Session session = open_text("__attribute__((weak)) double elsewhere(double);\n"
                              "double f(double x) { return elsewhere ? elsewhere(x) : x + 1; }");
  EXPECT_EQ(session.run({3}).outputs[0].value, 4);
}

TEST(MissingSymbols, AreNoCrash) { EXPECT_FALSE(is_crash(Outcome::missing)); }

} // namespace
} // namespace faultline::exec
