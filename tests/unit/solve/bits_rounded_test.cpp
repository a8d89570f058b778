// Circuits in all five rounding directions, of words, and remainders: exhaustively in tiny formats.
#include "constraint/evaluate.h"
#include "constraint/system.h"
#include "solve/bits/bits_float.h"
#include "solve/bits/words.h"

#include <gtest/gtest.h>

namespace faultline::solve {
namespace {

using constraint::WordOp;
using ops::Op;

struct Case {
  BinaryFormat format;
  Rounding rounding;
};

class BitsRounded : public testing::TestWithParam<Case> {
protected:
  const BinaryFormat format = GetParam().format;
  const Rounding rounding = GetParam().rounding;
  const unsigned count = 1u << format.width();
  const Extent everything = extent_of(anything(format), format);

  BitsFloat value(Bits bits) const { return constant(bits, format); }
  bool repeats(Bits bits) const { return format.is_nan(bits) && bits != format.nan(); }
  unsigned expected(Op op, Bits a, Bits b = 0, Bits c = 0) const {
    return unsigned(constraint::apply_rounded(op, rounding, format, format, a, b, c));
  }
};

TEST_P(BitsRounded, OperationsAreThoseOfTheEvaluator) {
  Gates gates;
  for (Bits a = 0; a < count; ++a) {
    if (repeats(a))
      continue;
    ASSERT_EQ(unsigned(bits_of(square_root(gates, value(a), everything, rounding))), expected(Op::sqrt, a))
        << unsigned(a);
    for (Bits b = 0; b < count; ++b) {
      if (repeats(b))
        continue;
      const BitsFloat x = value(a), y = value(b);
      ASSERT_EQ(unsigned(bits_of(add(gates, x, y, everything, rounding))), expected(Op::fadd, a, b));
      ASSERT_EQ(unsigned(bits_of(add(gates, x, negated(y), everything, rounding))), expected(Op::fsub, a, b));
      ASSERT_EQ(unsigned(bits_of(multiply(gates, x, y, everything, rounding))), expected(Op::fmul, a, b));
      ASSERT_EQ(unsigned(bits_of(divide(gates, x, y, everything, rounding))), expected(Op::fdiv, a, b));
      for (Bits c = (a + b) % 5; c < count; c += 5) {
        if (!repeats(c)) {
          ASSERT_EQ(unsigned(bits_of(fma(gates, x, y, value(c), everything, rounding))), expected(Op::fma, a, b, c))
              << unsigned(a) << " " << unsigned(b) << " " << unsigned(c);
        }
      }
    }
  }
  EXPECT_FALSE(gates.contradictory());
}

TEST_P(BitsRounded, ConversionsAreThoseOfTheEvaluator) {
  Gates gates;
  for (const BinaryFormat to : {BinaryFormat{3, 3}, BinaryFormat{2, 2}, BinaryFormat{5, 9}}) {
    const Extent extent = extent_of(anything(to), to);
    for (Bits a = 0; a < count; ++a)
      ASSERT_EQ(unsigned(bits_of(convert(gates, value(a), to, extent, rounding))),
                unsigned(numeric::converted(a, format, to, rounding)));
    for (const bool is_signed : {false, true})
      for (Bits word = 0; word < 64; ++word)
        ASSERT_EQ(unsigned(bits_of(float_of_integer(gates, word_of(word, 6), is_signed, to, extent, rounding))),
                  unsigned(constraint::rounded_integer(word, 6, is_signed, to, rounding)))
            << unsigned(word);
  }
  EXPECT_FALSE(gates.contradictory());
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const BinaryFormat format : {BinaryFormat{3, 3}, BinaryFormat{2, 2}, BinaryFormat{2, 4}})
    for (int rounding = 0; rounding < numeric::rounding_count; ++rounding)
      all.push_back({format, Rounding(rounding)});
  return all;
}
INSTANTIATE_TEST_SUITE_P(TinyFormats, BitsRounded, testing::ValuesIn(cases()));

TEST(BitsWords, RemaindersAreThoseOfTheEvaluator) {
  Gates gates;
  for (const BinaryFormat format : {BinaryFormat{3, 3}, BinaryFormat{2, 4}, BinaryFormat{4, 3}})
    for (Bits a = 0; a < Bits{1} << format.width(); ++a)
      for (Bits b = 0; b < Bits{1} << format.width(); ++b)
        ASSERT_EQ(unsigned(bits_of(
                      remainder(gates, constant(a, format), constant(b, format), extent_of(anything(format), format)))),
                  unsigned(constraint::apply(Op::remainder, format, a, b)))
            << unsigned(a) << " " << unsigned(b);
  EXPECT_FALSE(gates.contradictory());
}

TEST(BitsWords, PatternsAndIntegersAreThoseOfTheEvaluator) {
  Gates gates;
  for (const BinaryFormat format : {BinaryFormat{3, 3}, BinaryFormat{4, 4}, BinaryFormat{2, 5}})
    for (Bits a = 0; a < Bits{1} << format.width(); ++a) {
      const Bits expected = format.is_nan(a) ? format.nan() : a;
      ASSERT_EQ(unsigned(bits_of(float_of_pattern(gates, word_of(a, format.width()), format))), unsigned(expected));
      for (const int width : {1, 3, 9})
        for (const bool is_signed : {false, true})
          ASSERT_EQ(unsigned(value_of(integer_of_float(gates, constant(a, format), width, is_signed))),
                    unsigned(constraint::integer_in_word(a, format, width, is_signed)))
              << unsigned(a) << " in " << width;
    }
}

TEST(BitsWords, OperationsAreThoseOfTheEvaluator) {
  Gates gates;
  constexpr int width = 4;
  for (int op = int(WordOp::complement); op <= int(WordOp::concatenation); ++op) {
    constraint::Node node{.form = constraint::Form::word, .word = WordOp(op)};
    node.sort = constraint::word_sort(node.word == WordOp::concatenation ? 2 * width : width);
    for (Bits a = 0; a < 16; ++a)
      for (Bits b = 0; b < 16; ++b)
        ASSERT_EQ(unsigned(value_of(apply(gates, node, word_of(a, width), word_of(b, width)))),
                  unsigned(constraint::apply(node.word, node.sort.width, width, 0, a, b)))
            << op << ": " << unsigned(a) << " " << unsigned(b);
  }
  for (Bits a = 0; a < 16; ++a)
    for (Bits b = 0; b < 16; ++b)
      for (const bool is_signed : {false, true})
        ASSERT_EQ(less(gates, word_of(a, width), word_of(b, width), is_signed),
                  Gate(constraint::less(a, b, width, is_signed)));
}

} // namespace
} // namespace faultline::solve
