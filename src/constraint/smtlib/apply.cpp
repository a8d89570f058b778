#include "constraint/smtlib/apply.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <unordered_map>

namespace faultline::constraint {

using ops::Op;

// One application: its operands, and the error messages about them.
class Applier {
public:
  static const Operator operators[]; // SMT-LIB's functions

  Applier(Theories& theories, const Lexer& lexer, const Application& application, std::span<const Value> operands)
      : theories_(theories), system_(theories.system), lexer_(lexer), application_(application),
        function_(*application.function), operands_(operands) {}

  Value result() {
    check_count();
    return (this->*function_.apply)();
  }

private:
  [[noreturn]] void fail(const std::string& what, const std::string& hint = "check the operands") const {
    lexer_.fail(application_.at, fmt::format("{}: {}", function_.name, what), hint);
  }

  void check_count() const {
    if (operands_.size() >= function_.least && operands_.size() <= function_.most)
      return;
    const std::string expected = function_.least == function_.most ? fmt::format("{}", function_.least)
                                 : function_.most == Operator::any_number
                                     ? fmt::format("{} or more", function_.least)
                                     : fmt::format("{} or {}", function_.least, function_.most);
    fail(fmt::format("takes {} operands, not {}", expected, operands_.size()),
         "count the operands, the rounding mode too");
  }

  // Access to operands with a check of their sorts.
  [[noreturn]] void fail_sort(size_t i, const char* wanted) const {
    fail(fmt::format("operand {} is of sort {}, not {}", i + 1, text(sort_of(system_, operands_[i])), wanted));
  }

  Term boolean(size_t i) const {
    const Term* term = std::get_if<Term>(&operands_[i]);
    if (!term || !system_.sort(*term).boolean)
      fail_sort(i, "Bool");
    return *term;
  }

  std::vector<Term> booleans() const {
    std::vector<Term> terms;
    terms.reserve(operands_.size());
    for (size_t i = 0; i < operands_.size(); ++i)
      terms.push_back(boolean(i));
    return terms;
  }

  // Returns a float of the format of operand `first`.
  Term floating(size_t i, size_t first) const {
    const Term* term = std::get_if<Term>(&operands_[i]);
    if (!term || !system_.sort(*term).is_float())
      fail_sort(i, "FloatingPoint");
    if (i != first && sort_of(system_, operands_[first]) != sort_of(system_, *term))
      fail(fmt::format("operands {} and {} are of different sorts, {} and {}", first + 1, i + 1,
                       text(sort_of(system_, operands_[first])), text(sort_of(system_, *term))),
           "convert one of them: ((_ to_fp 11 53) RNE x)");
    return *term;
  }

  Term word(size_t i) const {
    const Term* term = std::get_if<Term>(&operands_[i]);
    if (!term || !system_.sort(*term).is_word())
      fail_sort(i, "a bit-vector");
    return *term;
  }

  // Returns a word of the width of operand `first`.
  Term word(size_t i, size_t first) const {
    const Term term = word(i);
    if (width(term) != width(word(first)))
      fail(fmt::format("operands {} and {} have {} and {} bits", first + 1, i + 1, width(word(first)), width(term)));
    return term;
  }

  const Mode& mode(size_t i) const {
    const Mode* mode = std::get_if<Mode>(&operands_[i]);
    if (!mode)
      fail_sort(i, "RoundingMode");
    return *mode;
  }

  Real real(size_t i) const {
    if (const Literal* literal = std::get_if<Literal>(&operands_[i]))
      return *literal;
    if (const RealOf* number = std::get_if<RealOf>(&operands_[i]))
      return *number;
    fail_sort(i, "Real");
  }

  const Rational& literal(size_t i) const {
    real(i);
    const Literal* literal = std::get_if<Literal>(&operands_[i]);
    if (!literal)
      fail("of fp.to_real is not supported", "arithmetic of reals is for literals; compute with floats");
    return **literal;
  }

