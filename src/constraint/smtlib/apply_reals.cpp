// Applications of the theory Reals, as far as problems about floats need it: arithmetic of literals, comparisons.
#include "constraint/smtlib/applying.h"

#include <fmt/format.h>
#include <functional>

namespace faultline::constraint {

using Does = Operator::Does;

Real Applying::real(size_t i) const {
  if (const Literal* literal = std::get_if<Literal>(&operands_[i]))
    return *literal;
  if (const RealOf* number = std::get_if<RealOf>(&operands_[i]))
    return *number;
  fail_sort(i, "Real");
}

const Rational& Applying::literal(size_t i) const {
  real(i);
  const Literal* literal = std::get_if<Literal>(&operands_[i]);
  if (!literal)
    fail("of fp.to_real is not supported", "arithmetic of reals is for literals; compute with floats");
  return **literal;
}

Value Applying::folded(const std::function<Rational(const Rational&, const Rational&)>& join) {
  Rational result = literal(0);
  for (size_t i = 1; i < operands_.size(); ++i) {
    if (bits_needed(result) + bits_needed(literal(i)) > most_rational_bits)
      fail("the numbers are too long", fmt::format("{} bits at most", most_rational_bits));
    result = join(result, literal(i));
  }
  return std::make_shared<const Rational>(std::move(result));
}

Value Applying::minus() {
  if (operands_.size() == 1)
    return std::make_shared<const Rational>(-literal(0));
  return folded(std::minus<Rational>());
}

Value Applying::division() {
  for (size_t i = 1; i < operands_.size(); ++i)
    if (literal(i) == 0)
      fail("division by zero", "the standard leaves its value open");
  return folded(std::divides<Rational>());
}

Term Applying::real_comparison() {
  std::vector<Term> links;
  for (size_t i = 0; i + 1 < operands_.size(); ++i) {
    const Real a = real(i), b = real(i + 1);
    const Term less = function_.swapped ? theories_.reals.less(b, a) : theories_.reals.less(a, b);
    links.push_back(function_.negated ? system_.negate(less) : less);
  }
  return system_.all(std::move(links));
}

Value Applying::reals() {
  switch (function_.does) {
  case Does::minus:
    return minus();
  case Does::addition:
    return folded(std::plus<Rational>());
  case Does::multiplication:
    return folded(std::multiplies<Rational>());
  case Does::division:
    return division();
  default:
    return real_comparison();
  }
}

} // namespace faultline::constraint
