#include "constraint/evaluate.h"
#include "constraint/smtlib/printing.h"
#include "constraint/smtlib/reader.h"
#include "numeric/random.h"
#include "smtlib_writer.h"

#include <gtest/gtest.h>

namespace faultline::constraint {
namespace {

using ops::Op;

constexpr size_t truths = 2; // true and false, which reading a rounding mode makes

// Without fmin and fmax: which zero they give, SMT-LIB leaves open.
constexpr Op operations[] = {Op::fadd,   Op::fsub,        Op::fmul,        Op::fdiv,      Op::fma,       Op::sqrt,
                             Op::fneg,   Op::fabs,        Op::fdim,        Op::copysign,  Op::floor,     Op::ceil,
                             Op::trunc,  Op::round,       Op::rint,        Op::roundeven, Op::remainder, Op::round_add,
                             Op::to_int, Op::to_int_rint, Op::to_int_round};
constexpr BinaryFormat formats[] = {{3, 3}, {5, 11}, numeric::binary32, numeric::binary64};

// Values that matter among values of no kind in particular.
Bits random_bits(numeric::Rng& rng, BinaryFormat format) {
  const Bits special[] = {0,
                          format.sign(),
                          format.infinity(),
                          format.sign() | format.infinity(),
                          format.nan(),
                          1,
                          format.largest(),
                          format.smallest_normal(),
                          Bits(format.max_exponent()) << format.fraction_bits()};
  const Bits any = (Bits(rng.next()) << 64 | rng.next()) & (format.sign() | (format.sign() - 1));
  return rng.coin() ? special[rng.below(std::size(special))] : format.is_nan(any) ? format.nan() : any;
}

// A system of every kind of term, and terms of both sorts to choose from.
struct Random {
  explicit Random(uint64_t seed) : rng(seed) {
    for (const BinaryFormat format : formats)
      for (int i = 0; i < 2; ++i)
        floats.push_back(system.variable("x" + std::to_string(floats.size()), float_sort(format)));
    booleans = {system.variable("b", boolean_sort), system.variable("c", boolean_sort)};
    for (int i = 0; i < 60; ++i)
      grow();
  }

  Term any_float() { return floats[rng.below(floats.size())]; }
  Term any_boolean() { return booleans[rng.below(booleans.size())]; }
  Term like(Term other) {
    const BinaryFormat format = system.sort(other).format;
    return rng.below(4) == 0 ? system.constant(random_bits(rng, format), format) : system.convert(any_float(), format);
  }

  // An integer as a word, operations on words, and back.
  Term through_word(Term a, numeric::Rounding rounding) {
    const bool is_signed = rng.coin();
    Term word = system.integer_of_float(a, 8, is_signed);
    word = system.word(WordOp(1 + rng.below(uint64_t(WordOp::shift_right_signed))), word, system.word_constant(5, 8));
    word = system.concatenate(system.extract(word, 2, 5), word);
    const Term less = system.word_less(word, system.word_constant(100, 13), is_signed);
    return system.choose(less, system.float_of_integer(word, is_signed, system.sort(a).format, rounding), a);
  }

  void grow() {
    const Term a = any_float();
    constexpr Op rounded[] = {Op::fadd, Op::fsub, Op::fmul, Op::fdiv, Op::fma, Op::sqrt};
    const auto rounding = numeric::Rounding(rng.below(numeric::rounding_count));
    switch (rng.below(10)) {
    case 8:
      floats.push_back(system.rounded(rounded[rng.below(std::size(rounded))], rounding, a, like(a), like(a)));
      break;
    case 9:
      floats.push_back(through_word(system.convert(a, formats[rng.below(std::size(formats))], rounding), rounding));
      break;
    case 0:
    case 1:
    case 2:
      floats.push_back(system.operation(operations[rng.below(std::size(operations))], a, like(a), like(a)));
      break;
    case 3:
      floats.push_back(system.choose(any_boolean(), a, like(a)));
      break;
    case 4:
      booleans.push_back(system.compare(Op(uint64_t(Op::cmp_oeq) + rng.below(14)), a, like(a)));
      break;
    case 5:
      booleans.push_back(system.classify(Class(rng.below(7)), a));
      break;
    case 6:
      booleans.push_back(rng.coin() ? system.both(any_boolean(), any_boolean())
                                    : system.either(any_boolean(), system.negate(any_boolean())));
      break;
    case 7:
      booleans.push_back(rng.coin() ? system.same(a, like(a)) : system.same(any_boolean(), any_boolean()));
      break;
    }
  }

  Model model() {
    Model values;
    for (const Variable& variable : system.variables()) {
      const Sort sort = system.sort(variable.term);
      values.push_back(sort.boolean ? Bits(rng.coin()) : random_bits(rng, sort.format));
    }
    return values;
  }

