// Derivatives along a run, against differences of the code itself run in high precision; and what they say of the
// error.
#include "reading.h"

#include "numeric/bigfloat.h"
#include "tape/adjoint.h"

namespace faultline::test {
namespace {

struct Code {
  std::string name, text;
  std::vector<exec::Input> inputs;
  model::Sizes sizes = {};
};
void PrintTo(const Code& code, std::ostream* stream) { *stream << code.name; }
std::string name_of(const testing::TestParamInfo<Code>& info) { return info.param.name; }

double slope(exec::Session& session, exec::Input input, size_t which) {
  const long double x = input[which];
  const auto step = (long double)std::ldexp(1.0, std::ilogb(double(x)) - 24); // x + step is a double
  input[which] = x + step;
  numeric::BigFloat above = session.lift(input, 256).outputs.at(0);
  input[which] = x - step;
  const numeric::BigFloat below = session.lift(input, 256).outputs.at(0);
  mpfr_sub(above.raw(), above.raw(), below.raw(), MPFR_RNDN);
  return double(above.to_long_double() / (2 * step));
}

class Differentiable : public testing::TestWithParam<Code> {};

TEST_P(Differentiable, DerivativesAreThoseOfTheCode) {
  exec::Session session = open_text(GetParam().text, ".c", "f", {.sizes = GetParam().sizes});
  for (const exec::Input& input : GetParam().inputs) {
    ASSERT_EQ(input.size(), session.target().inputs.size());
    tape::Tape tape = read(session, input);
    ASSERT_NE(output_record(tape), 0u);
    const std::vector<double> adjoints = tape::adjoint(tape, output_record(tape));
    ASSERT_EQ(adjoints.size(), tape.size());
    EXPECT_EQ(adjoints[output_record(tape)], 1);
    for (size_t i = 0; i < input.size(); ++i) {
      if (!session.target().inputs[i].type.floating)
        continue;
      const double expected = slope(session, input, i);
      EXPECT_NEAR(adjoints[i + 1], expected, 1e-9 * std::fabs(expected) + 1e-12) << "input " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, Differentiable,
    testing::Values(
        Code{"functions",
             "#include <math.h>\ndouble f(double x, double y) { return sin(x * y) + exp(x / 3) * log(y) - pow(x, y) / "
             "sqrt(x + y) + atan2(y, x); }",
             {{1.3, 2.1}, {0.4, 0.9}, {3, 0.1}}},
        Code{"shared_values",
             "double f(double x) { double a = x * x, b = a * a, c = b * b; return c * a - b / (c + 1) + a; }",
             {{1.1}, {-0.7}}},
        Code{"loop",
             "double f(double x, double y) { double s = y; for (int i = 0; i < 50; i++) s = s - (s * s - x) / (2 * s + "
             "y); return s; }",
             {{2, 1}, {10, 0.5}}},
        Code{"branches",
             "#include <math.h>\ndouble f(double x, double y) { double r = x > y ? x * x : y / x; if (r < 1) r = "
             "sqrt(r) - x; return fabs(r) * fmax(x, y); }",
             {{2, 1}, {2, 0.3}, {0.3, 2}, {0.9, 0.95}}},
        Code{"vectors",
             "double f(const double* a, const double* b) { double s = 0; for (int i = 0; i < 8; i++) s += a[i] * b[i] "
             "/ (1 + a[i] * a[i]); return s; }",
             {{1.5, 2, 3, 4, 5, 6, 7, 8, 0.5, -2, 3, 0.1, 5, 7, -8, 9}},
             {{"a", {8}}, {"b", {8}}}},
        Code{"called_function",
             "__attribute__((noinline)) static double g(double a, double b) { return a / b + b * b; }\ndouble f(double "
             "x, double y) { return g(x, y) * g(y, x); }",
             {{2, 3}, {0.1, 5}}},
        Code{"memory",
             "double f(double x, double y) { volatile double t[3] = {x, y, x * y}; t[1] = t[0] + t[2]; return t[1] * "
             "t[1] - t[0]; }",
             {{2, 3}}},
        Code{"floats_in_between", "double f(double x) { return (x * x + 1) / x; }", {{3}, {1e100}, {1e-100}}}),
    name_of);

TEST(Adjoint, OfARecordThatDoesNotReachTheOutputIsZero) {
  exec::Session session = open_text("double f(double x, double y, double* r) { r[0] = x * y; return x + 1; }", ".c",
                                    "f", {.sizes = {{"r", {1}}}});
  exec::Input input = {2, 3};
  input.resize(session.target().inputs.size());
  tape::Tape tape = read(session, input);
  for (size_t i = 0; i < tape.outputs().size(); ++i)
    if (session.target().outputs[i].name == "return") {
      const std::vector<double> adjoints = tape::adjoint(tape, output_record(tape, i));
      EXPECT_EQ(adjoints[1], 1);
      EXPECT_EQ(adjoints[2], 0);
      EXPECT_EQ(adjoints[find(tape, ops::Op::fmul)], 0);
    }
  for (double entry : tape::adjoint(tape, 0))
    EXPECT_EQ(entry, 0) << "an output that the tape does not know has no derivatives";
}

TEST(Adjoint, AtGivenValuesIsTheDerivativeThere) {
  exec::Session session = open_text("double f(double x) { return x * x * x; }");
  tape::Tape tape = read(session, {2});
  std::vector<double> values(tape.size());
  values[1] = 5;
  for (uint32_t index = 2; index < tape.size(); ++index)
    values[index] = tape.value(index) == 4 ? 25 : 125;
  EXPECT_EQ(tape::adjoint(tape, output_record(tape), values)[1], 75);
}

TEST(Adjoint, AtAPoleStaysANumber) {
  exec::Session session = open_text("#include <math.h>\ndouble f(double x, double y) { return sqrt(x) + y; }");
  tape::Tape tape = read(session, {0, 1});
  for (double entry : tape::adjoint(tape, output_record(tape)))
    EXPECT_TRUE(std::isfinite(entry));
  EXPECT_EQ(tape::adjoint(tape, output_record(tape))[2], 1);
}

class Estimated : public testing::TestWithParam<Code> {};

TEST_P(Estimated, ErrorIsNearTheTrueOne) {
  exec::Session session = open_text(GetParam().text, ".c", "f", {.sizes = GetParam().sizes});
  for (const exec::Input& input : GetParam().inputs) {
    tape::Tape tape = read(session, input);
    const tape::ErrorEstimate estimate = tape::estimate_error(tape, output_record(tape));
    const long double computed = tape.outputs()[0].value;
    numeric::BigFloat error = session.lift(input, 256).outputs.at(0);
    numeric::BigFloat own(computed, 64);
    mpfr_sub(error.raw(), error.raw(), own.raw(), MPFR_RNDN);
    const double truth = error.to_double();
    ASSERT_NE(truth, 0) << "the input shows nothing";
    EXPECT_GT(estimate.absolute / truth, 0.5) << truth;
    EXPECT_LT(estimate.absolute / truth, 2) << truth;
    double sum = 0;
    for (double part : estimate.contribution)
      sum += part;
    EXPECT_EQ(sum, estimate.absolute);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, Estimated,
    testing::Values(Code{"one_minus_cos",
                         "#include <math.h>\ndouble f(double x) { return (1 - cos(x)) / (x * x); }",
                         {{1e-3}, {1e-5}, {1.23e-6}}},
                    Code{"quadratic",
                         "#include <math.h>\ndouble f(double a, double b, double c) { return (-b + sqrt(b * b - 4 * a "
                         "* c)) / (2 * a); }",
                         {{1, 1e4, 1.1}, {1.3, 1e6, 0.7}}},
                    Code{"exponential_minus_one",
                         "#include <math.h>\ndouble f(double x) { return exp(x) - 1; }",
                         {{1e-8}, {3e-12}}},
                    Code{"sum",
                         "double f(const double* a) { double s = 0; for (int i = 0; i < 6; i++) s += a[i]; return s; }",
                         {{1e10, 0.1, -1e10, 3.3, 1e5, -0.7}},
                         {{"a", {6}}}},
                    Code{"single_precision",
                         "float f(float x) { return (x * x * x + 0.1f) / (x - 0.3f) * 0.7f; }",
                         {{0.301f}, {1e4f}}},
                    Code{"long_double",
                         "#include <math.h>\nlong double f(long double x) { return (1 - cosl(x)) / (x * x); }",
                         {{1e-4L}, {1.7e-6L}}},
                    Code{"iterated",
                         "double f(double x) { double s = x; for (int i = 0; i < 30; i++) s = s * s - 1.3; return s; }",
                         {{0.3}, {0.77}}}),
    name_of);

TEST(Problem, ConditionIsThatOfThePowerFunction) {
  exec::Session session = open_text("double f(double x) { double a = x * x; return a * a * x; }");
  tape::Tape tape = read(session, {1.7});
  const auto adjoints = tape::adjoint(tape, output_record(tape));
  EXPECT_NEAR(tape::problem_condition(tape, output_record(tape), adjoints), 5, 1e-12);
}

} // namespace
} // namespace faultline::test
