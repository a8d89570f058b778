// A hint is offered only if it was tried out, and says what it does.
#include "../tape/reading.h"

#include "explain/cause.h"
#include "explain/remedy.h"
#include "explain/rewrite.h"
#include "numeric/ulp.h"

#include <cmath>

namespace faultline::test {
namespace {

struct Curable {
  std::string name, text; // of the function f
  exec::Input input;
  std::string remedy, advice; // part of it
  double after = 1e-14;       // the error with it is at most that
  frontend::Sizes sizes = {};
};
void PrintTo(const Curable& code, std::ostream* stream) { *stream << code.name; }

std::optional<explain::Remedy> remedy_for(exec::Session& session, const exec::Input& input) {
  const tape::Tape tape = read(session, input);
  const uint32_t output = output_record(tape);
  const tape::Replay exact = tape::replay(tape, 1024);
  const std::vector<explain::Link> way = explain::chain(tape, output, exact);
  const explain::Blame blame = explain::find_cause(tape, way, exact);
  std::vector<std::string> names;
  for (const frontend::Cell& cell : session.target().inputs)
    names.push_back(cell.name);
  const std::vector<explain::Remedy> all =
      explain::find_remedies({tape, output, exact.values[output], way, blame.record, names});
  return all.empty() ? std::nullopt : std::optional(all.front());
}

class Cured : public testing::TestWithParam<Curable> {};

TEST_P(Cured, WithTheStandardRemedy) {
  exec::Session session = open_text("#include <math.h>\n" + GetParam().text, ".c", "f", {.sizes = GetParam().sizes});
  const std::optional<explain::Remedy> remedy = remedy_for(session, GetParam().input);
  ASSERT_TRUE(remedy);
  EXPECT_EQ(remedy->name, GetParam().remedy) << remedy->advice;
  EXPECT_NE(remedy->advice.find(GetParam().advice), std::string::npos) << remedy->advice;
  EXPECT_LE(remedy->relative, GetParam().after);
}

INSTANTIATE_TEST_SUITE_P(
    All, Cured,
    testing::Values(
        Curable{"log1p",
                "double f(double x) { return log(1 + x) * 3; }",
                {1.23e-10},
                "log1p",
                "write log1p(x) for log(1 + x)"},
        Curable{"log1p_of_a_negative", "double f(double x) { return log(1 - x); }", {1.23e-10}, "log1p", "log1p(-x)"},
        Curable{"log1p_of_a_quotient",
                "double f(double x, double y) { return log(x / y); }",
                {1.0000000001, 1.0000000003},
                "log1p",
                "log1p((x - y) / y)"},
        Curable{"expm1",
                "double f(double x) { return (exp(x) - 1) / x; }",
                {1.1e-11},
                "expm1",
                "write expm1(x) for exp(x) - 1"},
        Curable{"one_minus_exp", "double f(double x) { return 1 - exp(-x); }", {1.1e-11}, "expm1", "-expm1("},
        Curable{"half_angle",
                "double f(double x) { return (1 - cos(x)) / (x * x); }",
                {1e-7},
                "half-angle",
                "write 2 * sin(x / 2) * sin(x / 2) for 1 - cos(x)"},
        Curable{"difference_of_sines",
                "double f(double x, double y) { return sin(x + y) - sin(x); }",
                {1, 1e-11},
                "half-angle",
                "sin(y / 2)"},
        Curable{"difference_of_cosines",
                "double f(double x, double y) { return cos(x + y) - cos(x); }",
                {1, 1e-11},
                "half-angle",
                "sin(y / 2)"},
        Curable{"difference_of_tangents",
                "double f(double x, double y) { return tan(x + y) - tan(x); }",
                {1, 1e-11},
                "sine of the difference",
                "sin(y)"},
        Curable{"difference_of_arc_tangents",
                "double f(double x) { return atan(x + 1) - atan(x); }",
                {3e7},
                "atan of the difference",
                "atan(1 / (1 + "},
        Curable{"difference_of_logarithms",
                "double f(double x) { return log(x + 1) - log(x); }",
                {3e12},
                "log1p",
                "log1p(1 / x)"},
        Curable{"difference_of_roots",
                "double f(double x) { return sqrt(x + 1) - sqrt(x); }",
                {3e14},
                "rationalised difference",
                "1 / (sqrt(x + 1) + sqrt(x))"},
        Curable{"difference_of_cube_roots",
                "double f(double x) { return cbrt(x + 1) - cbrt(x); }",
                {3e14},
                "rationalised difference",
                "1 / ("},
        Curable{"root_of_a_quadratic",
                "double f(double a, double b, double c) { return (sqrt(b * b - 4 * a * c) - b) / (2 * a); }",
                {1, 1.3e8, 1},
                "rationalised difference",
                "+ b)"},
        Curable{"root_of_a_quadratic_with_a_negative_coefficient",
                "double f(double b, double c) { return sqrt(b * b - c) + b; }",
                {-1.3e8, 1.1},
                "rationalised difference",
                "- b)"},
        Curable{"difference_of_squares",
                "double f(double x, double y) { return x * x - y * y; }",
                {1.0000000001, 1.0000000003},
                "factored difference of squares",
                "write (x - y) * (x + y)"},
        Curable{"one_minus_a_square",
                "double f(double x) { return 1 - x * x; }",
                {1.0000000001},
                "factored difference of squares",
                "(1 - x) * (1 + x)"},
        Curable{"difference_of_reciprocals",
                "double f(double x) { return 1 / x - 1 / (x + 1); }",
                {3e9},
                "common denominator",
                "for 1 / x - 1 / (x + 1)"},
        Curable{"fma",
                "double f(double x, double y, double z) { return x * y - z; }",
                {1.0000000001, 1.0000000003, 1.0000000004},
                "fma",
                "fma(x, y, -z)"},
        Curable{"determinant",
                "double f(double a, double b, double c, double d) { return a * d - b * c; }",
                {1.0000000001, 1.0000000003, 1.0000000004, 1.0000000006},
                "fma",
                "fma("},
        Curable{"complementary_error_function",
                "double f(double x) { return 1 - erf(x); }",
                {5.5},
                "erfc",
                "write erfc(x) for 1 - erf(x)"},
        Curable{"hypot",
                "double f(double x, double y) { return sqrt(x * x + y * y); }",
                {3e-170, 4e-170},
                "hypot",
                "write hypot(x, y) for sqrt(x * x + y * y)"},
        Curable{"power_of_one_plus",
                "double f(double x, double n) { return pow(1 + x, n); }",
                {1.1e-10, 3.7e9},
                "log1p",
                "exp(n * log1p(x))",
                1e-13},
        Curable{"length_in_space",
                "double f(double x, double y, double z) { return sqrt(x * x + y * y + z * z); }",
                {3e-170, 4e-170, 5e-170},
                "hypot",
                "write hypot(hypot(x, y), z) for sqrt("},
        Curable{"logarithm_of_a_product",
                "double f(double x, double y) { return log(x * y * x * y); }",
                {1e-90, 3e-80},
                "sum of logarithms",
                "log(x) + log(y) + ..."},
        Curable{"divide_first",
                "double f(double x, double y) { return x * y / (x + y); }",
                {1e-200, 3e-200},
                "divide first",
                "/ (x + y)"},
        Curable{"order_of_a_sum",
                "double f(double x, double y) { return (x + y) - x; }",
                {1e17, 1.7},
                "other order",
                "write y for x + y - x",
                0},
        Curable{"compensated_sum",
                "double f(const double *a) { double s = 0; for (int i = 0; i < 5; i++) s += a[i]; return s; }",
                {1e16, 1.25, 3.5, -1e16, 0.1},
                "compensated sum",
                "Neumaier",
                1e-15,
                {{"a", {5}}}},
        Curable{"compensated_dot_product",
                "double f(const double *a, const double *b) { double s = 0; for (int i = 0; i < 3; i++) s += a[i] * "
                "b[i]; return s; }",
                {1.1e8, 1, 1.1e8, 1.3e8, 0.7, -1.3e8},
                "compensated dot product",
                "Dot2",
                1e-15,
                {{"a", {3}}, {"b", {3}}}},
        Curable{"asinh",
                "double f(double x) { return log(x + sqrt(x * x + 1)); }",
                {1.23e-10},
                "asinh",
                "write asinh(x) for log(x + sqrt(x * x + 1))"},
        Curable{"acosh",
                "double f(double x) { return log(x + sqrt(x * x - 1)); }",
                {1.0000000001},
                "acosh",
                "write acosh(x) for log(x + sqrt(x * x - 1))"},
        Curable{"atanh",
                "double f(double x) { return 0.5 * log((1 + x) / (1 - x)); }",
                {1.23e-10},
                "atanh",
                "write 2 * atanh(x) for log((1 + x) / (1 - x))"},
        Curable{"atanh_as_a_difference",
                "double f(double x) { return log(1 + x) - log(1 - x); }",
                {1.23e-10},
                "atanh",
                "2 * atanh(x)"},
        Curable{"rapidity",
                "double f(double p, double m) { return atanh(p / sqrt(p * p + m * m)); }",
                {1.3e7, 1.1},
                "asinh",
                "write asinh(p / m) for atanh(p / sqrt(p * p + m * m)) where m is above 0"},
        Curable{"sinh",
                "double f(double x) { return (exp(x) - exp(-x)) / 2; }",
                {1.23e-10},
                "sinh",
                "write 2 * sinh(x) for exp(x) - exp(-x)"},
        Curable{"haversine",
                "double f(double p, double q, double d) { return acos(sin(p) * sin(q) + cos(p) * cos(q) * cos(d)); }",
                {0.5, 0.5000001, 1e-7},
                "haversine",
                "2 * asin(sqrt("},
        Curable{"two_passes",
                "double f(const double *a) { double s = 0, q = 0; for (int i = 0; i < 4; i++) { s += a[i]; q += a[i] * "
                "a[i]; } return q / 4 - (s / 4) * (s / 4); }",
                {1e8 + 1, 1e8 + 2, 1e8 + 3, 1e8 + 5},
                "two passes",
                "(m is the mean)",
                1e-14,
                {{"a", {4}}}},
        Curable{"two_passes_of_a_sum",
                "double f(const double *a) { double s = 0, q = 0; for (int i = 0; i < 4; i++) { s += a[i]; q += a[i] * "
                "a[i]; } return q - s * s / 4; }",
                {1e8 + 1, 1e8 + 2, 1e8 + 3, 1e8 + 5},
                "two passes",
                "(m is the mean)",
                1e-14,
                {{"a", {4}}}},
        Curable{"complex_quotient",
                "double f(double a, double b, double c, double d) { return (a * c + b * d) / (c * c + d * d); }",
                {1, 2, 3e200, 4e200},
                "scaled by a power of two",
                "write (a * (c / s) + b * (d / s)) / (c * (c / s) + d * (d / s)) for"},
        Curable{"complex_reciprocal",
                "double f(double re, double im) { return -im / (re * re + im * im); }",
                {3e-200, 4e-200},
                "scaled by a power of two",
                "s is a power of two"},
        Curable{"root_mean_square",
                "double f(const double *a) { double s = 0; for (int i = 0; i < 4; i++) s += a[i] * a[i]; return "
                "sqrt(s / 4); }",
                {1e200, 2e200, 3e200, 4e200},
                "scaled by a power of two",
                "s * sqrt(",
                1e-15,
                {{"a", {4}}}},
        Curable{"log_sum_exp",
                "double f(double a, double b) { return log(exp(a) + exp(b)); }",
                {800, 801},
                "shifted exponentials",
                "fmax(a, b) + log1p(exp(-fabs(a - b)))"},
        Curable{
            "log_sum_exp_of_many",
            "double f(const double *a) { double s = 0; for (int i = 0; i < 4; i++) s += exp(a[i]); return log(s); }",
            {800, 801, 802, 803},
            "shifted exponentials",
            "m is the largest exponent",
            1e-15,
            {{"a", {4}}}}),
    [](const auto& info) { return info.param.name; });

TEST(Remedy, IsNotOfferedWhereNothingHelps) {
  // The input's own rounding is all that is left of it.
  exec::Session session = open_text("#include <math.h>\nlong double f(long double x) { return sinl(x * x); }");
  EXPECT_FALSE(remedy_for(session, {1.3e9L}));
}

TEST(Remedy, IsAWiderFormatWhereNoRuleFits) {
  exec::Session session = open_text("double f(double x) { double p = ((x - 3) * x + 3) * x; return p - 1; }");
  const auto remedy = remedy_for(session, {1.0001});
  ASSERT_TRUE(remedy);
  EXPECT_EQ(remedy->name, "long double");
}

// (x + m) - m rounds x, and x is another number: not where the constant is one that rounds (the pass knows the plain
// form, and the tape has an addition that is its own reference then), nor where what was cut off is put to use.
bool cancels(const std::string& text, const exec::Input& input) {
  exec::Session session = open_text("#include <math.h>\n" + text, ".c", "f");
  const tape::Tape tape = read(session, input);
  std::vector<long double> values(tape.size());
  for (uint32_t record = 1; record < tape.size(); ++record)
    values[record] = tape.exact(record);
  for (uint32_t record = 1; record < tape.size(); ++record)
    for (const explain::Rewritten& each : explain::rewrites_of(tape, record, values, {"x", "y"}))
      if (std::string_view(each.name) == "other order")
        return true;
  return false;
}

TEST(Remedy, NeverTakesAwayARoundingThatIsMeant) {
  const std::string tables = "struct { double shift, other; } tab = {0x1.8p52, 3e9};\n";
  EXPECT_FALSE(cancels(tables + "double f(double x) { return (x + tab.shift) - tab.shift; }", {1.3}));
  EXPECT_FALSE(
      cancels(tables + "double f(double x) { double k = x + tab.shift; k -= tab.shift; return x * 3 - k; }", {1.3}));
  EXPECT_FALSE(cancels("volatile double m = 0x1p45;\ndouble f(double x) { double s = m; return (x + s) - s; }", {1.3}));
  EXPECT_FALSE(
      cancels("double f(double x) { double c = 134217729 * x, d = c - x, high = c - d; return x - high; }", {1.3}))
      << "Veltkamp's splitting";
  EXPECT_TRUE(cancels(tables + "double f(double x) { return (x + tab.other) - tab.other; }", {1.3}));
  EXPECT_TRUE(cancels("double f(double x, double y) { return (x + y) - y; }", {1.3, 0x1p52}));
}

TEST(Remedy, IsMeantForAllCopiesOfAnOperation) {
  exec::Session session = open_text("#include <math.h>\nstatic double g(double x) { return log(1 + x); }\n"
                                    "double f(double x, double y) { return g(x) * g(y); }");
  const tape::Tape tape = read(session, {1.1e-10, 1.3e-10});
  const uint32_t site = tape.record(find(tape, ops::Op::log)).site;
  EXPECT_EQ(explain::sites_beside(session.sites(), site).size(), 2u);
  const auto changed =
      explain::changed(tape, {explain::Means::rewrite, explain::sites_beside(session.sites(), site), "log1p"});
  ASSERT_TRUE(changed);
  EXPECT_EQ(changed->replaced, 2u);
  EXPECT_EQ(explain::output_of(tape, *changed, 0), std::log1p(1.1e-10) * std::log1p(1.3e-10));
}

TEST(Remedy, IsNotOfferedIfTheCodeWouldGoAnotherWay) {
  exec::Session session = open_text("#include <math.h>\ndouble f(double x) {\n  double d = 1 - cos(x);\n  double r = d "
                                    "* 3;\n  if (d == 0)\n    r = d * 2;\n  return r;\n}");
  const auto remedy = remedy_for(session, {1e-9});
  EXPECT_TRUE(!remedy || remedy->name != "half-angle") << remedy->advice;
  exec::Session straight = open_text("#include <math.h>\ndouble f(double x) { return (1 - cos(x)) * 2; }");
  ASSERT_TRUE(remedy_for(straight, {1e-9}));
  EXPECT_EQ(remedy_for(straight, {1e-9})->name, "half-angle");
}

} // namespace
} // namespace faultline::test
