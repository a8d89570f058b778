#include "numeric/eft.h"

#include <gtest/gtest.h>

#include "numeric/bigfloat.h"
#include "samples.h"

namespace faultline::numeric {
namespace {

// Wide enough for a sum of any two x87 numbers to be exact.
constexpr mpfr_prec_t exact = 33000;

template <class T> class ErrorFree : public testing::Test {
protected:
  static constexpr int precision = std::numeric_limits<T>::digits;
  // Far enough from the ends of the exponent range for products and their errors to exist.
  static constexpr int span = (std::numeric_limits<T>::max_exponent - 3 * std::numeric_limits<T>::digits) / 2;

  static BigFloat big(T value) { return BigFloat(value, exact); }
};
using Formats = testing::Types<float, double, long double>;
TYPED_TEST_SUITE(ErrorFree, Formats);

TYPED_TEST(ErrorFree, SumAndItsErrorAreTheExactSum) {
  using T = TypeParam;
  Rng rng(1);
  for (int i = 0; i < 20000; ++i) {
    const T a = any_finite<T>(rng);
    const T b = i % 4 ? near(rng, a, this->precision + 2) : any_finite<T>(rng);
    const T sum = a + b, error = sum_error(a, b, sum);
    if (!std::isfinite(sum))
      continue;
    BigFloat left = this->big(a), right = this->big(sum), term = this->big(b);
    mpfr_add(left.raw(), left.raw(), term.raw(), MPFR_RNDN);
    term = this->big(error);
    mpfr_add(right.raw(), right.raw(), term.raw(), MPFR_RNDN);
    ASSERT_TRUE(left == right) << a << " + " << b;
  }
}

TYPED_TEST(ErrorFree, ProductAndItsErrorAreTheExactProduct) {
  using T = TypeParam;
  Rng rng(2);
  for (int i = 0; i < 20000; ++i) {
    const T a = with_exponent<T>(rng, -this->span, this->span), b = with_exponent<T>(rng, -this->precision, this->span);
    const T product = a * b, error = product_error(a, b, product);
    ASSERT_TRUE(std::isfinite(product));
    BigFloat left(300), right(300), x(a, 64), y(b, 64);
    mpfr_mul(left.raw(), x.raw(), y.raw(), MPFR_RNDN);
    x.set(product);
    y.set(error);
    mpfr_add(right.raw(), x.raw(), y.raw(), MPFR_RNDN);
    ASSERT_TRUE(left == right) << a << " * " << b;
  }
}

// |error - (exact - rounded)| in units of the exact error.
template <class T> double relative_to(BigFloat exact_result, T rounded, T error) {
  BigFloat term(rounded, 64);
  mpfr_sub(exact_result.raw(), exact_result.raw(), term.raw(), MPFR_RNDN);
  term.set(error);
  if (exact_result.is_zero())
    return error == 0 ? 0 : 1;
  mpfr_sub(term.raw(), term.raw(), exact_result.raw(), MPFR_RNDN);
  mpfr_div(term.raw(), term.raw(), exact_result.raw(), MPFR_RNDN);
  return std::fabs(term.to_double());
}

TYPED_TEST(ErrorFree, QuotientErrorIsRightToFirstOrder) {
  using T = TypeParam;
  Rng rng(3);
  for (int i = 0; i < 20000; ++i) {
    const T a = with_exponent<T>(rng, -10, 10), b = with_exponent<T>(rng, -10, 10), q = a / b;
    BigFloat x(a, 64), y(b, 64), exact_result(600);
    mpfr_div(exact_result.raw(), x.raw(), y.raw(), MPFR_RNDN);
    ASSERT_LE(relative_to(exact_result, q, quotient_error(a, b, q)), std::ldexp(4.0, -this->precision))
        << a << "/" << b;
  }
  EXPECT_EQ(quotient_error(T{6}, T{3}, T{2}), 0);
}

TYPED_TEST(ErrorFree, SquareRootErrorIsRightToFirstOrder) {
  using T = TypeParam;
  Rng rng(4);
  for (int i = 0; i < 20000; ++i) {
    const T a = std::fabs(with_exponent<T>(rng, -10, 10)), r = std::sqrt(a);
    BigFloat x(a, 64), exact_result(600);
    mpfr_sqrt(exact_result.raw(), x.raw(), MPFR_RNDN);
    ASSERT_LE(relative_to(exact_result, r, sqrt_error(a, r)), std::ldexp(4.0, -this->precision)) << a;
  }
  EXPECT_EQ(sqrt_error(T{9}, T{3}), 0);
  EXPECT_EQ(sqrt_error(T{0}, T{0}), 0);
}

TYPED_TEST(ErrorFree, OverflowAndNaNGiveNoErrorInsteadOfNaN) {
  using T = TypeParam;
  const T max = std::numeric_limits<T>::max(), infinity = std::numeric_limits<T>::infinity();
  EXPECT_EQ(sum_error(max, max, infinity), 0);
  EXPECT_EQ(product_error(max, max, infinity), 0);
  EXPECT_EQ(sum_error(infinity, -infinity, std::numeric_limits<T>::quiet_NaN()), 0);
  EXPECT_EQ(quotient_error(T{1}, T{0}, infinity), 0);
  EXPECT_EQ(quotient_error(T{1}, infinity, T{0}), 0);
  EXPECT_EQ(sqrt_error(T{-1}, std::numeric_limits<T>::quiet_NaN()), 0);
}

} // namespace
} // namespace faultline::numeric
