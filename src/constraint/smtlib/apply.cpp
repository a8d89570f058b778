#include "constraint/smtlib/apply.h"

#include <fmt/format.h>

namespace faultline::constraint {

using ops::Op;
using Does = Operator::Does;

namespace {

// One application: the operands, and the messages about them.
class Applying {
public:
  Applying(System& system, const Lexer& lexer, const Application& application, std::span<const Value> operands)
      : system_(system), lexer_(lexer), application_(application), function_(*application.function),
        operands_(operands) {}

  Value result();

private:
  [[noreturn]] void fail(const std::string& what, const std::string& hint = "check the operands") const {
    lexer_.fail(application_.at, fmt::format("{}: {}", function_.name, what), hint);
  }
  void check_count() const;

  // An operand of the sort that is wanted.
  template <class Wanted>
  Wanted operand(size_t i, const char* sort) const;
  Term boolean(size_t i) const;
  std::vector<Term> booleans() const;
  Term floating(size_t i, size_t first) const; // of the format of operand `first`
  void check_nearest() const;                  // operand 0 is RNE
  BinaryFormat format() const { return {application_.indices[0], application_.indices[1]}; }
  Term constant(const Rational& value) { return system_.constant(nearest_bits(value, format()), format()); }

  Term exclusion();
  Term implication();
  Term equal(size_t i, size_t j);
  Term equality();
  Term distinctness();
  Value choice();
  Term operation();
  Term rounding();
  Term comparison();
  Term assembly();
  Term conversion();
  Value division();
  Value concatenation();
  Value extraction();

