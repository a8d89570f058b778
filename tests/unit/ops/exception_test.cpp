#include <cfenv>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "../numeric/samples.h"
#include "numeric/format.h"
#include "ops/table.h"

namespace faultline::ops {
namespace {

using numeric::Format;
using numeric::Rng;

template <class T> struct Machine;
template <> struct Machine<float> {
  static constexpr Format format = Format::binary32;
  static float run(Op op, float a, float b, float c) { return evaluate32(op, a, b, c); }
};
template <> struct Machine<double> {
  static constexpr Format format = Format::binary64;
  static double run(Op op, double a, double b, double c) { return evaluate(op, a, b, c); }
};
template <> struct Machine<long double> {
  static constexpr Format format = Format::extended80;
  static long double run(Op op, long double a, long double b, long double c) { return evaluate80(op, a, b, c); }
};

Exception raised_flag() {
  if (std::fetestexcept(FE_INVALID))
    return Exception::invalid;
  if (std::fetestexcept(FE_DIVBYZERO))
    return Exception::divide_by_zero;
  if (std::fetestexcept(FE_OVERFLOW))
    return Exception::overflow;
  if (std::fetestexcept(FE_UNDERFLOW))
    return Exception::underflow;
  return Exception::none;
}

template <class T> class HardwareFlags : public testing::Test {
protected:
  int seen[5] = {};

  void agree(Op op, T a, T b = 0, T c = 0) {
    std::feclearexcept(FE_ALL_EXCEPT);
    const volatile T result = Machine<T>::run(op, a, b, c);
    const Exception flag = raised_flag();
    ++seen[static_cast<int>(flag)];
    ASSERT_EQ(name(exception(op, Machine<T>::format, a, b, c, result)), name(flag))
        << name(op) << "(" << a << ", " << b << ", " << c << ") = " << result;
  }

  void expect_seen(std::initializer_list<Exception> kinds) {
    for (const Exception kind : kinds)
      EXPECT_GT(seen[static_cast<int>(kind)], 50) << name(kind) << " was hardly tested";
  }

  static constexpr int smallest_exponent = std::numeric_limits<T>::min_exponent - 1;
  static constexpr int digits = std::numeric_limits<T>::digits;

  // A few ulps around 2^e: with a factor close to 1, results land on both sides of the smallest normal and tie there.
  static T beside_power(Rng& rng, int exponent) {
    const T power = std::ldexp(T{1}, exponent);
    return numeric::nth(power, static_cast<numeric::Ordered<T>>(static_cast<int>(rng.below(9)) - 4));
  }
  // Random over the subnormals and the normals just above; about one in four a power of two.
  static T tiny(Rng& rng) {
    if (rng.below(4) == 0)
      return std::ldexp(T{1}, smallest_exponent - static_cast<int>(rng.below(digits)));
    return numeric::with_exponent<T>(rng, smallest_exponent - digits, smallest_exponent + 3);
  }
  static T moderate(Rng& rng) {
    if (rng.below(4) == 0)
      return std::ldexp(T{1}, static_cast<int>(rng.below(8)) - 4);
    return numeric::with_exponent<T>(rng, -4, 4);
  }
};
using Formats = testing::Types<float, double, long double>;
TYPED_TEST_SUITE(HardwareFlags, Formats);

TYPED_TEST(HardwareFlags, AgreeOnEveryOperandOfTheWholeRange) {
  using T = TypeParam;
  Rng rng(1);
  for (int i = 0; i < 5000; ++i) {
    const T a = numeric::any_finite<T>(rng), b = numeric::any_finite<T>(rng), c = numeric::any_finite<T>(rng);
    for (const Op op : {Op::fadd, Op::fsub, Op::fmul, Op::fdiv, Op::sqrt, Op::fma})
      this->agree(op, a, b, c);
  }
  this->expect_seen({Exception::overflow, Exception::underflow, Exception::invalid, Exception::none});
}

TYPED_TEST(HardwareFlags, AgreeOnUnderflowAroundTheSmallestNormal) {
  using T = TypeParam;
  Rng rng(2);
  for (int i = 0; i < 10000; ++i) {
    const int split = static_cast<int>(rng.below(20));
    const T edge = this->beside_power(rng, this->smallest_exponent + split), factor = this->beside_power(rng, -split);
    this->agree(Op::fmul, edge, factor);
    this->agree(Op::fdiv, edge, this->beside_power(rng, split));
    this->agree(Op::fma, edge, factor, rng.coin() ? T{0} : this->tiny(rng) * T(0.5));
    this->agree(Op::fma, edge, factor, -this->tiny(rng));
  }
  this->expect_seen({Exception::underflow, Exception::none});
}

TYPED_TEST(HardwareFlags, AgreeThatExactSubnormalsAreNoUnderflow) {
  using T = TypeParam;
  Rng rng(3);
  for (int i = 0; i < 10000; ++i) {
    const T a = this->tiny(rng), b = this->tiny(rng), m = this->moderate(rng);
    this->agree(Op::fadd, a, b);
    this->agree(Op::fsub, a, b);
    this->agree(Op::fmul, a, m);
    this->agree(Op::fdiv, a, m);
    this->agree(Op::fdiv, m, a);
    this->agree(Op::sqrt, std::fabs(a));
    this->agree(Op::fma, a, m, b);
    this->agree(Op::fma, a, b, this->tiny(rng)); // the product is far below the last bit of the sum
  }
  this->expect_seen({Exception::underflow, Exception::none});
}

TYPED_TEST(HardwareFlags, AgreeOnZerosInfinitiesAndNaN) {
  using T = TypeParam;
  const T inf = std::numeric_limits<T>::infinity(), max = std::numeric_limits<T>::max(),
          least = std::numeric_limits<T>::denorm_min(), nan = std::numeric_limits<T>::quiet_NaN();
  for (const T a : {T{0}, -T{0}, T{1}, T{-1}, max, -max, least, inf, -inf, nan})
    for (const T b : {T{0}, -T{0}, T{1}, T{-2}, max, least, inf, -inf, nan}) {
      for (const Op op : {Op::fadd, Op::fsub, Op::fmul, Op::fdiv, Op::sqrt, Op::fmod, Op::remainder})
        this->agree(op, a, b);
      for (const T c : {T{0}, T{1}, max, -max, inf, -inf})
        if (!std::isnan(a) && !std::isnan(b)) // 0 * inf + NaN may or may not raise
          this->agree(Op::fma, a, b, c);
    }
}

TEST(ConversionFlags, AgreeWithTheHardwareOnDoubleToFloat) {
  Rng rng(4);
  int underflows = 0;
  for (int i = 0; i < 20000; ++i) {
    const volatile double a = i % 2 ? numeric::with_exponent<double>(rng, -155, 130)
                                    : static_cast<double>(numeric::with_exponent<float>(rng, -149, -124));
    std::feclearexcept(FE_ALL_EXCEPT);
    const volatile float narrow = static_cast<float>(a);
    const Exception flag = raised_flag();
    underflows += flag == Exception::underflow;
    ASSERT_EQ(name(exception(Op::fptrunc, Format::binary32, a, 0, 0, narrow)), name(flag)) << a;
  }
  EXPECT_GT(underflows, 500);
}

// What libm's functions should raise, by definition; glibc's flags must say the same.
TEST(LibmExceptions, AreNamedAsTheStandardNamesThem) {
  const double inf = INFINITY, max = std::numeric_limits<double>::max(), least = 5e-324;
  struct Case {
    Op op;
    double a, b;
    Exception expected;
  };
  using enum Exception;
  const Case cases[] = {
      {Op::exp, 1000, 0, overflow},
      {Op::exp, -1000, 0, underflow},
      {Op::exp, -1e300, 0, underflow},
      {Op::exp, -inf, 0, none},
      {Op::exp, inf, 0, none},
      {Op::exp, 1, 0, none},
      {Op::exp, -740, 0, underflow},
      {Op::exp2, 1024, 0, overflow},

      {Op::exp2, -1080, 0, underflow},
      {Op::exp10, 400, 0, overflow},
      {Op::exp10, -400, 0, underflow},
      {Op::expm1, 1000, 0, overflow},
      {Op::expm1, -1000, 0, none},
      {Op::log, 0, 0, divide_by_zero},
      {Op::log, -0.0, 0, divide_by_zero},
      {Op::log, -1, 0, invalid},
      {Op::log, 1, 0, none},
      {Op::log2, 0, 0, divide_by_zero},
      {Op::log10, 0, 0, divide_by_zero},
      {Op::log10, -1, 0, invalid},
      {Op::log1p, -1, 0, divide_by_zero},
      {Op::log1p, -2, 0, invalid},
      {Op::log1p, 1e-310, 0, underflow},
      {Op::pow, 0, -1, divide_by_zero},
      {Op::pow, -0.0, -3, divide_by_zero},
      {Op::pow, -1, 0.5, invalid},
      {Op::pow, 10, 400, overflow},
      {Op::pow, 10, -400, underflow},

      {Op::pow, 0, 2, none},
      {Op::pow, 0.5, inf, none},
      {Op::sin, inf, 0, invalid},
      {Op::cos, -inf, 0, invalid},
      {Op::tan, inf, 0, invalid},
      {Op::sin, 1e-310, 0, underflow},
      {Op::sin, 0, 0, none},
      {Op::asin, 2, 0, invalid},
      {Op::acos, -1.5, 0, invalid},
      {Op::acos, 1, 0, none},
      {Op::atan, 1e-310, 0, underflow},
      {Op::sinh, 800, 0, overflow},
      {Op::cosh, -800, 0, overflow},
      {Op::acosh, 0.5, 0, invalid},
      {Op::atanh, 1, 0, divide_by_zero},
      {Op::atanh, -1, 0, divide_by_zero},
      {Op::atanh, 1.5, 0, invalid},
      {Op::tanh, 1000, 0, none},
      {Op::tgamma, 0, 0, divide_by_zero},
      {Op::tgamma, -0.0, 0, divide_by_zero},
      {Op::tgamma, -1, 0, invalid},
      {Op::tgamma, 200, 0, overflow},
      {Op::tgamma, -200.5, 0, underflow},
      {Op::tgamma, -1e15 + 0.5, 0, underflow},
      {Op::lgamma, 0, 0, divide_by_zero},
      {Op::lgamma, -3, 0, divide_by_zero},
      {Op::lgamma, 1e307, 0, overflow},
      {Op::lgamma, 2, 0, none},
      {Op::erfc, 30, 0, underflow},
      {Op::erfc, 1e300, 0, underflow},
      {Op::erf, 1e-310, 0, underflow},
      {Op::hypot, max, max, overflow},
      {Op::hypot, inf, 1, none},
      {Op::fmod, 1, 0, invalid},
      {Op::fmod, inf, 1, invalid},
      {Op::fmod, 1, inf, none},
      {Op::fmod, 5e-310, 3e-310, none},
      {Op::remainder, 1, 0, invalid},
      {Op::logb, 0, 0, divide_by_zero},
      {Op::ldexp, 1, 2000, overflow},
      {Op::ldexp, 1, -2000, underflow},
      {Op::ldexp, 1, -1074, none},
      {Op::ldexp, 1.5, -1074, underflow},
      {Op::sqrt, -1, 0, invalid},
      {Op::sqrt, least, 0, none},
      {Op::atan2, 1e-310, 3, underflow},
      {Op::cbrt, least, 0, none},
      {Op::fabs, -least, 0, none},
      {Op::fdim, max, -max, overflow},
      {Op::floor, least, 0, none},
      {Op::frexp, least, 0, none},
  };
  for (const Case& c : cases) {
    std::feclearexcept(FE_ALL_EXCEPT);
    const volatile double result = evaluate(c.op, c.a, c.b);
    EXPECT_EQ(name(raised_flag()), name(c.expected)) << "glibc: " << name(c.op) << " " << c.a << " " << c.b;
    EXPECT_EQ(name(exception(c.op, Format::binary64, c.a, c.b, 0, result)), name(c.expected))
        << name(c.op) << " " << c.a << " " << c.b << " = " << result;
  }
  // Exact subnormals, for which glibc raises underflow all the same.
  EXPECT_EQ(exception(Op::exp2, Format::binary64, -1074, 0, 0, least), none);
  EXPECT_EQ(exception(Op::pow, Format::binary64, 2, -1074, 0, least), none);
  // Repeated multiplication raises what its products raise on the way, so there are no flags to compare with.
  EXPECT_EQ(exception(Op::powi, Format::binary64, 0, -1, 0, inf), divide_by_zero);
  EXPECT_EQ(exception(Op::powi, Format::binary64, 10, 400, 0, inf), overflow);
}

TEST(IntegerConversions, AreInvalidOutsideInt64) {
  const auto judge = [](Op op, long double a) {
    return name(exception(op, Format::extended80, a, 0, 0, evaluate80(op, a)));
  };
  for (const Op op : {Op::to_int, Op::to_int_rint, Op::to_int_round}) {
    EXPECT_EQ(judge(op, 0x1p63L), "invalid");
    EXPECT_EQ(judge(op, -0x1p63L), "none");
    EXPECT_EQ(judge(op, 1e30L), "invalid");
    EXPECT_EQ(judge(op, INFINITY), "invalid");
    EXPECT_EQ(judge(op, NAN), "invalid");
    EXPECT_EQ(judge(op, 0.3L), "none");
    EXPECT_EQ(judge(op, 1e-310L), "none");
  }
}

TEST(Exceptions, AreBlamedOnTheOperationThatMadeTheNaNNotOnItsReaders) {
  for (const Op op : {Op::fadd, Op::fmul, Op::sin, Op::sqrt, Op::pow})
    EXPECT_EQ(name(exception(op, Format::binary64, NAN, 1, 0, NAN)), "none") << name(op);
  EXPECT_EQ(name(exception(Op::fadd, Format::binary64, INFINITY, 1, 0, INFINITY)), "none");
  EXPECT_EQ(name(exception(Op::fsub, Format::binary64, INFINITY, INFINITY, 0, NAN)), "invalid");
  EXPECT_EQ(name(exception(Op::cmp_olt, Format::binary64, NAN, 1, 0, 0)), "none");
  EXPECT_EQ(name(exception(Op::input, Format::binary64, 0, 0, 0, NAN)), "none");
}

} // namespace
} // namespace faultline::ops
