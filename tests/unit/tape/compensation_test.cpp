#include "reading.h"

#include "tape/intended.h"

namespace faultline::test {
namespace {

using ops::Op;

// The operations whose roundings are measured, in their order.
std::vector<Op> measured(const std::string& body, const exec::Input& input) {
  exec::Session session = open_text("#include <math.h>\ndouble f(double a, double b, double* e) { " + body + " }");
  const tape::Tape tape = read(session, input);
  std::vector<Op> found;
  for (const uint32_t record : tape::measured_roundings(tape))
    found.push_back(tape.site(record).op);
  return found;
}

const exec::Input sum_inputs{1.1, 1e-5}, product_inputs{0.1, 0.3};

TEST(Compensation, OfASumMeasuresItsRounding) {
  EXPECT_EQ(measured("double s = a + b; *e = (a - s) + b; return s;", sum_inputs), std::vector{Op::fadd}) << "fast";
  const char* knuth = "double s = a + b, t = s - a; *e = (a - (s - t)) + (b - t); return s;";
  EXPECT_EQ(measured(knuth, sum_inputs), std::vector{Op::fadd});
  EXPECT_EQ(measured(knuth, {1e-7, 1e9}), (std::vector{Op::fadd, Op::fsub})) << "in the other order of magnitude";
  EXPECT_EQ(measured(knuth, {1e308, 1}), std::vector{Op::fadd});
}

TEST(Compensation, OfAProductMeasuresItsRounding) {
  EXPECT_EQ(measured("double p = a * b; *e = fma(a, b, -p); return p;", product_inputs), std::vector{Op::fmul});
  const std::vector<Op> dekker = measured("double c = 134217729.0 * a, ah = c - (c - a), al = a - ah;\n"
                                          "double d = 134217729.0 * b, bh = d - (d - b), bl = b - bh, p = a * b;\n"
                                          "*e = ((ah * bh - p) + ah * bl + al * bh) + al * bl; return p;",
                                          product_inputs);
  EXPECT_EQ(std::ranges::count(dekker, Op::fmul), 3) << "both splittings and the product";
}

TEST(Compensation, OfASplittingKeepsBothParts) {
  EXPECT_EQ(measured("double c = 134217729.0 * a, d = c - a; *e = a - (c - d); return c - d;", {0.1, 0}),
            (std::vector{Op::fmul, Op::fsub}));
  EXPECT_EQ(measured("float high = (float)a; *e = a - high; return high;", {0.1, 0}), std::vector{Op::fptrunc});
}

TEST(Compensation, OfAQuotientOrARootIsWhatIsLeftToDivide) {
  EXPECT_EQ(measured("double q = a / b; *e = fma(-q, b, a) / b; return q;", {1, 3}), std::vector{Op::fdiv});
  EXPECT_EQ(measured("double r = sqrt(a); *e = fma(-r, r, a) / (2 * r); return r;", {1.1, 0}), std::vector{Op::sqrt});
}

TEST(Compensation, InASumOfManyTerms) {
  const std::vector<Op> kahan = measured("double s = 0, c = 0;\n"
                                         "for (int i = 1; i < 20; i++) { double y = a / i - c, t = s + y;\n"
                                         "c = (t - s) - y; s = t; } *e = c; return s;",
                                         sum_inputs);
  EXPECT_GT(kahan.size(), 10u);
  EXPECT_EQ(std::ranges::count(kahan, Op::fadd), std::ssize(kahan)) << "the sums, not the terms";
}

TEST(Compensation, IsNotWhatIsNoZeroByTheRulesOfAlgebra) {
  const std::vector<Op> none;
  EXPECT_EQ(measured("*e = 0; return (a + b) - b;", {1e-9, 1e5}), none) << "an absorption";
  EXPECT_EQ(measured("*e = 0; return 1 - cos(a);", {1e-7, 0}), none);
  EXPECT_EQ(measured("*e = 0; return a * a - b * b;", {1.1, 1.1000000001}), none);
}

} // namespace
} // namespace faultline::test