  System& system_;
  const Lexer& lexer_;
  const Application& application_;
  const Operator& function_;
  std::span<const Value> operands_;
};

void Applying::check_count() const {
  if (operands_.size() >= function_.least && operands_.size() <= function_.most)
    return;
  const std::string expected = function_.least == function_.most ? fmt::format("{}", function_.least)
                               : function_.most == Operator::any_number
                                   ? fmt::format("{} or more", function_.least)
                                   : fmt::format("{} or {}", function_.least, function_.most);
  fail(fmt::format("takes {} operands, not {}", expected, operands_.size()),
       "count the operands, the rounding mode too");
}

template <class Wanted>
Wanted Applying::operand(size_t i, const char* sort) const {
  if (const Wanted* value = std::get_if<Wanted>(&operands_[i]))
    return *value;
  fail(fmt::format("operand {} is of sort {}, not {}", i + 1, text(sort_of(system_, operands_[i])), sort));
}

Term Applying::boolean(size_t i) const {
  const Term term = operand<Term>(i, "Bool");
  if (!system_.sort(term).boolean)
    fail(fmt::format("operand {} is of sort {}, not Bool", i + 1, text(sort_of(system_, term))));
  return term;
}

std::vector<Term> Applying::booleans() const {
  std::vector<Term> terms;
  terms.reserve(operands_.size());
  for (size_t i = 0; i < operands_.size(); ++i)
    terms.push_back(boolean(i));
  return terms;
}

Term Applying::floating(size_t i, size_t first) const {
  const Term term = operand<Term>(i, "FloatingPoint");
  if (system_.sort(term).boolean)
    fail(fmt::format("operand {} is of sort Bool, not FloatingPoint", i + 1));
  if (i != first && sort_of(system_, operands_[first]) != sort_of(system_, term))
    fail(fmt::format("operands {} and {} are of different sorts, {} and {}", first + 1, i + 1,
                     text(sort_of(system_, operands_[first])), text(sort_of(system_, term))),
         "convert one of them: ((_ to_fp 11 53) RNE x)");
  return term;
}

void Applying::check_nearest() const {
  if (operand<Rounding>(0, "RoundingMode") != Rounding::nearest_even)
    fail("only the rounding mode RNE is supported", "RNE, or roundNearestTiesToEven");
}

Term Applying::exclusion() {
  const std::vector<Term> terms = booleans();
  Term result = terms[0];
  for (size_t i = 1; i < terms.size(); ++i)
    result = system_.negate(system_.same(result, terms[i]));
  return result;
}

Term Applying::implication() {
  std::vector<Term> terms = booleans();
  for (size_t i = 0; i + 1 < terms.size(); ++i)
    terms[i] = system_.negate(terms[i]);
  return system_.any(std::move(terms));
}

Term Applying::equal(size_t i, size_t j) {
  const Value &a = operands_[i], &b = operands_[j];
  const ScriptSort one = sort_of(system_, a), other = sort_of(system_, b);
  if (one != other)
    fail(fmt::format("operands {} and {} are of different sorts, {} and {}", i + 1, j + 1, text(one), text(other)));
  if (std::holds_alternative<Real>(a))
    fail("of reals is not supported", "compare floats");
  if (std::holds_alternative<Term>(a))
    return system_.same(std::get<Term>(a), std::get<Term>(b));
  return system_.truth(a == b);
}

Term Applying::equality() {
  std::vector<Term> links;
  for (size_t i = 0; i + 1 < operands_.size(); ++i)
    links.push_back(equal(i, i + 1));
  return system_.all(std::move(links));
}

Term Applying::distinctness() {
  const size_t count = operands_.size();
  if (count > 1'000)
    fail(fmt::format("of {} operands", count), "1000 at most: each pair is compared");
  std::vector<Term> pairs;
  for (size_t i = 0; i < count; ++i)
    for (size_t j = i + 1; j < count; ++j)
      pairs.push_back(system_.negate(equal(i, j)));
  return system_.all(std::move(pairs));
}

Value Applying::choice() {
  const Term condition = boolean(0);
  const Value &then = operands_[1], &otherwise = operands_[2];
  const ScriptSort one = sort_of(system_, then), other = sort_of(system_, otherwise);
  if (one != other)
    fail(fmt::format("the branches are of different sorts, {} and {}", text(one), text(other)));
  if (one.kind == ScriptSort::Kind::term)
    return system_.choose(condition, std::get<Term>(then), std::get<Term>(otherwise));
  if (then == otherwise)
    return then;
  fail(fmt::format("of sort {} is not supported", text(one)), "choose between floats");
}

Term Applying::operation() {
  const size_t first = function_.most - size_t(ops::arity(function_.op)); // behind the rounding mode, if there is one
  if (first != 0)
    check_nearest();
  Term terms[3] = {0, 0, 0};
  for (size_t i = first; i < operands_.size(); ++i)
    terms[i - first] = floating(i, first);
  return system_.operation(function_.op, terms[0], terms[1], terms[2]);
}

Term Applying::rounding() {
  constexpr Op op_of[] = {Op::roundeven, Op::round, Op::ceil, Op::floor, Op::trunc};
  return system_.operation(op_of[size_t(operand<Rounding>(0, "RoundingMode"))], floating(1, 1));
}

Term Applying::comparison() {
  std::vector<Term> links;
  floating(0, 0);
  for (size_t i = 0; i + 1 < operands_.size(); ++i)
    links.push_back(system_.compare(function_.op, floating(i, 0), floating(i + 1, 0)));
  return system_.all(std::move(links));
}

Term Applying::assembly() {
  const BitVector sign = operand<BitVector>(0, "(_ BitVec 1)");
  const BitVector exponent = operand<BitVector>(1, "a bit-vector literal");
  const BitVector fraction = operand<BitVector>(2, "a bit-vector literal");
  if (sign.width != 1)
    fail(fmt::format("the sign is of sort (_ BitVec {}), not (_ BitVec 1)", sign.width));
  check_format(lexer_, application_.at, exponent.width, fraction.width + 1);
  const BinaryFormat format{exponent.width, fraction.width + 1};
  return system_.constant((sign.bits << exponent.width | exponent.bits) << fraction.width | fraction.bits, format);
}

Term Applying::conversion() {
  if (operands_.size() == 1) {
    const BitVector pattern = operand<BitVector>(0, "a bit-vector literal");
    if (pattern.width != format().width())
      fail(fmt::format("the operand has {} bits, not {}", pattern.width, format().width()));
    return system_.constant(pattern.bits, format());
  }
  check_nearest();
  if (const Real* real = std::get_if<Real>(&operands_[1]))
    return constant(**real);
  if (const BitVector* vector = std::get_if<BitVector>(&operands_[1]))
    return constant(integer_of(*vector, true));
  return system_.convert(floating(1, 1), format());
}

Value Applying::division() {
  const Real above = operand<Real>(0, "Real"), below = operand<Real>(1, "Real");
  if (sgn(below->numerator) == 0)
    fail("division by zero", "the standard leaves its value open");
  if (bits_needed(*above) + bits_needed(*below) > most_rational_bits)
    fail("the numbers are too long", fmt::format("{} bits at most", most_rational_bits));
  return std::make_shared<const Rational>(divided(*above, *below));
}

Value Applying::concatenation() {
  const BitVector high = operand<BitVector>(0, "a bit-vector literal");
  const BitVector low = operand<BitVector>(1, "a bit-vector literal");
  if (high.width + low.width > BitVector::most_width)
    fail(fmt::format("more than {} bits", BitVector::most_width));
  return BitVector{high.width + low.width, high.bits << low.width | low.bits};
}

Value Applying::extraction() {
  const BitVector whole = operand<BitVector>(0, "a bit-vector literal");
  const auto [high, low] = application_.indices;
  if (high >= whole.width || low > high)
    fail(fmt::format("there are no bits {} to {} of {}", high, low, whole.width));
  const int width = high - low + 1;
  const Bits mask = width == BitVector::most_width ? ~Bits{0} : (Bits{1} << width) - 1;
  return BitVector{width, whole.bits >> low & mask};
}

Value Applying::result() {
  check_count();
  switch (function_.does) {
  case Does::negation:
    return system_.negate(boolean(0));
  case Does::conjunction:
    return system_.all(booleans());
  case Does::disjunction:
    return system_.any(booleans());
  case Does::exclusion:
    return exclusion();
  case Does::implication:
    return implication();
  case Does::equality:
    return equality();
  case Does::distinctness:
    return distinctness();
  case Does::choice:
    return choice();
  case Does::operation:
    return operation();
  case Does::rounding:
    return rounding();
  case Does::comparison:
    return comparison();
  case Does::classification:
    return system_.classify(function_.tested, floating(0, 0));
  case Does::assembly:
    return assembly();
  case Does::conversion:
    return conversion();
  case Does::unsigned_conversion:
    check_nearest();
    return constant(integer_of(operand<BitVector>(1, "a bit-vector literal"), false));
  case Does::minus:
    return std::make_shared<const Rational>(negated(*operand<Real>(0, "Real")));
  case Does::division:
    return division();
  case Does::concatenation:
    return concatenation();
  case Does::extraction:
    return extraction();
  case Does::nothing:
    break;
  }
  fail("is not supported");
}

} // namespace

Value apply(System& system, const Lexer& lexer, const Application& application, std::span<const Value> operands) {
  const Value result = Applying(system, lexer, application, operands).result();
  if (system.size() > most_terms)
    lexer.fail(application.at, fmt::format("more than {} terms", most_terms), "a smaller problem");
  return result;
}

} // namespace faultline::constraint
