#include "constraint/evaluate.h"

#include "numeric/random.h"

#include <cmath>
#include <gtest/gtest.h>

namespace faultline::constraint {
namespace {

using ops::Op;
constexpr BinaryFormat tiny{4, 4};

// In a tiny format a double holds every sum and product exactly, and rounds quotients and roots harmlessly.
TEST(Evaluate, a_tiny_format_agrees_with_doubles_rounded_once) {
  for (const Op op : {Op::fadd, Op::fsub, Op::fmul, Op::fdiv, Op::fmin, Op::fmax, Op::remainder})
    for (unsigned a = 0; a < 256; ++a)
      for (unsigned b = 0; b < 256; ++b) {
        const double x = numeric::double_of(a, tiny), y = numeric::double_of(b, tiny);
        const double expected = op == Op::fadd   ? x + y
                                : op == Op::fsub ? x - y
                                : op == Op::fmul ? x * y
                                : op == Op::fdiv ? x / y
                                : op == Op::fmin ? std::fmin(x, y)
                                : op == Op::fmax ? std::fmax(x, y)
                                                 : std::remainder(x, y);
        if ((op == Op::fmin || op == Op::fmax) && x == 0 && y == 0)
          continue; // either zero will do
        ASSERT_EQ(apply(op, tiny, a, b), numeric::bits_of((long double)expected, tiny))
            << ops::name(op) << " " << x << " " << y;
      }
  for (unsigned a = 0; a < 256; ++a) {
    const double x = numeric::double_of(a, tiny);
    ASSERT_EQ(apply(Op::sqrt, tiny, a), numeric::bits_of((long double)std::sqrt(x), tiny));
    ASSERT_EQ(apply(Op::roundeven, tiny, a), numeric::bits_of((long double)std::nearbyint(x), tiny));
  }
}

TEST(Evaluate, fma_rounds_once_in_any_format) {
  numeric::Rng rng(3);
  for (int i = 0; i < 20'000; ++i) {
    const unsigned a = rng.below(256), b = rng.below(256), c = rng.below(256);
    const double exact =
        std::fma(numeric::double_of(a, tiny), numeric::double_of(b, tiny), numeric::double_of(c, tiny));
    ASSERT_EQ(apply(Op::fma, tiny, a, b, c), numeric::bits_of((long double)exact, tiny));
  }
}

TEST(Evaluate, comparisons_know_zeros_and_nan) {
  const Bits nan = tiny.nan(), minus_zero = tiny.sign();
  EXPECT_TRUE(holds(Op::cmp_oeq, tiny, 0, minus_zero));
  EXPECT_FALSE(holds(Op::cmp_olt, tiny, minus_zero, 0));
  EXPECT_TRUE(holds(Op::cmp_ole, tiny, 0, minus_zero));
  EXPECT_FALSE(holds(Op::cmp_oeq, tiny, nan, nan));
  EXPECT_TRUE(holds(Op::cmp_une, tiny, nan, nan));
  EXPECT_TRUE(holds(Op::cmp_uge, tiny, 1, nan));
  EXPECT_TRUE(holds(Op::cmp_olt, tiny, tiny.at(tiny.lowest()), 0));
}

TEST(System, equal_terms_are_one_and_constants_are_folded) {
  System system;
  const Term x = system.variable("x", float_sort(numeric::binary64)), one = system.constant(1.0);
  EXPECT_EQ(system.operation(Op::fadd, x, one), system.operation(Op::fadd, x, one));
  EXPECT_EQ(system.operation(Op::fadd, one, one), system.constant(2.0));
  const Term less = system.compare(Op::cmp_olt, one, system.constant(2.0));
  EXPECT_EQ(less, system.truth(true));
  EXPECT_EQ(system.negate(system.negate(system.compare(Op::cmp_olt, x, one))), system.compare(Op::cmp_olt, x, one));
}

TEST(System, a_conjunction_is_asserted_in_parts_and_a_model_is_judged_by_all_of_them) {
  System system;
  const Term x = system.variable("x", float_sort(numeric::binary64)), one = system.constant(1.0);
  system.assert_true(system.all({system.compare(Op::cmp_ogt, x, one), system.compare(Op::cmp_olt, x, system.constant(3.0)),
                                 system.truth(true)}));
  EXPECT_EQ(system.assertions().size(), 2u);
  EXPECT_TRUE(satisfies(system, {numeric::bits_of(2.0)}));
  EXPECT_FALSE(satisfies(system, {numeric::bits_of(1.0)}));
  EXPECT_FALSE(satisfies(system, {numeric::bits_of(std::nan(""))}));
  EXPECT_FALSE(satisfies(system, {}));
}

} // namespace
} // namespace faultline::constraint
