// Applications of the theory FloatingPoint.
#include "constraint/smtlib/applying.h"

#include <fmt/format.h>

namespace faultline::constraint {

using ops::Op;
using Does = Operator::Does;

Term Applying::floating(size_t i, size_t first) const {
  const Term* term = std::get_if<Term>(&operands_[i]);
  if (!term || !system_.sort(*term).is_float())
    fail_sort(i, "FloatingPoint");
  if (i != first && sort_of(system_, operands_[first]) != sort_of(system_, *term))
    fail(fmt::format("operands {} and {} are of different sorts, {} and {}", first + 1, i + 1,
                     text(sort_of(system_, operands_[first])), text(sort_of(system_, *term))),
         "convert one of them: ((_ to_fp 11 53) RNE x)");
  return *term;
}

Term Applying::operation() {
  const size_t first = function_.most - size_t(ops::arity(function_.op)); // behind the rounding mode, if there is one
  Term terms[3] = {0, 0, 0};
  for (size_t i = first; i < operands_.size(); ++i)
    terms[i - first] = floating(i, first);
  if (first == 0)
    return system_.operation(function_.op, terms[0], terms[1], terms[2]);
  return by_mode(system_, mode(0), [&](Rounding rounding) {
    return system_.rounded(function_.op, rounding, terms[0], terms[1], terms[2]);
  });
}

Term Applying::rounding() {
  constexpr Op op_of[] = {Op::roundeven, Op::round, Op::ceil, Op::floor, Op::trunc};
  const Term number = floating(1, 1);
  return by_mode(system_, mode(0),
                 [&](Rounding rounding) { return system_.operation(op_of[size_t(rounding)], number); });
}

// A NaN loses against a number. Of zeros of different sign the standard leaves it open which one it is.
Term Applying::selection() {
  const Term a = floating(0, 0), b = floating(1, 0);
  if (a == b)
    return a;
  const BinaryFormat format = system_.sort(a).format;
  const bool maximum = function_.op == Op::fmax;
  const auto is = [&](Class tested, Term term) { return system_.classify(tested, term); };
  const auto open = [&](bool positive_first) {
    return system_.choose(theories_.unspecified.zero_is_negative(maximum, format, positive_first),
                          system_.constant(format.sign(), format), system_.constant(0, format));
  };
  const Term zeros = system_.all({is(Class::zero, a), is(Class::zero, b),
                                  system_.negate(system_.same(is(Class::negative, a), is(Class::negative, b)))});
  Term number = system_.choose(maximum ? system_.compare(Op::cmp_olt, b, a) : system_.compare(Op::cmp_olt, a, b), a, b);
  if (system_.node(zeros).form != Form::constant || system_.node(zeros).value != 0)
    number = system_.choose(zeros, system_.choose(is(Class::negative, a), open(false), open(true)), number);
  return system_.choose(is(Class::nan, a), b, system_.choose(is(Class::nan, b), a, number));
}

Term Applying::comparison() {
  std::vector<Term> links;
  floating(0, 0);
  for (size_t i = 0; i + 1 < operands_.size(); ++i)
    links.push_back(system_.compare(function_.op, floating(i, 0), floating(i + 1, 0)));
  return system_.all(std::move(links));
}

Term Applying::assembly() {
  const Term sign = word(0), exponent = word(1), fraction = word(2);
  if (width(sign) != 1)
    fail(fmt::format("the sign is of sort (_ BitVec {}), not (_ BitVec 1)", width(sign)));
  check_format(lexer_, application_.at, width(exponent), width(fraction) + 1);
  return system_.float_of_pattern(system_.concatenate(sign, system_.concatenate(exponent, fraction)),
                                  {width(exponent), width(fraction) + 1});
}

Term Applying::conversion() {
  const bool from_unsigned = function_.does == Does::unsigned_conversion;
  if (operands_.size() == 1) {
    const Term pattern = word(0);
    if (width(pattern) != format().width())
      fail(fmt::format("the operand has {} bits, not {}", width(pattern), format().width()));
    return system_.float_of_pattern(pattern, format());
  }
  const Mode& direction = mode(0);
  if (!from_unsigned && sort_of(system_, operands_[1]).kind == ScriptSort::Kind::real)
    return theories_.reals.rounded(real(1), format(), direction);
  const Term* term = std::get_if<Term>(&operands_[1]);
  if (from_unsigned || (term && system_.sort(*term).is_word())) {
    const Term integer = word(1);
    return by_mode(system_, direction, [&](Rounding rounding) {
      return system_.float_of_integer(integer, !from_unsigned, format(), rounding);
    });
  }
  const Term number = floating(1, 1);
  return by_mode(system_, direction, [&](Rounding rounding) { return system_.convert(number, format(), rounding); });
}

// The integer, where it is one of the word's; else any word.
Term Applying::to_word() {
  const int bits = application_.indices[0];
  check_width(bits);
  const bool is_signed = function_.is_signed;
  const Term number = floating(1, 1);
  const BinaryFormat format = system_.sort(number).format;
  const mpz_class one = 1;
  const mpz_class beyond = one << static_cast<mp_bitcnt_t>(is_signed ? bits - 1 : bits);
  const Term least =
      system_.constant(rounded_bits({is_signed ? -beyond : mpz_class(0), 1}, format, Rounding::up), format);
  const Term most = system_.constant(rounded_bits({beyond - 1, 1}, format, Rounding::down), format);
  constexpr Op op_of[] = {Op::roundeven, Op::round, Op::ceil, Op::floor, Op::trunc};
  return by_mode(system_, mode(0), [&](Rounding rounding) {
    const Term integer = system_.operation(op_of[size_t(rounding)], number);
    const Term inside =
        system_.both(system_.compare(Op::cmp_ole, least, integer), system_.compare(Op::cmp_ole, integer, most));
    if (system_.node(inside).form == Form::constant && system_.node(inside).value != 0)
      return system_.integer_of_float(integer, bits, is_signed);
    return system_.choose(inside, system_.integer_of_float(integer, bits, is_signed),
                          theories_.unspecified.word_of(number, rounding, bits, is_signed));
  });
}

// The word that holds the float; of NaN, one of those that do.
Term Applying::to_pattern() {
  const Term number = floating(0, 0);
  const BinaryFormat format = system_.sort(number).format;
  check_width(format.width());
  const Term word = theories_.unspecified.variable(word_sort(format.width()));
  theories_.unspecified.require(system_.same(system_.float_of_pattern(word, format), number));
  return system_.choose(system_.classify(Class::nan, number), theories_.unspecified.pattern_of_nan(format), word);
}

Value Applying::floats() {
  switch (function_.does) {
  case Does::operation:
    return operation();
  case Does::rounding:
    return rounding();
  case Does::selection:
    return selection();
  case Does::comparison:
    return comparison();
  case Does::classification:
    return system_.classify(function_.tested, floating(0, 0));
  case Does::assembly:
    return assembly();
  case Does::conversion:
  case Does::unsigned_conversion:
    return conversion();
  case Does::to_word:
    return to_word();
  case Does::to_pattern:
    return to_pattern();
  default:
    return RealOf{floating(0, 0)};
  }
}

} // namespace faultline::constraint
