// What a search is steered by: an estimate that misses a large error hides a fault, one that invents it wastes the
// hunt. Everything is compared with a replay in high precision.
#include "estimating.h"

#include "tape/intended.h"

#include "numeric/bigfloat.h"
#include "numeric/random.h"

namespace faultline::test {
namespace {

using numeric::BigFloat;
using numeric::Format;

struct Large {
  std::string name, text;
  exec::Input input;
  double least; // the relative error is at least so large
};
void PrintTo(const Large& code, std::ostream* stream) { *stream << code.name; }

class LargeError : public testing::TestWithParam<Large> {};

TEST_P(LargeError, ComesOutWithItsSize) {
  exec::Session session = open_text("#include <math.h>\n" + GetParam().text);
  const tape::Tape tape = read(session, GetParam().input);
  const double truth = true_relative(tape, 0, 2000);
  ASSERT_GE(truth, GetParam().least) << "the input shows nothing";
  const tape::EstimatedError found = estimate(tape);
  EXPECT_NEAR(found.relative / truth, 1, 5e-2) << found.relative << " instead of " << truth;
  const BigFloat exact = tape::replay(tape, 2000).values[output_record(tape)];
  EXPECT_NEAR(found.absolute / numeric::absolute_error(tape.outputs()[0].value, exact), 1, 5e-2);
}

INSTANTIATE_TEST_SUITE_P(
    All, LargeError,
    testing::Values(
        Large{"cancellation", "double f(double x) { return (1 - cos(x)) / (x * x); }", {1.1e-8}, 1e-2},
        Large{"all_digits_cancelled", "double f(double x) { return (1 - cos(x)) / (x * x); }", {1e-9}, 1},
        Large{"absorption", "double f(double x) { return (x + 1e16) - 1e16; }", {1.1}, 0.5},
        Large{"absorption_to_nothing", "double f(double x) { return (x + 1e30) - 1e30; }", {1.1}, 1},
        Large{"absorption_after_a_product", "double f(double x) { return ((x * x + 1e16) - 1e16) * 3; }", {1.7}, 0.1},
        Large{"a_root", "double f(double x) { return x * x - 2; }", {1.4142135623730951}, 0.1},
        Large{"sine_of_a_large_rounded_product", "double f(double x) { return sin(x * 3.3); }", {1.234e14}, 1e-3},
        Large{"naive_range_reduction",
              "double f(double x) { return sin(x - floor(x / 6.283185307179586) * 6.283185307179586); }",
              {1e15},
              1e-3},
        Large{"overflow_on_the_way", "double f(double x) { return x / (x * x); }", {1e200}, 1},
        Large{"overflow_on_the_way_of_floats", "float f(float x) { return x / (x * x); }", {1e25f}, 1},
        Large{"overflow_inside_a_root", "double f(double x) { return 1 / sqrt(x * x + 1); }", {1e200}, 1},
        Large{"underflow_on_the_way", "double f(double x) { return sqrt(x * x); }", {1e-200}, 1},
        Large{"gradual_underflow_on_the_way", "double f(double x) { return (x * x) / x; }", {3.3e-161}, 1e-3},
        Large{"underflow_of_a_quotient", "double f(double x) { return x / 1e300 * 1e300; }", {1.7e-20}, 1e-5},
        Large{"long_double_tail", "long double f(long double x) { return 1 - tanhl(x); }", {20}, 1e-3},
        Large{"long_double_cosine", "long double f(long double x) { return 1 - cosl(x); }", {1e-8L}, 1e-5},
        Large{"bessel", "double f(double x) { return (1 - j0(x)) / (x * x); }", {1.1e-7}, 1e-4},
        Large{"neighbour", "double f(double x) { return nextafter(x * 3, 9) - 0.3; }", {0.1}, 0.1},
        Large{"significand",
              "#define _GNU_SOURCE\ndouble significand(double);\n"
              "double f(double x) { return significand(x * 3) - 1.2; }",
              {0.1},
              0.1},
        Large{"complex_quotient",
              "double f(double x) { double _Complex z = __builtin_complex(1 - cos(x), 0.0), "
              "w = __builtin_complex(3.0, x); z /= w; return __real__ z; }",
              {1.1e-7},
              1e-3},
        Large{"floats", "float f(float x) { return (1 - cosf(x)) / (x * x); }", {3e-4f}, 1e-2},
        Large{"floats_absorbed_to_nothing", "float f(float x) { return (x + 1) - 1; }", {1e-20f}, 1},
        Large{"a_float_among_doubles", "double f(double x) { return (double)(float)x - 0.1; }", {0.100000001}, 0.1},
        Large{"long_doubles", "long double f(long double x) { return (x + 1e19L) - 1e19L; }", {1.1L}, 0.05},
        Large{"a_root_in_long_doubles",
              "long double f(long double x) { return x * x - 2; }",
              {1.41421356237309504880L},
              1e-2},
        Large{"a_step_that_rounding_took", "double f(double x) { return floor(x * 100) - 34.5; }", {0.35}, 1},
        Large{"a_power", "double f(double x) { return pow(1 + x, 1e15); }", {1.1e-15}, 1e-3},
        Large{"a_difference_of_logarithms", "double f(double x) { return log(x + 1) - log(x); }", {1.3e15}, 1e-2},
        Large{"an_error_that_an_arc_cosine_amplifies", "double f(double x) { return acos(cos(x)); }", {1e-8}, 1}),
    [](const auto& info) { return info.param.name; });

// Magic numbers round on purpose: the difference from exact addition is no error.
TEST(Estimate, RoundingByAMagicNumberIsNoError) {
  exec::Session session = open_text("double f(double x) { double r = x + 0x1.8p52; return r - 0x1.8p52; }");
  tape::note_intended_roundings(session, read(session, {0.1}));
  for (double x : {3.7, -0.2, 1e9 + 0.5})
    EXPECT_EQ(estimate(read(session, {x})).relative, 0) << x;
}

TEST(Estimate, OutputsThatAreNotFiniteCountAsNothing) {
  exec::Session session = open_text("#include <math.h>\ndouble f(double x) { return sqrt(x * x - 1) * x; }");
  EXPECT_EQ(estimate(read(session, {1e200})).relative, 0) << "infinite";
  EXPECT_EQ(estimate(read(session, {0.1})).relative, 0) << "NaN";
}

TEST(Estimate, AResultRightToAnUlpCountsAsNothing) {
  exec::Session session = open_text("double f(double x) { return x / 3; }");
  numeric::Rng rng(5);
  for (int i = 0; i < 100; ++i) {
    const tape::EstimatedError found = estimate(read(session, {rng.uniform(-5, 5)}));
    EXPECT_EQ(found.relative, 0);
    EXPECT_EQ(found.absolute, 0);
  }
  exec::Session twice = open_text("double f(double x) { return x * 1.1 * 1.1 * 1.1 * 1.1; }");
  int counted = 0;
  for (int i = 0; i < 100; ++i)
    counted += estimate(read(twice, {rng.uniform(1, 5)})).relative > 0;
  EXPECT_GT(counted, 5) << "more than an ulp does count";
}

TEST(Estimate, AnErrorBelowTheSmallestNormalNumberCountsAsNothing) {
  exec::Session session = open_text("double f(double x) { return x / 1e16 * 1e16; }");
  EXPECT_EQ(estimate(read(session, {3e-310})).relative, 0) << "a subnormal that vanished";
  EXPECT_GT(true_relative(read(session, {3e-310}), 0), 0.1);
  exec::Session floats = open_text("float f(float x) { return x / 1e8f * 1e8f; }");
  EXPECT_EQ(estimate(read(floats, {3e-40f})).relative, 0);
  exec::Session above = open_text("double f(double x) { return x / 1e300 * 1e300; }");
  EXPECT_NEAR(estimate(read(above, {1e-200})).relative, 1, 1e-9) << "what vanished was normal";
}

TEST(Estimate, ANumberThatShouldHaveBeenZeroIsInfinitelyWrong) {
  exec::Session session = open_text("double f(double x) { return ((x + 1e16) - 1e16) - x; }");
  const tape::EstimatedError found = estimate(read(session, {1.5}));
  EXPECT_EQ(found.relative, 1e300);
  EXPECT_EQ(found.absolute, 0.5);
}

TEST(Estimate, SpeaksOfTheWorstOutput) {
  exec::Session session = open_text("void f(double x, double* a, double* b) { *a = x / 3 * 3 * x; *b = (x + 1e16) - "
                                    "1e16; }");
  const tape::Tape tape = read(session, {1.1});
  tape::Residues residues;
  const std::vector<size_t> first = {0}, second = {1};
  EXPECT_LT(tape::estimated_error(tape, first, residues).relative, 1e-10);
  EXPECT_GT(tape::estimated_error(tape, second, residues).relative, 0.1);
  EXPECT_EQ(estimate(tape).relative, tape::estimated_error(tape, second, residues).relative);
}

// The reader is used again and again; nothing of the last tape may show in the next.
TEST(Estimate, DependsOnItsOwnTapeAlone) {
  exec::Session session = open_text("#include <math.h>\ndouble f(double x) { double s = 0; for (int i = 0; i < (int)x; "
                                    "i++) s += x / (i + 0.1); return (s + 1e12) - 1e12 + sin(x); }");
  tape::Residues reused;
  const std::vector<size_t> outputs = {0};
  numeric::Rng rng(9);
  for (int i = 0; i < 200; ++i) {
    const tape::Tape tape = read(session, {rng.uniform(-2, 40)});
    tape::Residues fresh;
    EXPECT_EQ(tape::estimated_error(tape, outputs, reused).relative,
              tape::estimated_error(tape, outputs, fresh).relative);
  }
}

TEST(Claims, AreMeasuredByTheErrorTheyBound) {
  exec::Session session = open_text("struct r { double val, err; };\nvoid f(double x, double bound, struct r* r) { "
                                    "r->val = (x + 1e16) - 1e16; r->err = bound; }");
  const std::vector<tape::Claim> claims = {{0, 1}};
  tape::Residues residues;
  const std::vector<size_t> judged = {0};
  auto times = [&](double x, double bound) {
    return tape::estimated_error(read(session, {x, bound}), judged, residues, claims).over_claim;
  };
  EXPECT_NEAR(times(1.5, 0.25), 2, 1e-9); // the error is a half
  EXPECT_NEAR(times(1.5, -0.25), 2, 1e-9) << "a bound's sign means nothing";
  EXPECT_NEAR(times(1.5, 50), 0.01, 1e-9);
  EXPECT_EQ(times(1.5, 0), 1e300);
  EXPECT_EQ(times(2, 0), 0) << "no error, no violation";
  EXPECT_EQ(times(1.5, NAN), 0);
  EXPECT_EQ(tape::estimated_error(read(session, {1.5, 0.25}), judged, residues).over_claim, 0) << "not requested";
}

TEST(Claims, OfAnotherOutputAreNotMixedUp) {
  exec::Session session =
      open_text("void f(double x, double* a, double* b, double* err) { *a = (x + 1e16) - 1e16; *b = "
                "x * 2; *err = 1e-3; }");
  const tape::Tape tape = read(session, {1.5});
  EXPECT_NEAR(estimate(tape, {{0, 2}}).over_claim, 500, 1e-6);
  EXPECT_EQ(estimate(tape, {{1, 2}}).over_claim, 0);
}

// Small numerical functions as people write them, and the ranges in which they are wrong.
struct Everyday {
  std::string name, text;
  double low, high;
};

const std::vector<Everyday>& everyday() {
  static const std::vector<Everyday> all = {
      {"one_minus_cos", "double f(double x) { return (1 - cos(x)) / (x * x); }", 1e-9, 1e-2},
      {"exp_minus_one", "double f(double x) { return (exp(x) - 1) / x; }", 1e-14, 1e-3},
      {"square_roots", "double f(double x) { return sqrt(x + 1) - sqrt(x); }", 1e4, 1e17},
      {"quadratic", "double f(double b) { return (-b + sqrt(b * b - 4)) / 2; }", 1e2, 1e12},
      {"expanded_cube", "double f(double x) { return ((x - 3) * x + 3) * x - 1; }", 1 + 1e-8, 1 + 1e-2},
      {"alternating_series",
       "double f(double x) { double s = 1, t = 1; for (int i = 1; i < 150; i++) { t *= -x / i; s += t; } return s; }",
       5, 30},
      {"range_reduction", "double f(double x) { return sin(x - floor(x / 6.283185307179586) * 6.283185307179586); }",
       1e6, 1e15},
      {"variance",
       "double f(double x) { double s = 0, q = 0; for (int i = 0; i < 5; i++) { double v = x + i * 0.1; s += v; q += v "
       "* v; } return (q - s * s / 5) / 4; }",
       1e2, 1e8},
      {"upward_recurrence",
       "double f(double x) { double a = 1 - exp(-x), b = 0; for (int i = 1; i < 18; i++) { b = i * a - pow(x, i) * "
       "exp(-x); a "
       "= b; } return a; }",
       0.3, 3},
      {"log_of_a_ratio", "double f(double x) { return log((x + 1) / x) * x; }", 1e3, 1e15},
      {"floats", "float f(float x) { return (sqrtf(x * x + 1) - 1) / x; }", 1e-4, 1e-1},
      {"heron",
       "double f(double d) { double a = 3, b = 2, c = 1 + d, s = (a + b + c) / 2; return sqrt(s * (s - a) * (s - b) * "
       "(s - c)); }",
       1e-14, 1e-6},
  };
  return all;
}

TEST(Estimate, OfEverydayFunctionsIsThatOfTheReplayWithinAFactorOfTen) {
  int large = 0, near = 0;
  for (const Everyday& code : everyday()) {
    exec::Session session = open_text("#include <math.h>\n" + code.text);
    numeric::Rng rng(1);
    int of_code = 0, near_of_code = 0;
    for (int i = 0; i < 300; ++i) {
      const bool offset = code.low > 1 && code.high < 2; // around 1: the distance from it is spread, not the value
      const double low = offset ? code.low - 1 : code.low, high = offset ? code.high - 1 : code.high;
      const double draw = std::exp(rng.uniform(std::log(low), std::log(high))) + (offset ? 1 : 0);
      const long double x = session.target().inputs[0].type.format == Format::binary32 ? float(draw) : draw;
      const tape::Tape tape = read(session, {x});
      const double truth = true_relative(tape, 0), found = estimate(tape).relative;
      EXPECT_TRUE(found < 1e-3 || truth > 1e-4) << code.name << " invents an error";
      if (!(truth > 1e-10))
        continue;
      ++of_code;
      near_of_code += found > truth / 10 && found < truth * 10;
    }
    EXPECT_GT(of_code, 30) << code.name << ": the inputs show nothing";
    EXPECT_GE(near_of_code, 0.7 * of_code) << code.name;
    large += of_code;
    near += near_of_code;
  }
  EXPECT_GT(large, 1000);
  EXPECT_GE(near, 0.95 * large) << near << " of " << large;
  RecordProperty("large", large);
  RecordProperty("near", near);
}

} // namespace
} // namespace faultline::test
