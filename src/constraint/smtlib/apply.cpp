#include "constraint/smtlib/apply.h"

#include <fmt/format.h>
#include <functional>

namespace faultline::constraint {

using ops::Op;

using Action = Operator::Action;

void Applier::fail(const std::string& what, const std::string& hint) const {
  lexer_.fail(application_.at, fmt::format("{}: {}", function_.name, what), hint);
}

void Applier::check_count() const {
  if (operands_.size() >= function_.least && operands_.size() <= function_.most)
    return;
  const std::string expected = function_.least == function_.most ? fmt::format("{}", function_.least)
                               : function_.most == Operator::any_number
                                   ? fmt::format("{} or more", function_.least)
                                   : fmt::format("{} or {}", function_.least, function_.most);
  fail(fmt::format("takes {} operands, not {}", expected, operands_.size()),
       "count the operands, the rounding mode too");
}

void Applier::fail_sort(size_t i, const char* wanted) const {
  fail(fmt::format("operand {} is of sort {}, not {}", i + 1, text(sort_of(system_, operands_[i])), wanted));
}

Term Applier::boolean(size_t i) const {
  const Term* term = std::get_if<Term>(&operands_[i]);
  if (!term || !system_.sort(*term).boolean)
    fail_sort(i, "Bool");
  return *term;
}

std::vector<Term> Applier::booleans() const {
  std::vector<Term> terms;
  terms.reserve(operands_.size());
  for (size_t i = 0; i < operands_.size(); ++i)
    terms.push_back(boolean(i));
  return terms;
}

const Mode& Applier::mode(size_t i) const {
  const Mode* mode = std::get_if<Mode>(&operands_[i]);
  if (!mode)
    fail_sort(i, "RoundingMode");
  return *mode;
}

Term Applier::exclusion() {
  const std::vector<Term> terms = booleans();
  Term result = terms[0];
  for (size_t i = 1; i < terms.size(); ++i)
    result = system_.negate(system_.same(result, terms[i]));
  return result;
}

Term Applier::implication() {
  std::vector<Term> terms = booleans();
  for (size_t i = 0; i + 1 < terms.size(); ++i)
    terms[i] = system_.negate(terms[i]);
  return system_.any(std::move(terms));
}

Term Applier::equal(size_t i, size_t j) {
  const Value &a = operands_[i], &b = operands_[j];
  const ScriptSort one = sort_of(system_, a), other = sort_of(system_, b);
  if (one != other)
    fail(fmt::format("operands {} and {} are of different sorts, {} and {}", i + 1, j + 1, text(one), text(other)));
  if (one.kind == ScriptSort::Kind::real)
    return theories_.reals.equal(real(i), real(j));
  if (one.kind == ScriptSort::Kind::rounding)
    return same(system_, mode(i), mode(j));
  return system_.same(std::get<Term>(a), std::get<Term>(b));
}

Term Applier::equality() {
  std::vector<Term> links;
  for (size_t i = 0; i + 1 < operands_.size(); ++i)
    links.push_back(equal(i, i + 1));
  return system_.all(std::move(links));
}

Term Applier::distinctness() {
  const size_t count = operands_.size();
  if (count > 1'000)
    fail(fmt::format("of {} operands", count), "1000 at most: each pair is compared");
  std::vector<Term> pairs;
  for (size_t i = 0; i < count; ++i)
    for (size_t j = i + 1; j < count; ++j)
      pairs.push_back(system_.negate(equal(i, j)));
  return system_.all(std::move(pairs));
}

Value Applier::choice() {
  const Term condition = boolean(0);
  const Value &then = operands_[1], &otherwise = operands_[2];
  const ScriptSort one = sort_of(system_, then), other = sort_of(system_, otherwise);
  if (one != other)
    fail(fmt::format("the branches are of different sorts, {} and {}", text(one), text(other)));
  if (one.kind == ScriptSort::Kind::term)
    return system_.choose(condition, std::get<Term>(then), std::get<Term>(otherwise));
  if (one.kind == ScriptSort::Kind::rounding)
    return choose(system_, condition, mode(1), mode(2));
  const RealOf *a = std::get_if<RealOf>(&then), *b = std::get_if<RealOf>(&otherwise);
  if (a && b && system_.sort(a->number) == system_.sort(b->number))
    return RealOf{system_.choose(condition, a->number, b->number)};
  if (then == otherwise)
    return then;
  fail(fmt::format("of sort {} is not supported", text(one)), "choose between floats");
}

Value Applier::core() {
  switch (function_.action) {
  case Action::negation:
    return system_.negate(boolean(0));
  case Action::conjunction:
    return system_.all(booleans());
  case Action::disjunction:
    return system_.any(booleans());
  case Action::exclusion:
    return exclusion();
  case Action::implication:
    return implication();
  case Action::equality:
    return equality();
  case Action::distinctness:
    return distinctness();
  default:
    return choice();
  }
}

Value Applier::result() {
  check_count();
  if (function_.action == Action::nothing)
    fail("is not supported");
  if (function_.action <= Action::choice)
    return core();
  if (function_.action <= Action::to_real)
    return floats();
  return function_.action <= Action::real_comparison ? reals() : words();
}

Value apply(Theories& theories, const Lexer& lexer, const Application& application, std::span<const Value> operands) {
  const Value result = Applier(theories, lexer, application, operands).result();
  if (theories.system.size() > most_terms)
    lexer.fail(application.at, fmt::format("more than {} terms", most_terms), "a smaller problem");
  if (theories.unspecified.pairs() > Unspecified::most_pairs)
    lexer.fail(application.at, "too many conversions of floats to bit-vectors", "a smaller problem");
  if (theories.reals.confused())
    lexer.fail(application.at, "two numbers that differ by too little", "fewer digits");
  return result;
}

// Applications of the theory FloatingPoint.

using Action = Operator::Action;

Term Applier::floating(size_t i, size_t first) const {
  const Term* term = std::get_if<Term>(&operands_[i]);
  if (!term || !system_.sort(*term).is_float())
    fail_sort(i, "FloatingPoint");
  if (i != first && sort_of(system_, operands_[first]) != sort_of(system_, *term))
    fail(fmt::format("operands {} and {} are of different sorts, {} and {}", first + 1, i + 1,
                     text(sort_of(system_, operands_[first])), text(sort_of(system_, *term))),
         "convert one of them: ((_ to_fp 11 53) RNE x)");
  return *term;
}

Term Applier::operation() {
  const size_t first = function_.most - size_t(ops::arity(function_.op)); // after the rounding mode, if there is one
  Term terms[3] = {0, 0, 0};
  for (size_t i = first; i < operands_.size(); ++i)
    terms[i - first] = floating(i, first);
  if (first == 0)
    return system_.operation(function_.op, terms[0], terms[1], terms[2]);
  return by_mode(system_, mode(0), [&](Rounding rounding) {
    return system_.rounded(function_.op, rounding, terms[0], terms[1], terms[2]);
  });
}

Term Applier::rounding() {
  constexpr Op op_of[] = {Op::roundeven, Op::round, Op::ceil, Op::floor, Op::trunc};
  const Term number = floating(1, 1);
  return by_mode(system_, mode(0),
                 [&](Rounding rounding) { return system_.operation(op_of[size_t(rounding)], number); });
}

// Returns the number if one operand is NaN. For zeros of different sign the standard allows either result.
Term Applier::selection() {
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

Term Applier::comparison() {
  std::vector<Term> links;
  floating(0, 0);
  for (size_t i = 0; i + 1 < operands_.size(); ++i)
    links.push_back(system_.compare(function_.op, floating(i, 0), floating(i + 1, 0)));
  return system_.all(std::move(links));
}

Term Applier::assembly() {
  const Term sign = word(0), exponent = word(1), fraction = word(2);
  if (width(sign) != 1)
    fail(fmt::format("the sign is of sort (_ BitVec {}), not (_ BitVec 1)", width(sign)));
  check_format(lexer_, application_.at, width(exponent), width(fraction) + 1);
  return system_.float_of_pattern(system_.concatenate(sign, system_.concatenate(exponent, fraction)),
                                  {width(exponent), width(fraction) + 1});
}

Term Applier::conversion() {
  const bool from_unsigned = function_.action == Action::unsigned_conversion;
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

// Returns the integer if it fits in the word; otherwise an arbitrary word.
Term Applier::to_word() {
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

// Returns the word that encodes the float; for NaN, one of its encodings.
Term Applier::to_pattern() {
  const Term number = floating(0, 0);
  const BinaryFormat format = system_.sort(number).format;
  check_width(format.width());
  const Term word = theories_.unspecified.variable(word_sort(format.width()));
  theories_.unspecified.require(system_.same(system_.float_of_pattern(word, format), number));
  return system_.choose(system_.classify(Class::nan, number), theories_.unspecified.pattern_of_nan(format), word);
}

Value Applier::floats() {
  switch (function_.action) {
  case Action::operation:
    return operation();
  case Action::rounding:
    return rounding();
  case Action::selection:
    return selection();
  case Action::comparison:
    return comparison();
  case Action::classification:
    return system_.classify(function_.tested, floating(0, 0));
  case Action::assembly:
    return assembly();
  case Action::conversion:
  case Action::unsigned_conversion:
    return conversion();
  case Action::to_word:
    return to_word();
  case Action::to_pattern:
    return to_pattern();
  default:
    return RealOf{floating(0, 0)};
  }
}

// Applications of the theory Reals that problems about floats need: arithmetic of literals, and comparisons.

using Action = Operator::Action;

Real Applier::real(size_t i) const {
  if (const Literal* literal = std::get_if<Literal>(&operands_[i]))
    return *literal;
  if (const RealOf* number = std::get_if<RealOf>(&operands_[i]))
    return *number;
  fail_sort(i, "Real");
}

const Rational& Applier::literal(size_t i) const {
  real(i);
  const Literal* literal = std::get_if<Literal>(&operands_[i]);
  if (!literal)
    fail("of fp.to_real is not supported", "arithmetic of reals is for literals; compute with floats");
  return **literal;
}

Value Applier::folded(const std::function<Rational(const Rational&, const Rational&)>& join) {
  Rational result = literal(0);
  for (size_t i = 1; i < operands_.size(); ++i) {
    if (bits_needed(result) + bits_needed(literal(i)) > most_rational_bits)
      fail("the numbers are too long", fmt::format("{} bits at most", most_rational_bits));
    result = join(result, literal(i));
  }
  return std::make_shared<const Rational>(std::move(result));
}

Value Applier::minus() {
  if (operands_.size() == 1)
    return std::make_shared<const Rational>(-literal(0));
  return folded(std::minus<Rational>());
}

Value Applier::division() {
  for (size_t i = 1; i < operands_.size(); ++i)
    if (literal(i) == 0)
      fail("division by zero", "the standard leaves its value open");
  return folded(std::divides<Rational>());
}

Term Applier::real_comparison() {
  std::vector<Term> links;
  for (size_t i = 0; i + 1 < operands_.size(); ++i) {
    const Real a = real(i), b = real(i + 1);
    const Term less = function_.swapped ? theories_.reals.less(b, a) : theories_.reals.less(a, b);
    links.push_back(function_.negated ? system_.negate(less) : less);
  }
  return system_.all(std::move(links));
}

Value Applier::reals() {
  switch (function_.action) {
  case Action::minus:
    return minus();
  case Action::addition:
    return folded(std::plus<Rational>());
  case Action::multiplication:
    return folded(std::multiplies<Rational>());
  case Action::division:
    return division();
  default:
    return real_comparison();
  }
}

// Applications of the theory FixedSizeBitVectors.

using Action = Operator::Action;

Term Applier::word(size_t i) const {
  const Term* term = std::get_if<Term>(&operands_[i]);
  if (!term || !system_.sort(*term).is_word())
    fail_sort(i, "a bit-vector");
  return *term;
}

Term Applier::word(size_t i, size_t first) const {
  const Term term = word(i);
  if (width(term) != width(word(first)))
    fail(fmt::format("operands {} and {} have {} and {} bits", first + 1, i + 1, width(word(first)), width(term)));
  return term;
}

void Applier::check_width(int width) const {
  if (width < 1 || width > most_word_bits)
    fail(fmt::format("a bit-vector of {} bits", width), fmt::format("1 to {} bits are supported", most_word_bits));
}

Term Applier::negated(Term word) {
  return system_.word(WordOp::difference, system_.word_constant(0, width(word)), word);
}

Term Applier::is_negative(Term word) { return system_.word_less(word, system_.word_constant(0, width(word)), true); }

Term Applier::chained() {
  Term result = word(0);
  if (function_.word == WordOp::complement)
    return system_.word(WordOp::complement, result);
  for (size_t i = 1; i < operands_.size(); ++i)
    result = system_.word(function_.word, result, word(i, 0));
  return result;
}

Term Applier::word_comparison() {
  const Term a = word(0), b = word(1, 0);
  const Term less =
      function_.swapped ? system_.word_less(b, a, function_.is_signed) : system_.word_less(a, b, function_.is_signed);
  return function_.negated ? system_.negate(less) : less;
}

// Uses magnitudes, as the standard does: the quotient is negative if the signs differ; the result of bvsrem has the
// dividend's sign, and that of bvsmod, unless zero, the divisor's.
Term Applier::signed_division() {
  const Term a = word(0), b = word(1, 0);
  const Term a_negative = is_negative(a), b_negative = is_negative(b);
  const Term x = system_.choose(a_negative, negated(a), a), y = system_.choose(b_negative, negated(b), b);
  const Term result = system_.word(function_.word, x, y);
  const Term signs_differ = system_.negate(system_.same(a_negative, b_negative));
  if (function_.word == WordOp::quotient)
    return system_.choose(signs_differ, negated(result), result);
  const Term rest = system_.choose(a_negative, negated(result), result);
  if (!function_.is_signed)
    return rest;
  const Term is_zero = system_.same(result, system_.word_constant(0, width(result)));
  return system_.choose(is_zero, result, system_.choose(signs_differ, system_.word(WordOp::sum, rest, b), rest));
}

Term Applier::concatenation() {
  Term result = word(0);
  for (size_t i = 1; i < operands_.size(); ++i) {
    check_width(width(result) + width(word(i)));
    result = system_.concatenate(result, word(i));
  }
  return result;
}

Term Applier::extraction() {
  const Term whole = word(0);
  const auto [high, low] = application_.indices;
  if (high >= width(whole) || low > high)
    fail(fmt::format("there are no bits {} to {} of {}", high, low, width(whole)));
  return system_.extract(whole, low, high - low + 1);
}

Term Applier::extension() {
  const Term a = word(0);
  const int more = application_.indices[0];
  check_width(width(a) + more);
  if (more == 0)
    return a;
  const Term zeros = system_.word_constant(0, more);
  if (!function_.is_signed)
    return system_.concatenate(zeros, a);
  return system_.concatenate(system_.choose(is_negative(a), system_.word_constant(~Bits{0}, more), zeros), a);
}

Term Applier::rotation() {
  const Term a = word(0);
  const int all = width(a), count = application_.indices[0] % all;
  const int left = function_.is_signed ? (all - count) % all : count;
  if (left == 0)
    return a;
  return system_.concatenate(system_.extract(a, 0, all - left), system_.extract(a, all - left, left));
}

Term Applier::repetition() {
  const Term a = word(0);
  const int count = application_.indices[0];
  if (count < 1 || count > most_word_bits)
    fail(fmt::format("{} times", count), "once or more");
  Term result = a;
  for (int i = 1; i < count; ++i) {
    check_width(width(result) + width(a));
    result = system_.concatenate(result, a);
  }
  return result;
}

Value Applier::words() {
  switch (function_.action) {
  case Action::word:
    return chained();
  case Action::word_inverse:
    return system_.word(WordOp::complement, chained());
  case Action::word_negation:
    return negated(word(0));
  case Action::word_comparison:
    return word_comparison();
  case Action::word_equality:
    return system_.choose(system_.same(word(0), word(1, 0)), system_.word_constant(1, 1), system_.word_constant(0, 1));
  case Action::signed_division:
    return signed_division();
  case Action::concatenation:
    return concatenation();
  case Action::extraction:
    return extraction();
  case Action::extension:
    return extension();
  case Action::rotation:
    return rotation();
  default:
    return repetition();
  }
}

} // namespace faultline::constraint
