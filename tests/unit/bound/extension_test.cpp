// Operations on intervals, against MPFR at points inside: every value and every slope is in the interval.
#include "bound/extension.h"

#include "numeric/bigfloat.h"
#include "numeric/random.h"
#include "ops/table.h"

#include <gtest/gtest.h>

namespace faultline::bound {
namespace {

using numeric::BigFloat;
using ops::Op;

const std::vector<Op> functions = {Op::fadd,  Op::fsub,  Op::fmul,  Op::fdiv,  Op::sqrt, Op::fma,  Op::fneg,  Op::fabs,
                                   Op::fmin,  Op::fmax,  Op::hypot, Op::cbrt,  Op::exp,  Op::exp2, Op::exp10, Op::expm1,
                                   Op::log,   Op::log2,  Op::log10, Op::log1p, Op::pow,  Op::sin,  Op::cos,   Op::tan,
                                   Op::asin,  Op::acos,  Op::atan,  Op::atan2, Op::sinh, Op::cosh, Op::tanh,  Op::asinh,
                                   Op::acosh, Op::atanh, Op::erf,   Op::erfc};

double in(const Interval& side, numeric::Rng& rng) {
  return std::clamp(rng.uniform(side.low, side.high), side.low, side.high);
}

// Of a moderate size, wide or narrow.
Interval some_interval(numeric::Rng& rng) {
  const double middle = (rng.uniform() - 0.5) * std::exp2(double(rng.below(8)) - 3);
  const double width = std::exp2(-double(rng.below(30)));
  return {middle - width, middle + width};
}

class Extension : public testing::TestWithParam<Op> {};

TEST_P(Extension, HoldsEveryValueAndEverySlope) {
  const Op op = GetParam();
  numeric::Rng rng(uint64_t(op) + 1);
  int known = 0;
  for (int i = 0; i < 3'000; ++i) {
    const Operands box{some_interval(rng), some_interval(rng), some_interval(rng)};
    const Interval values = extension(op, box, false);
    if (!values.known())
      continue;
    ++known;
    const std::array<Interval, 3> all_slopes = slopes(op, box, values);
    for (int k = 0; k < 4; ++k) {
      const double a = in(box[0], rng), b = in(box[1], rng), c = in(box[2], rng);
      const BigFloat x(a, 64), y(b, 64), z(c, 64);
      BigFloat result(256);
      ops::evaluate(op, result.raw(), x.raw(), y.raw(), z.raw());
      EXPECT_LE(mpfr_cmp_d(result.raw(), values.high), 0) << a << " " << b << " of " << values.high;
      EXPECT_GE(mpfr_cmp_d(result.raw(), values.low), 0) << a << " " << b << " of " << values.low;
      const ops::Gradient slope = ops::partials(op, a, b, c, mpfr_get_d(result.raw(), MPFR_RNDN));
      for (int j = 0; j < ops::arity(op); ++j) {
        const Interval& range = all_slopes[size_t(j)];
        const double doubt = 1e-13 * std::fabs(slope[size_t(j)]); // the table's are plain doubles
        if (range.known() && std::isfinite(slope[size_t(j)])) {
          EXPECT_LE(slope[size_t(j)], range.high + doubt) << a << " " << b << " operand " << j;
          EXPECT_GE(slope[size_t(j)], range.low - doubt) << a << " " << b << " operand " << j;
        }
      }
    }
  }
  EXPECT_GT(known, 300) << "mostly something is known";
}

INSTANTIATE_TEST_SUITE_P(All, Extension, testing::ValuesIn(functions),
                         [](const auto& info) { return std::string(ops::name(info.param)); });

TEST(ExtensionOfWaves, KnowsItsTurningPoints) {
  EXPECT_EQ(extension(Op::sin, {Interval{1, 2}}, false).high, 1);
  EXPECT_LT(extension(Op::sin, {Interval{0, 1}}, false).high, 0.85);
  EXPECT_EQ(extension(Op::cos, {Interval{3, 4}}, false).low, -1);
  EXPECT_FALSE(extension(Op::tan, {Interval{1, 2}}, false).known());
}

TEST(ExtensionOfSteps, HasBothSidesOfThem) {
  EXPECT_EQ(extension(Op::floor, {Interval{1.25, 1.75}}, false), Interval::of(1));
  EXPECT_EQ(extension(Op::floor, {Interval{0.5, 1}}, false), (Interval{0, 1}));
}

} // namespace
} // namespace faultline::bound
