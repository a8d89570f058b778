// Functions that cannot be targets, and names by which none is found.
#include "discovering.h"

#include "base/error.h"

namespace faultline::program {
namespace {

using test::TemporaryFolder;

struct Unsuitable {
  std::string name, source, reason;
};
void PrintTo(const Unsuitable& unsuitable, std::ostream* stream) { *stream << unsuitable.name; }

class UnsuitableFunction : public testing::TestWithParam<Unsuitable> {};

TEST_P(UnsuitableFunction, IsListedWithTheReason) {
  expect_unsuitable(target_of(GetParam().source), GetParam().reason);
}

INSTANTIATE_TEST_SUITE_P(
    Every, UnsuitableFunction,
    testing::Values(
        Unsuitable{"pointer_to_what_nobody_knows",
                   "struct opaque;\ndouble f(double x, struct opaque* p) { return p ? x : 1; }", "struct opaque"},
        Unsuitable{"pointer_to_pointer", "double f(double x, double** a) { return a[0][0] + x; }", "double **"},
        Unsuitable{"float128", "double f(__float128 x) { return (double)x; }", "__float128"},
        Unsuitable{"variable_arguments", "double f(double x, ...) { return x; }", "variable number"},
        Unsuitable{"no_input", "double f(void) { return 1; }", "no input"},
        Unsuitable{"nothing_but_an_output", "void f(double* y) { *y = 1; }", "no input"},
        Unsuitable{"array_and_its_length",
                   "double f(double* a, int n) { for (int i = 1; i < n; i++) a[0] += a[i]; return a[0]; }",
                   "--size a=N"},
        Unsuitable{"integers_in_and_out", "int f(int n) { return 2 * n; }", "no floating-point output"}),
    [](const auto& info) { return info.param.name; });

TEST(Find, AnUnknownFunctionBringsTheNearestNames) {
  TemporaryFolder folder;
  std::string file =
      folder.write("a.c", "double bessel_j0(double x) { return x; }\ndouble gamma_of(double x) { return x; }");
  try {
    Program::load({{file}, {}, ""}).find({"besel_j0"}, {});
    FAIL();
  } catch (const base::UserError& error) {
    EXPECT_EQ(error.status, base::status_unsuitable);
    EXPECT_NE(std::string(error.what()).find("besel_j0"), std::string::npos);
    EXPECT_NE(error.hint.find("bessel_j0"), std::string::npos) << error.hint;
  }
}

TEST(Find, AnUnsuitableFunctionBringsItsReason) {
  TemporaryFolder folder;
  std::string file = folder.write("a.c", "struct opaque;\ndouble f(double x, struct opaque* p) { return p ? x : 1; }");
  try {
    Program::load({{file}, {}, ""}).find({"f"}, {});
    FAIL();
  } catch (const base::UserError& error) {
    EXPECT_EQ(error.status, base::status_unsuitable);
    EXPECT_NE(std::string(error.what()).find("opaque"), std::string::npos) << error.what();
  }
}

TEST(Find, NamesAWrongSizeBeforeTheArrayThatLacksOne) {
  TemporaryFolder folder;
  Program program =
      Program::load({{folder.write("s.c", "double f(const double* coefficients) { return coefficients[1]; }\n"
                                          "double g(const double* a) { return a[1]; }")},
                     {},
                     ""});
  try {
    program.find({"f"}, {{"coeficients", {3}}});
    FAIL();
  } catch (const base::UserError& error) {
    EXPECT_EQ(error.status, base::status_usage);
    EXPECT_NE(std::string(error.what()).find("--size coeficients"), std::string::npos) << error.what();
    EXPECT_NE(error.hint.find("coefficients"), std::string::npos) << error.hint;
  }
  // What another function has is no mistake.
  try {
    program.find({"f", "g"}, {{"a", {3}}});
    FAIL();
  } catch (const base::UserError& error) {
    EXPECT_NE(std::string(error.what()).find("needs a size"), std::string::npos) << error.what();
  }
}

} // namespace
} // namespace faultline::program
