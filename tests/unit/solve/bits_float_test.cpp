#include "solve/bits/bits_float.h"

#include "constraint/evaluate.h"

#include <gtest/gtest.h>

namespace faultline::solve {
namespace {

using ops::Op;

// A circuit over constants is evaluated while it is built. Quotients and roots are computed there, so the equations
// that define them are for bits_test.
class BitsFloatOver : public testing::TestWithParam<BinaryFormat> {
protected:
  const BinaryFormat format = GetParam();
  const unsigned count = 1u << format.width();
  const Extent everything = extent_of(anything(format), format);

  BitsFloat value(Bits bits) const { return constant(bits, format); }
  // All values of small formats; of larger ones some, for all of them take long.
  Bits step(unsigned most) const { return count > most ? 7 : 1; }
  bool repeats(Bits bits) const { return format.is_nan(bits) && bits != format.nan(); }
};

BitsFloat apply(Gates& gates, Op op, const BitsFloat& a, const BitsFloat& b, const Extent& extent) {
  switch (op) {
  case Op::fadd:
    return add(gates, a, b, extent);
  case Op::fsub:
    return add(gates, a, negated(b), extent);
  case Op::fmul:
    return multiply(gates, a, b, extent);
  case Op::fdiv:
    return divide(gates, a, b, extent);
  case Op::fmin:
    return minimum(gates, a, b);
  case Op::fmax:
    return maximum(gates, a, b);
  default:
    return copy_sign(gates, a, b);
  }
}

TEST_P(BitsFloatOver, OperationsOfTwoAreThoseOfTheMachine) {
  Gates gates;
  for (const Op op : {Op::fadd, Op::fsub, Op::fmul, Op::fdiv, Op::fmin, Op::fmax, Op::copysign})
    for (Bits a = 0; a < count; a += step(64))
      for (Bits b = 0; b < count; ++b) {
        if (repeats(a) || repeats(b))
          continue;
        const Bits found = bits_of(apply(gates, op, value(a), value(b), everything));
        ASSERT_EQ(unsigned(found), unsigned(constraint::apply(op, format, a, b)))
            << ops::name(op) << " " << unsigned(a) << " " << unsigned(b);
      }
  EXPECT_FALSE(gates.contradictory());
}

TEST_P(BitsFloatOver, OperationsOfOneAreThoseOfTheMachine) {
  Gates gates;
  for (Bits a = 0; a < count; ++a) {
    if (repeats(a))
      continue;
    EXPECT_EQ(unsigned(bits_of(square_root(gates, value(a), everything))),
              unsigned(constraint::apply(Op::sqrt, format, a)))
        << unsigned(a);
    EXPECT_EQ(unsigned(bits_of(absolute(value(a)))), unsigned(constraint::apply(Op::fabs, format, a)));
    EXPECT_EQ(unsigned(bits_of(negated(value(a)))), unsigned(constraint::apply(Op::fneg, format, a)));
    for (const Op op : {Op::floor, Op::ceil, Op::trunc, Op::round, Op::rint, Op::roundeven, Op::to_int, Op::to_int_rint,
                        Op::to_int_round})
      EXPECT_EQ(unsigned(bits_of(round_to_integer(gates, op, value(a)))), unsigned(constraint::apply(op, format, a)))
          << ops::name(op) << " " << unsigned(a);
  }
  EXPECT_FALSE(gates.contradictory());
}

TEST_P(BitsFloatOver, FmaRoundsOnce) {
  Gates gates;
  for (Bits a = 0; a < count; a += step(32))
    for (Bits b = 0; b < count; b += step(64))
      for (Bits c = 0; c < count; c += step(64)) {
        if (repeats(a) || repeats(b) || repeats(c))
          continue;
        const Bits found = bits_of(fma(gates, value(a), value(b), value(c), everything));
        ASSERT_EQ(unsigned(found), unsigned(constraint::apply(Op::fma, format, a, b, c)))
            << unsigned(a) << " " << unsigned(b) << " " << unsigned(c);
      }
  EXPECT_FALSE(gates.contradictory());
}

TEST_P(BitsFloatOver, RelationsAreThoseOfTheMachine) {
  Gates gates;
  for (Bits a = 0; a < count; a += step(64))
    for (Bits b = 0; b < count; ++b) {
      if (repeats(a) || repeats(b))
        continue;
      for (int op = int(Op::cmp_oeq); op <= int(Op::cmp_uno); ++op)
        ASSERT_EQ(holds(gates, Op(op), value(a), value(b)), Gate(constraint::holds(Op(op), format, a, b)))
            << ops::name(Op(op)) << " " << unsigned(a) << " " << unsigned(b);
      ASSERT_EQ(same(gates, value(a), value(b)), Gate(a == b));
    }
  for (Bits a = 0; a < count; ++a)
    for (int tested = 0; tested <= int(constraint::Class::positive); ++tested)
      ASSERT_EQ(is(gates, constraint::Class(tested), value(a)),
                Gate(constraint::is(constraint::Class(tested), format, a)));
}

TEST_P(BitsFloatOver, ConversionsRoundOnce) {
  Gates gates;
  for (const BinaryFormat to : {BinaryFormat{3, 3}, BinaryFormat{2, 4}, BinaryFormat{4, 2}, BinaryFormat{5, 9}})
    for (Bits a = 0; a < count; ++a)
      ASSERT_EQ(unsigned(bits_of(convert(gates, value(a), to, extent_of(anything(to), to)))),
                unsigned(numeric::converted(a, format, to)))
          << unsigned(a) << " to " << to.exponent_bits << ", " << to.significand_bits;
  EXPECT_FALSE(gates.contradictory());
}

INSTANTIATE_TEST_SUITE_P(TinyFormats, BitsFloatOver,
                         testing::Values(BinaryFormat{3, 3}, BinaryFormat{2, 4}, BinaryFormat{4, 4}, BinaryFormat{2, 2},
                                         BinaryFormat{3, 5}),
                         [](const auto& info) {
                           return "e" + std::to_string(info.param.exponent_bits) + "s" +
                                  std::to_string(info.param.significand_bits);
                         });

} // namespace
} // namespace faultline::solve
