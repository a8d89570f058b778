#include "constraint/smtlib/apply.h"

#include "constraint/smtlib/applying.h"

#include <fmt/format.h>

namespace faultline::constraint {

using Does = Operator::Does;

void Applying::fail(const std::string& what, const std::string& hint) const {
  lexer_.fail(application_.at, fmt::format("{}: {}", function_.name, what), hint);
}

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

void Applying::fail_sort(size_t i, const char* wanted) const {
  fail(fmt::format("operand {} is of sort {}, not {}", i + 1, text(sort_of(system_, operands_[i])), wanted));
}

Term Applying::boolean(size_t i) const {
  const Term* term = std::get_if<Term>(&operands_[i]);
  if (!term || !system_.sort(*term).boolean)
    fail_sort(i, "Bool");
  return *term;
}

std::vector<Term> Applying::booleans() const {
  std::vector<Term> terms;
  terms.reserve(operands_.size());
  for (size_t i = 0; i < operands_.size(); ++i)
    terms.push_back(boolean(i));
  return terms;
}

const Mode& Applying::mode(size_t i) const {
  const Mode* mode = std::get_if<Mode>(&operands_[i]);
  if (!mode)
    fail_sort(i, "RoundingMode");
  return *mode;
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
  if (one.kind == ScriptSort::Kind::real)
    return theories_.reals.equal(real(i), real(j));
  if (one.kind == ScriptSort::Kind::rounding)
    return same(system_, mode(i), mode(j));
  return system_.same(std::get<Term>(a), std::get<Term>(b));
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
  if (one.kind == ScriptSort::Kind::rounding)
    return choose(system_, condition, mode(1), mode(2));
  const RealOf *a = std::get_if<RealOf>(&then), *b = std::get_if<RealOf>(&otherwise);
  if (a && b && system_.sort(a->number) == system_.sort(b->number))
    return RealOf{system_.choose(condition, a->number, b->number)};
  if (then == otherwise)
    return then;
  fail(fmt::format("of sort {} is not supported", text(one)), "choose between floats");
}

Value Applying::core() {
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
  default:
    return choice();
  }
}

Value Applying::result() {
  check_count();
  if (function_.does == Does::nothing)
    fail("is not supported");
  if (function_.does <= Does::choice)
    return core();
  if (function_.does <= Does::to_real)
    return floats();
  return function_.does <= Does::real_comparison ? reals() : words();
}

Value apply(Theories& theories, const Lexer& lexer, const Application& application, std::span<const Value> operands) {
  const Value result = Applying(theories, lexer, application, operands).result();
  if (theories.system.size() > most_terms)
    lexer.fail(application.at, fmt::format("more than {} terms", most_terms), "a smaller problem");
  if (theories.unspecified.pairs() > Unspecified::most_pairs)
    lexer.fail(application.at, "too many conversions of floats to bit-vectors", "a smaller problem");
  if (theories.reals.confused())
    lexer.fail(application.at, "two numbers that differ by too little", "fewer digits");
  return result;
}

} // namespace faultline::constraint
