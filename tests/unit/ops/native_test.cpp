#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "domains.h"
#include "numeric/bigfloat.h"

namespace faultline::ops {
namespace {

using numeric::BigFloat;
using numeric::Format;

class EveryOperation : public testing::TestWithParam<Op> {};

// The operations of libm that may be off by some ulps, and by how many glibc is; all others round correctly.
double libm_tolerance(Op op, const Operands& x) {
  constexpr Op rough[] = {Op::erfcx, Op::j0, Op::j1, Op::jn, Op::y0, Op::y1, Op::yn, Op::tgamma, Op::lgamma};
  if (is_complex_part(op) || std::ranges::find(rough, op) != std::end(rough))
    return 12;
  if (op == Op::powi)
    return 1 + std::fabs(x[1]);
  if (has(op, trait::approximate))
    return 4;
  return 0.5;
}

BigFloat in_high_precision(Op op, const Operands& x) {
  const BigFloat a(x[0], 64), b(x[1], 64), c(x[2], 64);
  BigFloat result(200);
  evaluate(op, result.raw(), a.raw(), b.raw(), c.raw());
  return result;
}

TEST_P(EveryOperation, MeansTheSameInTheMachineAndInHighPrecision) {
  const Op op = GetParam();
  numeric::Rng rng(1);
  for (int i = 0; i < 1000; ++i) {
    const Operands x = sample(op, rng);
    const BigFloat exact = in_high_precision(op, x);
    const double tolerance = libm_tolerance(op, x);
    const auto error = [&](long double computed, Format format) { return numeric::ulp_error(computed, exact, format); };
    const float single = evaluate32(op, static_cast<float>(x[0]), static_cast<float>(x[1]), static_cast<float>(x[2]));
    ASSERT_LE(error(evaluate(op, x[0], x[1], x[2]), Format::binary64), tolerance) << x[0] << " " << x[1] << " " << x[2];
    ASSERT_LE(error(single, Format::binary32), tolerance) << x[0] << " " << x[1] << " " << x[2];
    ASSERT_LE(error(evaluate80(op, x[0], x[1], x[2]), Format::extended80), tolerance) << x[0] << " " << x[1];
  }
}

TEST_P(EveryOperation, AgreesOnZerosInfinitiesAndNaN) {
  const Op op = GetParam();
  const double inf = INFINITY;
  for (const double a : {0.0, -0.0, 1.0, -1.0, -2.0, 0.5, 2.5, inf, -inf, std::nan("")})
    for (const double b : {0.0, -0.0, 1.0, -3.0, 2.0, inf, -inf, std::nan("")}) {
      if (has_integer_operand(op) && !std::isfinite(b))
        continue; // an integer
      const double native = evaluate(op, a, b, 1.0);
      const BigFloat big = in_high_precision(op, {a, b, 1.0});
      EXPECT_EQ(std::isnan(native), big.is_nan()) << a << " " << b;
      EXPECT_EQ(std::isinf(native), big.is_inf()) << a << " " << b;
      EXPECT_EQ(native == 0, big.is_zero()) << a << " " << b;
      const bool sign_is_free = is_complex_part(op) && std::isnan(a + b); // by Annex G
      if (std::isinf(native) && !sign_is_free) {
        EXPECT_EQ(native < 0, big.is_negative()) << a << " " << b;
      }
    }
}

TEST_P(EveryOperation, MayWriteItsResultOverAnOperandAndLeaveAbsentOperandsNull) {
  const Op op = GetParam();
  numeric::Rng rng(2);
  for (int i = 0; i < 20; ++i) {
    const Operands x = sample(op, rng);
    const BigFloat apart = in_high_precision(op, x);
    for (int over = 0; over < arity(op); ++over) {
      BigFloat operand[3] = {BigFloat(x[0], 200), BigFloat(x[1], 200), BigFloat(x[2], 200)};
      const auto given = [&](int k) -> mpfr_srcptr { return k < arity(op) ? operand[k].raw() : nullptr; };
      evaluate(op, operand[over].raw(), given(0), given(1), given(2));
      EXPECT_TRUE(operand[over] == apart) << over;
    }
  }
}

TEST_P(EveryOperation, HasANameAndASymbolAReportCanPrint) {
  const Op op = GetParam();
  EXPECT_EQ(entry(op).op, op);
  EXPECT_FALSE(name(op).empty());
  EXPECT_TRUE(op == Op::none || !symbol(op).empty());
  EXPECT_TRUE(arity(op) >= 0 && arity(op) <= 3);
}

INSTANTIATE_TEST_SUITE_P(Table, EveryOperation, testing::ValuesIn(all_operations()),
                         [](const auto& param) { return std::string(name(param.param)); });

TEST(Names, AreThoseOfTheList) {
  EXPECT_EQ(name(Op::fadd), "fadd");
  EXPECT_EQ(name(Op::cmp_uno), "cmp_uno");
  EXPECT_EQ(arity(Op::fma), 3);
  EXPECT_EQ(arity(Op::sin), 1);
  EXPECT_EQ(symbol(Op::cmp_ole), "<=");
  std::set<std::string_view> names;
  for (const Op op : all_operations())
    names.insert(name(op));
  EXPECT_EQ(names.size(), static_cast<size_t>(operation_count));
}

TEST(Comparisons, FollowTheOrderedAndUnorderedPredicates) {
  struct Case {
    Op op;
    bool less, equal, greater, unordered;
  };
  const Case cases[] = {
      {Op::cmp_oeq, false, true, false, false}, {Op::cmp_ogt, false, false, true, false},
      {Op::cmp_oge, false, true, true, false},  {Op::cmp_olt, true, false, false, false},
      {Op::cmp_ole, true, true, false, false},  {Op::cmp_one, true, false, true, false},
      {Op::cmp_ord, true, true, true, false},   {Op::cmp_ueq, false, true, false, true},
      {Op::cmp_ugt, false, false, true, true},  {Op::cmp_uge, false, true, true, true},
      {Op::cmp_ult, true, false, false, true},  {Op::cmp_ule, true, true, false, true},
      {Op::cmp_une, true, false, true, true},   {Op::cmp_uno, false, false, false, true},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(evaluate(c.op, 1, 2), c.less) << name(c.op);
    EXPECT_EQ(evaluate(c.op, 2, 2), c.equal) << name(c.op);
    EXPECT_EQ(evaluate(c.op, 3, 2), c.greater) << name(c.op);
    EXPECT_EQ(evaluate(c.op, NAN, 2), c.unordered) << name(c.op);
    EXPECT_EQ(evaluate(c.op, 2, NAN), c.unordered) << name(c.op);
  }
}

TEST(Rounding, OfHalvesIsTheOneTheNameSays) {
  struct Case {
    Op op;
    double of_half, of_three_halves, of_minus_half, of_five_halves;
  };
  const Case cases[] = {
      {Op::floor, 0, 1, -1, 2}, {Op::ceil, 1, 2, 0, 3},        {Op::trunc, 0, 1, 0, 2},
      {Op::round, 1, 2, -1, 3}, {Op::rint, 0, 2, 0, 2},        {Op::roundeven, 0, 2, 0, 2},
      {Op::to_int, 0, 1, 0, 2}, {Op::to_int_rint, 0, 2, 0, 2}, {Op::to_int_round, 1, 2, -1, 3},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(evaluate(c.op, 0.5), c.of_half) << name(c.op);
    EXPECT_EQ(evaluate(c.op, 1.5), c.of_three_halves) << name(c.op);
    EXPECT_EQ(evaluate(c.op, -0.5), c.of_minus_half) << name(c.op);
    EXPECT_EQ(evaluate(c.op, 2.5), c.of_five_halves) << name(c.op);
    EXPECT_EQ(in_high_precision(c.op, {2.5, 0, 0}).to_double(), c.of_five_halves) << name(c.op);
  }
}

} // namespace
} // namespace faultline::ops
