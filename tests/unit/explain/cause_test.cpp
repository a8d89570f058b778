// The line that a report names, and its advice: fix it, or accept it.
#include "../tape/reading.h"

#include "explain/cause.h"
#include "explain/conditioning.h"
#include "numeric/bigfloat.h"

namespace faultline::test {
namespace {

using ops::Op;

struct Explained {
  std::string name, text;
  exec::Input input;
  int line = 0;
  Op op = Op::none;
  bool ill_conditioned = false;
  std::string ending = ".c";
  model::Sizes sizes = {};
};
void PrintTo(const Explained& code, std::ostream* stream) { *stream << code.name; }

class Wrong : public testing::TestWithParam<Explained> {};

TEST_P(Wrong, LineAndVerdictAreRight) {
  exec::Session session = open_text(GetParam().text, GetParam().ending, "f", {.sizes = GetParam().sizes});
  tape::Tape tape = read(session, GetParam().input);
  const uint32_t output = output_record(tape);
  ASSERT_NE(output, 0u);
  const tape::Replay exact = tape::replay(tape, 512);
  const double error = numeric::relative_error(tape.exact(output), exact.values[output]);
  ASSERT_GT(error, 1e-9) << "the input shows nothing";
  const explain::Blame blame = explain::find_cause(tape, output, exact);
  ASSERT_NE(blame.record, 0u);
  EXPECT_EQ(tape.site(blame.record).line, GetParam().line) << ops::name(tape.site(blame.record).op);
  EXPECT_EQ(ops::name(tape.site(blame.record).op), ops::name(GetParam().op));
  EXPECT_GT(blame.share, 0.05);
  EXPECT_LE(blame.share, 1);
  EXPECT_GT(blame.amplification, 1e3);
  const explain::Conditioning conditioning = explain::conditioning(tape, output, exact, error);
  EXPECT_EQ(conditioning.ill_conditioned, GetParam().ill_conditioned)
      << "error " << error << ", unavoidable " << conditioning.unavoidable;
}

INSTANTIATE_TEST_SUITE_P(
    All, Wrong,
    testing::Values(
        Explained{"one_minus_cos",
                  "#include <math.h>\ndouble f(double x) {\n  double c = cos(x);\n  double d = 1 - c;\n  double s = x "
                  "* x;\n  return d / s;\n}",
                  {1e-7},
                  4,
                  Op::fsub},
        Explained{"naive_quadratic",
                  "#include <math.h>\ndouble f(double a, double b, double c) {\n  double r = sqrt(b * b - 4 * a * "
                  "c);\n  double n = r - b;\n  double d = 2 * a;\n  return n / d;\n}",
                  {1, 1e8, 1},
                  4,
                  Op::fsub},
        Explained{"textbook_variance",
                  "double f(const double* a) {\n  double s = 0, q = 0;\n  for (int i = 0; i < 4; i++) {\n    s += "
                  "a[i];\n    q += a[i] * a[i];\n  }\n  double m = s * s / 4;\n  double v = q - m;\n  return v / 3;\n}",
                  {1e8 + 0.1, 1e8 + 0.7, 1e8 + 1.3, 1e8 - 0.4},
                  8,
                  Op::fsub,
                  false,
                  ".c",
                  {{"a", {4}}}},
        Explained{"absorbed_and_brought_back",
                  "double f(double x) {\n  double t = x + 1e16;\n  double u = t - 1e16;\n  return u * 3;\n}",
                  {1.1},
                  3,
                  Op::fsub},
        Explained{"inside_a_called_function",
                  "#include <math.h>\n__attribute__((noinline)) static double g(double x) {\n  double e = exp(x);\n  "
                  "return e - 1;\n}\ndouble f(double x) {\n  double y = g(x);\n  return y / x;\n}",
                  {1e-11},
                  4,
                  Op::fsub},
        Explained{"inside_a_loop",
                  "double f(double x) {\n  double s = x;\n  for (int i = 0; i < 3; i++) {\n    double t = s * 0.1 + "
                  "1e10;\n    s = t - 1e10;\n  }\n  return s * 7;\n}",
                  {0.37},
                  5,
                  Op::fsub},
        Explained{"exponential_minus_one",
                  "#include <math.h>\ndouble f(double x) {\n  double e = exp(x);\n  return e - 1;\n}",
                  {1e-12},
                  4,
                  Op::fsub},
        Explained{"logarithm_of_one_plus",
                  "#include <math.h>\ndouble f(double x) {\n  return log(1 + x);\n}",
                  {1.23e-10},
                  3,
                  Op::log},
        Explained{"in_cpp",
                  "#include <cmath>\ntemplate <class T> T g(T x) {\n  T r = std::sqrt(x + 1);\n  return r - "
                  "std::sqrt(x);\n}\ndouble f(double x) { return g(x); }",
                  {1e12},
                  4,
                  Op::fsub,
                  false,
                  ".cpp"},
        Explained{"polynomial_at_its_root",
                  "double f(double x) {\n  double p = x * x;\n  return p - 2;\n}",
                  {1.4142135623730951},
                  3,
                  Op::fsub,
                  true},
        Explained{"power_of_a_difference_written_out",
                  "double f(double x) {\n  double p = ((x - 3) * x + 3) * x;\n  return p - 1;\n}",
                  {1.0001},
                  3,
                  Op::fsub},
        Explained{"sine_of_a_large_argument",
                  "#include <math.h>\ndouble f(double x, double y) {\n  double t = x * y;\n  return sin(t);\n}",
                  {1e6, 3.141592653589793},
                  4,
                  Op::sin,
                  true}),
    [](const auto& info) { return info.param.name; });

// Errors that the input's own rounding would make as large: no algorithm does better.
TEST(Conditioning, OfADifferenceWithAConstantIsThatOfTheProblem) {
  exec::Session session = open_text("double f(double x) { return x - 1; }");
  const double x = 1 + 0x1p-30;
  tape::Tape tape = read(session, {x});
  const tape::Replay exact = tape::replay(tape, 256);
  const explain::Conditioning conditioning = explain::conditioning(tape, output_record(tape), exact, 1e-7);
  EXPECT_NEAR(conditioning.problem_condition / 0x1p30, 1, 1e-6);
  EXPECT_NEAR(conditioning.unavoidable / 0x1p-23, 1, 1e-6);
  EXPECT_TRUE(conditioning.ill_conditioned);
  EXPECT_FALSE(explain::conditioning(tape, output_record(tape), exact, 1e-4).ill_conditioned);
}

TEST(Conditioning, OfTheSineAtAMultipleOfPiIsBad) {
  exec::Session session = open_text("#include <math.h>\ndouble f(double x) { return sin(x); }");
  const double x = 1e5 * 3.141592653589793;
  tape::Tape tape = read(session, {x});
  const tape::Replay exact = tape::replay(tape, 256);
  const explain::Conditioning conditioning = explain::conditioning(tape, output_record(tape), exact, 1e-6);
  EXPECT_NEAR(conditioning.problem_condition / std::fabs(x * std::cos(x) / std::sin(x)), 1, 1e-6);
  EXPECT_TRUE(conditioning.ill_conditioned);
}

TEST(Conditioning, CountsTheUnitOfEachInputsFormat) {
  exec::Session session = open_text("double f(float x, double y) { return x * y; }");
  tape::Tape tape = read(session, {0.3f, 0.7});
  const explain::Conditioning conditioning =
      explain::conditioning(tape, output_record(tape), tape::replay(tape, 256), 0);
  EXPECT_NEAR(conditioning.problem_condition, 2, 1e-12);
  EXPECT_NEAR(conditioning.unavoidable, 0x1p-24 + 0x1p-53, 1e-20);
}

TEST(Cause, OfNoErrorIsNobody) {
  exec::Session session = open_text("double f(double x) { return (x - 1) * 2; }");
  tape::Tape tape = read(session, {1 + 0x1p-40});
  EXPECT_EQ(explain::find_cause(tape, output_record(tape), tape::replay(tape, 256)).record, 0u);
  EXPECT_EQ(explain::find_cause(tape, 0, tape::replay(tape, 256)).record, 0u)
      << "an output that the tape does not know";
}

TEST(Cause, IsNotACancellationThatDoesNotReachTheOutput) {
  exec::Session session = open_text("#include <math.h>\ndouble f(double x) {\n  double bad = (x + 1e16) - 1e16;\n  "
                                    "double good = exp(x) - 1;\n  return good + bad * 1e-30;\n}");
  tape::Tape tape = read(session, {1e-9});
  const explain::Blame blame = explain::find_cause(tape, output_record(tape), tape::replay(tape, 256));
  EXPECT_EQ(tape.site(blame.record).line, 4);
}

// An infinity has no derivative to follow; still, an operation made it.
TEST(Cause, OfAnOverflowOnTheWayIsTheOperationThatOverflowed) {
  exec::Session quotient = open_text("double f(double x) {\n  double s = x * x;\n  return s / x;\n}");
  tape::Tape tape = read(quotient, {1e200});
  explain::Blame blame = explain::find_cause(tape, output_record(tape), tape::replay(tape, 256));
  EXPECT_EQ(tape.site(blame.record).op, Op::fmul);
  EXPECT_EQ(tape.site(blame.record).line, 2);
  EXPECT_EQ(blame.share, 1);
  exec::Session inverse = open_text(
      "#include <math.h>\ndouble f(double x) {\n  double s = x * x + 1;\n  double r = sqrt(s);\n  return 1 / r;\n}");
  tape = read(inverse, {1e200});
  ASSERT_EQ(tape.outputs()[0].value, 0);
  blame = explain::find_cause(tape, output_record(tape), tape::replay(tape, 256));
  EXPECT_EQ(tape.site(blame.record).op, Op::fmul) << ops::name(tape.site(blame.record).op);
}

TEST(Cause, OfAnOverflowOutweighsACancellationBesideIt) {
  exec::Session session = open_text("#include <math.h>\ndouble f(double x, double y) {\n  double s = x * x;\n  double "
                                    "r = 1e200 / sqrt(s + 1);\n  double d = (y + 4e15) - 4e15;\n  return r + d;\n}");
  tape::Tape tape = read(session, {1e200, 1.1});
  const explain::Blame blame = explain::find_cause(tape, output_record(tape), tape::replay(tape, 256));
  EXPECT_EQ(tape.site(blame.record).line, 3) << ops::name(tape.site(blame.record).op);
  EXPECT_EQ(tape.site(blame.record).op, Op::fmul);
}

TEST(Cause, OfTheRootOfWhatShouldBeZeroIsWhatMadeItNonzero) {
  exec::Session session = open_text("#include <math.h>\ndouble f(double x) {\n  double t = x + 1e16;\n  double d = t "
                                    "- 1e16;\n  double z = d - x;\n  return sqrt(z);\n}");
  tape::Tape tape = read(session, {1.1});
  const tape::Replay exact = tape::replay(tape, 256);
  ASSERT_TRUE(exact.values[output_record(tape)].is_zero());
  ASSERT_GT(tape.outputs()[0].value, 0.5);
  const explain::Blame blame = explain::find_cause(tape, output_record(tape), exact);
  ASSERT_NE(blame.record, 0u);
  EXPECT_EQ(tape.site(blame.record).op, Op::fsub);
}

TEST(RelativeErrors, AreThoseOfTheRecords) {
  exec::Session session = open_text("double f(double x) { double t = x + 1; return (t - 1) * 4; }");
  tape::Tape tape = read(session, {1e-17});
  const std::vector<double> errors = explain::relative_errors(tape, tape::replay(tape, 256));
  ASSERT_EQ(errors.size(), tape.size());
  EXPECT_EQ(errors[1], 0);
  EXPECT_NEAR(errors[find(tape, Op::fadd)], 1e-17, 1e-20);
  EXPECT_NEAR(errors[output_record(tape)], 1, 1e-12);
}

// Gauss without pivoting on a matrix whose second pivot is exactly zero; the machine's is 2e-16.
constexpr const char* determinant =
    "double f(const double* A) {\n  double a[9], d = 1;\n  for (int i = 0; i < 9; ++i) a[i] = A[i];\n"
    "  for (int k = 0; k < 3; ++k) {\n    d *= a[3 * k + k];\n    for (int i = k + 1; i < 3; ++i) {\n"
    "      double q = a[3 * i + k] / a[3 * k + k];\n"
    "      for (int j = k; j < 3; ++j) a[3 * i + j] -= q * a[3 * k + j];\n    }\n  }\n  return d;\n}";

explain::Conditioning conditioning_at(const exec::Input& input) {
  exec::Session session = open_text(determinant, ".c", "f", {.sizes = {{"A", {9}}}});
  const tape::Tape tape = read(session, input);
  return explain::conditioning(tape, output_record(tape), tape::replay(tape, 512), 1);
}

TEST(Verdict, IsUnknownWhereThePathDividesByZeroInExactArithmetic) {
  EXPECT_FALSE(conditioning_at({49, 98, 5, 1, 2, 3, 2, 7, 1}).known);
  EXPECT_TRUE(conditioning_at({49, 98, 5, 1, 3, 3, 2, 7, 1}).known);
}

TEST(Verdict, IsKnownWhereHalfOfTheDerivativesIsEnough) {
  // d/dy of y * 1e308 * 1e308 is beyond the range; d/dx alone makes the problem ill-conditioned.
  exec::Session session = open_text("double f(double x, double y) { return (x - 1) + y * 1e308 * 1e308; }");
  const tape::Tape tape = read(session, {1 + 0x1p-50, 0});
  const tape::Replay exact = tape::replay(tape, 512);
  EXPECT_TRUE(explain::conditioning(tape, output_record(tape), exact, 0.1).known);
  EXPECT_FALSE(explain::conditioning(tape, output_record(tape), exact, 1e6).known);
}

TEST(Verdict, IsUnknownWhereTheResultIsBeyondTheRangeOfDoubles) {
  exec::Session session = open_text("double f(double x, double y) { return (x - y) * 1e-300 * 1e-300; }");
  const tape::Tape tape = read(session, {1, 0.5});
  const uint32_t output = output_record(tape);
  EXPECT_FALSE(explain::conditioning(tape, output, tape::replay(tape, 256), 1).known);
}

} // namespace
} // namespace faultline::test
