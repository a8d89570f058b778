#include "constraint/evaluate.h"

#include "numeric/random.h"

#include <cmath>
#include <gtest/gtest.h>

namespace faultline::constraint {
namespace {

using ops::Op;
constexpr BinaryFormat tiny{4, 4};

// Doubles take a short cut in small formats; MPFR does not.
TEST(Evaluate, ATinyFormatAgreesWithMpfr) {
  for (const Op op : {Op::fadd, Op::fsub, Op::fmul, Op::fdiv, Op::fmin, Op::fmax, Op::remainder})
    for (unsigned a = 0; a < 256; ++a)
      for (unsigned b = 0; b < 256; ++b)
        ASSERT_EQ(apply(op, tiny, a, b), apply_correctly(op, tiny, a, b)) << ops::name(op) << " " << a << " " << b;
  for (const Op op : {Op::sqrt, Op::roundeven, Op::floor, Op::ceil, Op::trunc, Op::round})
    for (unsigned a = 0; a < 256; ++a)
      ASSERT_EQ(apply(op, tiny, a), apply_correctly(op, tiny, a)) << ops::name(op) << " " << a;
}

TEST(Evaluate, TheMachineAgreesWithMpfr) {
  numeric::Rng rng(5);
  for (const BinaryFormat format : {numeric::binary32, numeric::binary64, numeric::extended80, BinaryFormat{5, 11}})
    for (const Op op : {Op::fadd, Op::fsub, Op::fmul, Op::fdiv, Op::sqrt, Op::fma})
      for (int i = 0; i < 3'000; ++i) {
        const Bits mask = 2 * format.sign() - 1, x = (Bits(rng.next()) << 64 | rng.next()) & mask;
        Bits y = (Bits(rng.next()) << 64 | rng.next()) & mask, z = (Bits(rng.next()) << 64 | rng.next()) & mask;
        if (rng.coin()) // of about the same magnitude
          y = (x & ~format.smallest_normal()) ^ (y & (format.smallest_normal() - 1)), z = apply(Op::fmul, format, x, y);
        ASSERT_EQ(apply(op, format, x, y, z), apply_correctly(op, format, x, y, z)) << ops::name(op);
      }
}

TEST(Evaluate, FmaRoundsOnceInAnyFormat) {
  numeric::Rng rng(3);
  for (int i = 0; i < 20'000; ++i) {
    const unsigned a = rng.below(256), b = rng.below(256), c = rng.below(256);
    const double exact =
        std::fma(numeric::double_of(a, tiny), numeric::double_of(b, tiny), numeric::double_of(c, tiny));
    ASSERT_EQ(apply(Op::fma, tiny, a, b, c), numeric::bits_of((long double)exact, tiny));
  }
}

TEST(Evaluate, ComparisonsKnowZerosAndNan) {
  const Bits nan = tiny.nan(), minus_zero = tiny.sign();
  EXPECT_TRUE(holds(Op::cmp_oeq, tiny, 0, minus_zero));
  EXPECT_FALSE(holds(Op::cmp_olt, tiny, minus_zero, 0));
  EXPECT_TRUE(holds(Op::cmp_ole, tiny, 0, minus_zero));
  EXPECT_FALSE(holds(Op::cmp_oeq, tiny, nan, nan));
  EXPECT_TRUE(holds(Op::cmp_une, tiny, nan, nan));
  EXPECT_TRUE(holds(Op::cmp_uge, tiny, 1, nan));
  EXPECT_TRUE(holds(Op::cmp_olt, tiny, tiny.at(tiny.lowest()), 0));
}

TEST(System, EqualTermsAreOneAndConstantsAreFolded) {
  System system;
  const Term x = system.variable("x", float_sort(numeric::binary64)), one = system.constant(1.0);
  EXPECT_EQ(system.operation(Op::fadd, x, one), system.operation(Op::fadd, x, one));
  EXPECT_EQ(system.operation(Op::fadd, one, one), system.constant(2.0));
  const Term less = system.compare(Op::cmp_olt, one, system.constant(2.0));
  EXPECT_EQ(less, system.truth(true));
  EXPECT_EQ(system.negate(system.negate(system.compare(Op::cmp_olt, x, one))), system.compare(Op::cmp_olt, x, one));
}

TEST(System, ATermComparedWithItselfIsEqualUnlessItIsNan) {
  for (const Op op : {Op::cmp_oeq, Op::cmp_ogt, Op::cmp_oge, Op::cmp_one, Op::cmp_ord, Op::cmp_ueq, Op::cmp_ult,
                      Op::cmp_ule, Op::cmp_une, Op::cmp_uno}) {
    System system;
    const Term x = system.variable("x", float_sort(tiny));
    system.assert_true(system.compare(op, x, x));
    for (const Bits value : {Bits(0), Bits(7), tiny.nan(), tiny.infinity()})
      EXPECT_EQ(satisfies(system, {value}), holds(op, tiny, value, value)) << ops::name(op);
  }
}

TEST(System, AConjunctionIsAssertedInPartsAndAModelIsJudgedByAllOfThem) {
  System system;
  const Term x = system.variable("x", float_sort(numeric::binary64)), one = system.constant(1.0);
  system.assert_true(system.all(
      {system.compare(Op::cmp_ogt, x, one), system.compare(Op::cmp_olt, x, system.constant(3.0)), system.truth(true)}));
  EXPECT_EQ(system.assertions().size(), 2u);
  EXPECT_TRUE(satisfies(system, {numeric::bits_of(2.0)}));
  EXPECT_FALSE(satisfies(system, {numeric::bits_of(1.0)}));
  EXPECT_FALSE(satisfies(system, {numeric::bits_of(std::nan(""))}));
  EXPECT_FALSE(satisfies(system, {}));
}

TEST(System, ConjunctionsThatSharePartsAreAssertedInNoTime) {
  System system;
  Term shared = system.variable("b", boolean_sort);
  for (int i = 0; i < 200; ++i) {
    const Term left = system.both(shared, system.variable("l" + std::to_string(i), boolean_sort));
    shared = system.both(left, system.both(shared, system.variable("r" + std::to_string(i), boolean_sort)));
  }
  system.assert_true(shared);
  EXPECT_EQ(system.assertions().size(), 401u);
}

} // namespace
} // namespace faultline::constraint
