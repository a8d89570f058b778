// Integers with several values: each has its own proof, and none takes another's.
#include "proving.h"

#include "numeric/random.h"

namespace faultline::test {
namespace {

TEST(IntegerRange, HasTheLargestBoundOfItsValues) {
  const char* code =
      "double f(double x, int n) { double s = 1; for (int i = 0; i < n; i++) s = s * x + 0.1; return s; }";
  Proof all(code, {doubles(0, 1), integers(1, 5)});
  all.run();
  ASSERT_TRUE(all.proof->complete()) << all.proof->open().front().reason;
  double largest = 0;
  for (int n = 1; n <= 5; ++n) {
    Proof one(code, {doubles(0, 1), integers(n, n)});
    one.run();
    ASSERT_TRUE(one.proof->complete());
    largest = std::max(largest, one.proven());
  }
  EXPECT_NEAR(all.proven(), largest, largest * 0.01);
  numeric::Rng rng(1);
  for (int i = 0; i < 1'000; ++i)
    EXPECT_LE(all.true_error({rng.uniform(), (long double)(1 + rng.below(5))}), all.proven());
}

// The path is the same for all, and the constants are not.
TEST(IntegerRange, NumbersMadeOfItAreItsOwn) {
  Proof proof("double f(double x, int n) { return x * n; }", {doubles(1, 1.5), integers(1, 3)});
  proof.run();
  ASSERT_TRUE(proof.proof->complete());
  EXPECT_GE(proof.proven(), proof.true_error({0x1.5555555555555p0L, 3})) << "3 x is rounded, x is not";
  EXPECT_EQ(proof.proven(), 0x1p-51);
}

TEST(IntegerRange, BordersAreThoseOfEachValue) {
  const char* code = "double f(double x, int n) { return x * x < n * 0.5 ? x * 3 : x / 7; }";
  Proof proof(code, {doubles(0, 2), integers(1, 6)});
  proof.run();
  ASSERT_TRUE(proof.proof->complete()) << proof.proof->open().front().reason;
  numeric::Rng rng(2);
  for (int n = 1; n <= 6; ++n) {
    const double border = std::sqrt(n * 0.5);
    for (double x = border * (1 - 0x1p-48); x < std::min(2.0, border * (1 + 0x1p-48)); x = std::nextafter(x, 3.0))
      ASSERT_LE(proof.true_error({x, (long double)n}), proof.proven()) << x << " " << n;
  }
}

TEST(IntegerRange, NegativeOnesAndZeroToo) {
  Proof proof("#include <math.h>\ndouble f(double x, int n) { return n < 0 ? x / 3 : n == 0 ? x : x * exp(x * n); }",
              {doubles(0, 1), integers(-3, 3)});
  proof.run();
  EXPECT_TRUE(proof.proof->complete());
  EXPECT_EQ(proof.paths(), 7u);
}

TEST(IntegerRange, OfTooManyValuesIsOpenAndSaysWhy) {
  Proof proof("double f(double x, long n) { return x * n; }", {doubles(1, 2), integers(1, 1e12)});
  proof.run(200);
  EXPECT_FALSE(proof.proof->complete());
  EXPECT_FALSE(proof.proof->boxes().empty()) << "the first ones have their bounds";
  bool told = false;
  for (const prove::OpenBox& open : proof.proof->open())
    told = told || open.reason.find("integers") != std::string::npos;
  EXPECT_TRUE(told);
}

} // namespace
} // namespace faultline::test