  numeric::Rng rng;
  System system;
  std::vector<Term> floats, booleans;
};

// The value of every term survives: the assertion says what it is under one model, and must be true under that model
// and the same as before under others.
TEST(SmtlibWriter, WhatIsWrittenMeansWhatItMeant) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    const Model model = random.model();
    std::vector<Bits> values;
    evaluate(random.system, model, values);
    for (const std::vector<Term>& terms : {random.floats, random.booleans})
      for (const Term term : terms) {
        System system = random.system;
        const Sort sort = system.sort(term);
        system.assert_true(system.same(term, sort.boolean ? system.truth(values[term] != 0)
                                                          : system.constant(values[term], sort.format)));
        const Written written = write_smtlib(system);
        ASSERT_EQ(written.unwritable, Op::none);
        const Script script = read_smtlib(written.text, "written");
        const auto read = [&](Model values) { // what SMT-LIB leaves open is a variable more, and has no influence
          values.resize(script.system.variables().size());
          return satisfies(script.system, values);
        };
        ASSERT_TRUE(read(model)) << written.text;
        for (int i = 0; i < 3; ++i) {
          const Model other = random.model();
          ASSERT_EQ(read(other), satisfies(system, other)) << written.text;
        }
      }
  }
}

TEST(SmtlibWriter, AnOperationThatSmtLibLacksIsNamed) {
  System system;
  const Term x = system.variable("x", float_sort(numeric::binary64));
  system.assert_true(system.classify(Class::nan, system.operation(Op::exp, x)));
  EXPECT_EQ(write_smtlib(system).unwritable, Op::exp);
  EXPECT_EQ(write_smtlib(system).text, "");
}

TEST(SmtlibWriter, WhatNoAssertionNeedsIsNotWritten) {
  System system;
  const Term x = system.variable("x", float_sort(numeric::binary64));
  system.operation(Op::exp, x);
  system.assert_true(system.classify(Class::zero, x));
  EXPECT_EQ(write_smtlib(system).text, "(set-logic QF_FP)\n(declare-fun x () (_ FloatingPoint 11 53))\n"
                                       "(assert (fp.isZero x))\n(check-sat)\n(get-model)\n");
}

TEST(SmtlibWriter, ASharedTermIsWrittenOnceAndNoNameIsTakenTwice) {
  System system;
  Term x = system.variable("t4", float_sort(numeric::binary64));
  for (int i = 0; i < 100; ++i)
    x = system.operation(Op::fadd, x, x);
  system.assert_true(system.classify(Class::nan, x));
  const Written written = write_smtlib(system);
  EXPECT_LT(written.text.size(), 20'000u);
  EXPECT_EQ(read_smtlib(written.text, "written").system.size(), system.size() + truths);
}

TEST(SmtlibWriter, ADeepSystemIsWrittenFlat) {
  System system;
  Term x = system.variable("x", float_sort(numeric::binary64));
  for (int i = 0; i < 20'000; ++i)
    x = system.operation(Op::sqrt, x);
  system.assert_true(system.classify(Class::nan, x));
  const std::string text = write_smtlib(system).text;
  EXPECT_LT(text.size(), 4'000'000u);
  EXPECT_EQ(read_smtlib(text, "written").system.size(), system.size() + truths);
}

TEST(SmtlibWriter, EveryNameCanBeReadBack) {
  System system;
  for (const char* name :
       {"x", "a b", "", "let", "and", "and", "RNE", "x|y", "x_y", "a\\b", "1", "\x1b[31m", "\xc3\xa9"})
    system.assert_true(system.variable(name, boolean_sort));
  const Script script = read_smtlib(write_smtlib(system).text, "written");
  ASSERT_EQ(script.system.variables().size(), system.variables().size());
  EXPECT_EQ(script.system.variables()[1].name, "a b");
  EXPECT_EQ(script.system.variables()[3].name, "let");
  EXPECT_EQ(smtlib_names(system)[0], "x");
  EXPECT_EQ(smtlib_names(system)[1], "|a b|");
}

TEST(SmtlibWriter, AModelIsPrintedAsSolversDoAndCanBePastedBack) {
  System system;
  system.variable("f", float_sort(numeric::binary32));
  system.variable("d e", float_sort(numeric::binary64));
  system.variable("b", boolean_sort);
  system.variable("tiny", float_sort({3, 3}));
  system.variable("quad", float_sort({15, 113}));
  const Model model{numeric::bits_of(0.1f), numeric::bits_of(-1.5), 1, BinaryFormat{3, 3}.nan(), 0};
  Script script = read_smtlib(write_smtlib(system).text + "(get-model)", "m");
  Playback playback(script);
  ASSERT_NE(playback.next(), nullptr);
  const std::string text = model_text(script, playback, model);
  EXPECT_TRUE(text.starts_with("(\n  (define-fun f () (_ FloatingPoint 8 24) (fp #b0 #b01111011 "
                               "#b10011001100110011001101)) ; 0.1 0x1.99999ap-4\n"
                               "  (define-fun |d e| () (_ FloatingPoint 11 53) (fp #b1 #b01111111111 "
                               "#b1000000000000000000000000000000000000000000000000000)) ; -1.5 -0x1.8p+0\n"
                               "  (define-fun b () Bool true)\n"
                               "  (define-fun tiny () (_ FloatingPoint 3 3) (_ NaN 3 3)) ; nan\n"
                               "  (define-fun quad () (_ FloatingPoint 15 113) (fp #b0 #b000000000000000 #b0000"))
      << text;
  EXPECT_TRUE(text.ends_with("))\n)\n")) << text;
  // Its definitions are commands of the language.
  const std::string commands = text.substr(2, text.size() - 4);
  EXPECT_TRUE(
      satisfies(read_smtlib(commands + "(assert (and b (fp.lt |d e| ((_ to_fp 11 53) RNE f))))", "m").system, {}));
}

} // namespace
} // namespace faultline::constraint
