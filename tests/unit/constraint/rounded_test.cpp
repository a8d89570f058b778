#include "constraint/evaluate.h"

#include "constraint/system.h"
#include "numeric/random.h"

#include <bit>
#include <cfenv>
#include <cmath>
#include <gtest/gtest.h>

namespace faultline::constraint {
namespace {

using numeric::Rounding;
using ops::Op;

constexpr std::pair<Rounding, int> directions[] = {{Rounding::nearest_even, FE_TONEAREST},
                                                   {Rounding::up, FE_UPWARD},
                                                   {Rounding::down, FE_DOWNWARD},
                                                   {Rounding::to_zero, FE_TOWARDZERO}};

[[gnu::noinline]] double machine(Op op, double first, double second, double third) {
  volatile double a = first, b = second, c = third; // rounded when it runs, not when it is compiled
  switch (op) {
  case Op::fadd:
    return a + b;
  case Op::fsub:
    return a - b;
  case Op::fmul:
    return a * b;
  case Op::fdiv:
    return a / b;
  case Op::sqrt:
    return std::sqrt(a);
  default:
    return std::fma(a, b, c);
  }
}

double random_double(numeric::Rng& rng) {
  const double special[] = {0.0, -0.0, 1, -1, INFINITY, 5e-324, 0x1p-1022, 0x1.fffffffffffffp1023, 3, 0x1p-537};
  if (rng.below(4) == 0)
    return special[rng.below(std::size(special))];
  const double near_one = 1 + double(rng.below(1 << 20)) * 0x1p-52;
  return rng.below(3) == 0 ? (rng.coin() ? near_one : -near_one) : std::bit_cast<double>(rng.next());
}

TEST(Rounded, OperationsAreTheMachinesInItsFourDirections) {
  numeric::Rng rng(5);
  for (int i = 0; i < 20'000; ++i) {
    const double a = random_double(rng), b = random_double(rng), c = random_double(rng);
    for (const Op op : {Op::fadd, Op::fsub, Op::fmul, Op::fdiv, Op::sqrt, Op::fma})
      for (const auto& [rounding, direction] : directions) {
        std::fesetround(direction);
        const double expected = machine(op, a, b, c);
        std::fesetround(FE_TONEAREST);
        const Bits found = apply_rounded(op, rounding, numeric::binary64, numeric::binary64, numeric::bits_of(a),
                                         numeric::bits_of(b), numeric::bits_of(c));
        ASSERT_EQ(uint64_t(found), uint64_t(numeric::bits_of(expected)))
            << ops::name(op) << " " << a << " " << b << " " << c << " in direction " << int(rounding);
      }
  }
}

// Away from zero exactly where the exact value is a midpoint, and as to even elsewhere.
TEST(Rounded, TiesGoAway) {
  constexpr BinaryFormat tiny{4, 4}, longer{6, 12};
  for (unsigned bits = 0; bits + 1 < unsigned(tiny.infinity()); ++bits) {
    const double low = numeric::double_of(bits, tiny), high = numeric::double_of(bits + 1, tiny);
    for (const double value : {low, (low + high) / 2, low + (high - low) / 4, low + (high - low) * 3 / 4})
      for (const double sign : {1.0, -1.0}) {
        const Bits found =
            numeric::converted(numeric::bits_of(sign * value, longer), longer, tiny, Rounding::nearest_away);
        const double expected = value - low < (high - low) / 2 ? low : high;
        ASSERT_EQ(numeric::double_of(found, tiny), sign * expected) << value;
      }
  }
}

TEST(Rounded, WhatIsTooLargeBecomesTheLargestOrInfinity) {
  constexpr BinaryFormat tiny{3, 3};
  for (const bool negative : {false, true}) {
    const Bits sign = negative ? tiny.sign() : 0;
    const Bits much = numeric::bits_of(negative ? -1e300 : 1e300);
    const auto converted = [&](Rounding rounding) {
      return numeric::converted(much, numeric::binary64, tiny, rounding);
    };
    EXPECT_EQ(converted(Rounding::nearest_even), sign | tiny.infinity());
    EXPECT_EQ(converted(Rounding::nearest_away), sign | tiny.infinity());
    EXPECT_EQ(converted(Rounding::to_zero), sign | tiny.largest());
    EXPECT_EQ(converted(Rounding::up), sign | (negative ? tiny.largest() : tiny.infinity()));
    EXPECT_EQ(converted(Rounding::down), sign | (negative ? tiny.infinity() : tiny.largest()));
  }
}

TEST(Rounded, IntegersAndFloatsHoldEachOther) {
  for (int width : {1, 5, 8})
    for (const bool is_signed : {false, true})
      for (Bits word = 0; word < Bits{1} << width; ++word) {
        const Bits value = rounded_integer(word, width, is_signed, numeric::binary64, Rounding::nearest_even);
        const int64_t integer = is_signed && word >> (width - 1) ? int64_t(word) - (1 << width) : int64_t(word);
        ASSERT_EQ(numeric::double_of(value, numeric::binary64), double(integer));
        ASSERT_EQ(uint64_t(integer_in_word(value, numeric::binary64, width, is_signed)), uint64_t(word));
      }
  const Bits all = ~Bits{0};
  EXPECT_EQ(rounded_integer(all, 128, true, numeric::binary64, Rounding::up), numeric::bits_of(-1.0));
  EXPECT_EQ(rounded_integer(all, 128, false, numeric::binary64, Rounding::to_zero),
            numeric::bits_of(std::nextafter(0x1p128, 0)));
  EXPECT_EQ(integer_in_word(numeric::bits_of(2.5), numeric::binary64, 8, true), 0);
  EXPECT_EQ(integer_in_word(numeric::bits_of(128.0), numeric::binary64, 8, true), 0);
  EXPECT_EQ(integer_in_word(numeric::bits_of(-1.0), numeric::binary64, 8, false), 0);
}

} // namespace
} // namespace faultline::constraint