  BinaryFormat format() const { return {application_.indices[0], application_.indices[1]}; }
  int width(Term word) const { return system_.sort(word).width; }

  void check_width(int width) const {
    if (width < 1 || width > most_word_bits)
      fail(fmt::format("a bit-vector of {} bits", width), fmt::format("1 to {} bits are supported", most_word_bits));
  }

  Value negation() { return system_.negate(boolean(0)); }
  Value conjunction() { return system_.all(booleans()); }
  Value disjunction() { return system_.any(booleans()); }

  Value exclusion() {
    const std::vector<Term> terms = booleans();
    Term result = terms[0];
    for (size_t i = 1; i < terms.size(); ++i)
      result = system_.negate(system_.same(result, terms[i]));
    return result;
  }

  Value implication() {
    std::vector<Term> terms = booleans();
    for (size_t i = 0; i + 1 < terms.size(); ++i)
      terms[i] = system_.negate(terms[i]);
    return system_.any(std::move(terms));
  }

  Term equal(size_t i, size_t j) {
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

  Value equality() {
    std::vector<Term> links;
    for (size_t i = 0; i + 1 < operands_.size(); ++i)
      links.push_back(equal(i, i + 1));
    return system_.all(std::move(links));
  }

  Value distinctness() {
    const size_t count = operands_.size();
    if (count > 1'000)
      fail(fmt::format("of {} operands", count), "1000 at most: each pair is compared");
    std::vector<Term> pairs;
    for (size_t i = 0; i < count; ++i)
      for (size_t j = i + 1; j < count; ++j)
        pairs.push_back(system_.negate(equal(i, j)));
    return system_.all(std::move(pairs));
  }

  Value choice() {
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

  // The theory FloatingPoint.

  Value operation() {
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

  Value rounding() {
    const Term number = floating(1, 1);
    return by_mode(system_, mode(0),
                   [&](Rounding rounding) { return system_.operation(ops::integer_rounding(rounding), number); });
  }

  // Returns the number if one operand is NaN. For zeros of different sign the standard allows either result.
  Value selection() {
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
    Term number =
        system_.choose(maximum ? system_.compare(Op::cmp_olt, b, a) : system_.compare(Op::cmp_olt, a, b), a, b);
    if (system_.node(zeros).form != Form::constant || system_.node(zeros).value != 0)
      number = system_.choose(zeros, system_.choose(is(Class::negative, a), open(false), open(true)), number);
    return system_.choose(is(Class::nan, a), b, system_.choose(is(Class::nan, b), a, number));
  }

  Value comparison() {
    std::vector<Term> links;
    floating(0, 0);
    for (size_t i = 0; i + 1 < operands_.size(); ++i)
      links.push_back(system_.compare(function_.op, floating(i, 0), floating(i + 1, 0)));
    return system_.all(std::move(links));
  }

  Value assembly() {
    const Term sign = word(0), exponent = word(1), fraction = word(2);
    if (width(sign) != 1)
      fail(fmt::format("the sign is of sort (_ BitVec {}), not (_ BitVec 1)", width(sign)));
    check_format(lexer_, application_.at, width(exponent), width(fraction) + 1);
    return system_.float_of_pattern(system_.concatenate(sign, system_.concatenate(exponent, fraction)),
                                    {width(exponent), width(fraction) + 1});
  }

  Value conversion() {
    const bool from_unsigned = !function_.is_signed;
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
  Value to_word() {
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
    return by_mode(system_, mode(0), [&](Rounding rounding) {
      const Term integer = system_.operation(ops::integer_rounding(rounding), number);
      const Term inside =
          system_.both(system_.compare(Op::cmp_ole, least, integer), system_.compare(Op::cmp_ole, integer, most));
      if (system_.node(inside).form == Form::constant && system_.node(inside).value != 0)
        return system_.integer_of_float(integer, bits, is_signed);
      return system_.choose(inside, system_.integer_of_float(integer, bits, is_signed),
                            theories_.unspecified.word_of(number, rounding, bits, is_signed));
    });
  }

  Value classification() { return system_.classify(function_.tested, floating(0, 0)); }
  Value to_real() { return RealOf{floating(0, 0)}; }

  // Returns the word that encodes the float; for NaN, one of its encodings.
  Value to_pattern() {
    const Term number = floating(0, 0);
    const BinaryFormat format = system_.sort(number).format;
    check_width(format.width());
    const Term word = theories_.unspecified.variable(word_sort(format.width()));
    theories_.unspecified.require(system_.same(system_.float_of_pattern(word, format), number));
    return system_.choose(system_.classify(Class::nan, number), theories_.unspecified.pattern_of_nan(format), word);
  }

  // The theory Reals, as far as problems about floats need it: arithmetic of literals, and comparisons.

  Value minus() {
    if (operands_.size() == 1)
      return std::make_shared<const Rational>(-literal(0));
    return folded<std::minus<Rational>>();
  }

  template <class Join> Value folded() {
    Rational result = literal(0);
    for (size_t i = 1; i < operands_.size(); ++i) {
      if (bits_needed(result) + bits_needed(literal(i)) > most_rational_bits)
        fail("the numbers are too long", fmt::format("{} bits at most", most_rational_bits));
      result = Join()(result, literal(i));
    }
    return std::make_shared<const Rational>(std::move(result));
  }

  Value division() {
    for (size_t i = 1; i < operands_.size(); ++i)
      if (literal(i) == 0)
        fail("division by zero", "the standard leaves its value open");
    return folded<std::divides<Rational>>();
  }

  Value real_comparison() {
    std::vector<Term> links;
    for (size_t i = 0; i + 1 < operands_.size(); ++i) {
      const Real a = real(i), b = real(i + 1);
      const Term less = function_.swapped ? theories_.reals.less(b, a) : theories_.reals.less(a, b);
      links.push_back(function_.negated ? system_.negate(less) : less);
    }
    return system_.all(std::move(links));
  }

  // The theory FixedSizeBitVectors.

  Value word_operation() { return chained(); }
  Value word_inverse() { return system_.word(WordOp::complement, chained()); }
  Value word_negation() { return negated(word(0)); }
  Value word_equality() {
    return system_.choose(system_.same(word(0), word(1, 0)), system_.word_constant(1, 1), system_.word_constant(0, 1));
  }

  // A op b op c, left-associative.
  Term chained() {
    Term result = word(0);
    if (function_.word == WordOp::complement)
      return system_.word(WordOp::complement, result);
    for (size_t i = 1; i < operands_.size(); ++i)
      result = system_.word(function_.word, result, word(i, 0));
    return result;
  }

  Value word_comparison() {
    const Term a = word(0), b = word(1, 0);
    const Term less =
        function_.swapped ? system_.word_less(b, a, function_.is_signed) : system_.word_less(a, b, function_.is_signed);
    return function_.negated ? system_.negate(less) : less;
  }

  // Uses magnitudes, as the standard does: the quotient is negative if the signs differ; the result of bvsrem has the
  // dividend's sign, and that of bvsmod, unless zero, the divisor's.
  Value signed_division() {
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

  Value concatenation() {
    Term result = word(0);
    for (size_t i = 1; i < operands_.size(); ++i) {
      check_width(width(result) + width(word(i)));
      result = system_.concatenate(result, word(i));
    }
    return result;
  }

  Value extraction() {
    const Term whole = word(0);
    const auto [high, low] = application_.indices;
    if (high >= width(whole) || low > high)
      fail(fmt::format("there are no bits {} to {} of {}", high, low, width(whole)));
    return system_.extract(whole, low, high - low + 1);
  }

  Value extension() {
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

  Value rotation() {
    const Term a = word(0);
    const int all = width(a), count = application_.indices[0] % all;
    const int left = function_.is_signed ? (all - count) % all : count;
    if (left == 0)
      return a;
    return system_.concatenate(system_.extract(a, 0, all - left), system_.extract(a, all - left, left));
  }

  Value repetition() {
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

  Term negated(Term word) { return system_.word(WordOp::difference, system_.word_constant(0, width(word)), word); }

  Term is_negative(Term word) { return system_.word_less(word, system_.word_constant(0, width(word)), true); }

  Theories& theories_;
  System& system_;
  const Lexer& lexer_;
  const Application& application_;
  const Operator& function_;
  std::span<const Value> operands_;
};

constexpr size_t any = Operator::any_number;

using A = Applier;

const Operator Applier::operators[] = {
    {"not", &A::negation, 1, 1},
    {"and", &A::conjunction, 1, any},
    {"or", &A::disjunction, 1, any},
    {"xor", &A::exclusion, 2, any},
    {"=>", &A::implication, 2, any},
    {"=", &A::equality, 2, any},
    {"distinct", &A::distinctness, 2, any},
    {"ite", &A::choice, 3, 3},

    {"fp.abs", &A::operation, 1, 1, Op::fabs},
    {"fp.neg", &A::operation, 1, 1, Op::fneg},
    {"fp.add", &A::operation, 3, 3, Op::fadd},
    {"fp.sub", &A::operation, 3, 3, Op::fsub},
    {"fp.mul", &A::operation, 3, 3, Op::fmul},
    {"fp.div", &A::operation, 3, 3, Op::fdiv},
    {"fp.fma", &A::operation, 4, 4, Op::fma},
    {"fp.sqrt", &A::operation, 2, 2, Op::sqrt},
    {"fp.rem", &A::operation, 2, 2, Op::remainder},
    {"fp.min", &A::selection, 2, 2, Op::fmin},
    {"fp.max", &A::selection, 2, 2, Op::fmax},
    {"fp.roundToIntegral", &A::rounding, 2, 2},

    {"fp.leq", &A::comparison, 2, any, Op::cmp_ole},
    {"fp.lt", &A::comparison, 2, any, Op::cmp_olt},
    {"fp.geq", &A::comparison, 2, any, Op::cmp_oge},
    {"fp.gt", &A::comparison, 2, any, Op::cmp_ogt},
    {"fp.eq", &A::comparison, 2, any, Op::cmp_oeq},

    {"fp.isNormal", &A::classification, 1, 1, Op::none, Class::normal},
    {"fp.isSubnormal", &A::classification, 1, 1, Op::none, Class::subnormal},
    {"fp.isZero", &A::classification, 1, 1, Op::none, Class::zero},
    {"fp.isInfinite", &A::classification, 1, 1, Op::none, Class::infinite},
    {"fp.isNaN", &A::classification, 1, 1, Op::none, Class::nan},
    {"fp.isNegative", &A::classification, 1, 1, Op::none, Class::negative},
    {"fp.isPositive", &A::classification, 1, 1, Op::none, Class::positive},

    {"fp", &A::assembly, 3, 3},
    {"to_fp", &A::conversion, 1, 2, Op::none, {}, 2, WordOp::none, true},
    {"to_fp_unsigned", &A::conversion, 2, 2, Op::none, {}, 2},
    {"fp.to_ubv", &A::to_word, 2, 2, Op::none, {}, 1},
    {"fp.to_sbv", &A::to_word, 2, 2, Op::none, {}, 1, WordOp::none, true},
    {"fp.to_ieee_bv", &A::to_pattern, 1, 1}, // an extension of Z3
    {"fp.to_real", &A::to_real, 1, 1},

    {"-", &A::minus, 1, any},
    {"+", &A::folded<std::plus<Rational>>, 2, any},
    {"*", &A::folded<std::multiplies<Rational>>, 2, any},
    {"/", &A::division, 2, any},
    {"<", &A::real_comparison, 2, any},
    {">", &A::real_comparison, 2, any, Op::none, {}, 0, WordOp::none, false, true},
    {"<=", &A::real_comparison, 2, any, Op::none, {}, 0, WordOp::none, false, true, true},
    {">=", &A::real_comparison, 2, any, Op::none, {}, 0, WordOp::none, false, false, true},

    {"bvnot", &A::word_operation, 1, 1, Op::none, {}, 0, WordOp::complement},
    {"bvand", &A::word_operation, 2, any, Op::none, {}, 0, WordOp::conjunction},
    {"bvor", &A::word_operation, 2, any, Op::none, {}, 0, WordOp::disjunction},
    {"bvxor", &A::word_operation, 2, any, Op::none, {}, 0, WordOp::exclusion},
    {"bvadd", &A::word_operation, 2, any, Op::none, {}, 0, WordOp::sum},
    {"bvsub", &A::word_operation, 2, any, Op::none, {}, 0, WordOp::difference},
    {"bvmul", &A::word_operation, 2, any, Op::none, {}, 0, WordOp::product},
    {"bvudiv", &A::word_operation, 2, 2, Op::none, {}, 0, WordOp::quotient},
    {"bvurem", &A::word_operation, 2, 2, Op::none, {}, 0, WordOp::rest},
    {"bvshl", &A::word_operation, 2, 2, Op::none, {}, 0, WordOp::shift_left},
    {"bvlshr", &A::word_operation, 2, 2, Op::none, {}, 0, WordOp::shift_right},
    {"bvashr", &A::word_operation, 2, 2, Op::none, {}, 0, WordOp::shift_right_signed},
    {"bvnand", &A::word_inverse, 2, 2, Op::none, {}, 0, WordOp::conjunction},
    {"bvnor", &A::word_inverse, 2, 2, Op::none, {}, 0, WordOp::disjunction},
    {"bvxnor", &A::word_inverse, 2, 2, Op::none, {}, 0, WordOp::exclusion},
    {"bvneg", &A::word_negation, 1, 1},
    {"bvult", &A::word_comparison, 2, 2},
    {"bvugt", &A::word_comparison, 2, 2, Op::none, {}, 0, WordOp::none, false, true},
    {"bvule", &A::word_comparison, 2, 2, Op::none, {}, 0, WordOp::none, false, true, true},
    {"bvuge", &A::word_comparison, 2, 2, Op::none, {}, 0, WordOp::none, false, false, true},
    {"bvslt", &A::word_comparison, 2, 2, Op::none, {}, 0, WordOp::none, true},
    {"bvsgt", &A::word_comparison, 2, 2, Op::none, {}, 0, WordOp::none, true, true},
    {"bvsle", &A::word_comparison, 2, 2, Op::none, {}, 0, WordOp::none, true, true, true},
    {"bvsge", &A::word_comparison, 2, 2, Op::none, {}, 0, WordOp::none, true, false, true},
    {"bvcomp", &A::word_equality, 2, 2},
    {"bvsdiv", &A::signed_division, 2, 2, Op::none, {}, 0, WordOp::quotient},
    {"bvsrem", &A::signed_division, 2, 2, Op::none, {}, 0, WordOp::rest},
    {"bvsmod", &A::signed_division, 2, 2, Op::none, {}, 0, WordOp::rest, true}, // has the divisor's sign
    {"concat", &A::concatenation, 2, any},
    {"extract", &A::extraction, 1, 1, Op::none, {}, 2},
    {"zero_extend", &A::extension, 1, 1, Op::none, {}, 1},
    {"sign_extend", &A::extension, 1, 1, Op::none, {}, 1, WordOp::none, true},
    {"rotate_left", &A::rotation, 1, 1, Op::none, {}, 1},
    {"rotate_right", &A::rotation, 1, 1, Op::none, {}, 1, WordOp::none, true},
    {"repeat", &A::repetition, 1, 1, Op::none, {}, 1},

    {"to_real"},
    {"to_int"},
    {"select"},
    {"store"},
};

const Operator* find_operator(std::string_view name) {
  static const std::unordered_map<std::string_view, const Operator*> by_name = [] {
    std::unordered_map<std::string_view, const Operator*> all;
    for (const Operator& function : Applier::operators)
      all.emplace(function.name, &function);
    return all;
  }();
  const auto found = by_name.find(name);
  return found == by_name.end() ? nullptr : found->second;
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

using Kind = Token::Kind;

namespace {

struct Special {
  std::string_view name;
  Bits (*bits)(BinaryFormat);
};
constexpr Special specials[] = {
    {"+oo", [](BinaryFormat format) { return format.infinity(); }},
    {"-oo", [](BinaryFormat format) { return format.sign() | format.infinity(); }},
    {"+zero", [](BinaryFormat) { return Bits{0}; }},
    {"-zero", [](BinaryFormat format) { return format.sign(); }},
    {"NaN", [](BinaryFormat format) { return format.nan(); }},
};

Value numbered(System& system, Lexer& lexer, const Token& name, size_t at) {
  const std::string_view digits = name.text.substr(2);
  const int width = lexer.expect_number("a number of bits");
  const std::optional<BitVector> vector = numbered_literal(digits, width);
  if (!vector || width == 0)
    lexer.fail(at, fmt::format("a malformed bit-vector literal: {} in {} bits", shown(digits), width),
               fmt::format("1 to {} bits, and a number that fits", BitVector::most_width));
  return system.word_constant(vector->bits, vector->width);
}

Value special_float(System& system, Lexer& lexer, const Token& name, size_t at) {
  const auto special = std::ranges::find(specials, name.text, &Special::name);
  if (special == std::end(specials))
    lexer.fail(at, fmt::format("unknown constant (_ {} ...)", shown(name)),
               "(_ +oo e s), (_ -oo e s), (_ +zero e s), (_ -zero e s), (_ NaN e s) and (_ bvN width) are known");
  const BinaryFormat format = read_format(lexer, at);
  return system.constant(special->bits(format), format);
}

} // namespace

bool is_named_constant(std::string_view name) {
  return name == "true" || name == "false" || find_mode(name).has_value();
}

std::optional<Value> named_constant(System& system, std::string_view name) {
  if (name == "true" || name == "false")
    return system.truth(name == "true");
  const std::optional<Rounding> mode = find_mode(name);
  return mode ? std::optional<Value>(mode_constant(system, *mode)) : std::nullopt;
}

Value indexed_constant(System& system, Lexer& lexer, size_t at) {
  const Token name = lexer.expect_name("the name of a constant");
  const bool is_numbered = name.text.starts_with("bv") && name.text.size() > 2 &&
                           name.text.find_first_not_of("0123456789", 2) == std::string_view::npos;
  const Value value = is_numbered ? numbered(system, lexer, name, at) : special_float(system, lexer, name, at);
  lexer.expect_close("a constant");
  return value;
}

std::optional<Value> literal(System& system, const Lexer& lexer, const Token& token) {
  if (token.kind == Kind::numeral || token.kind == Kind::decimal) {
    if (token.text.size() > most_digits)
      lexer.fail(token.at, "a number that is too long", fmt::format("{} digits at most", most_digits));
    return std::make_shared<const Rational>(rational(token.text));
  }
  if (token.kind != Kind::binary && token.kind != Kind::hexadecimal)
    return {};
  const std::optional<BitVector> vector =
      token.kind == Kind::binary ? binary_literal(token.text) : hexadecimal_literal(token.text);
  if (!vector)
    lexer.fail(token.at, "a bit-vector literal that is too wide",
               fmt::format("{} bits at most", BitVector::most_width));
  return system.word_constant(vector->bits, vector->width);
}

} // namespace faultline::constraint
