// Applications of the theory FixedSizeBitVectors.
#include "constraint/smtlib/applying.h"

#include <fmt/format.h>

namespace faultline::constraint {

using Does = Operator::Does;

Term Applying::word(size_t i) const {
  const Term* term = std::get_if<Term>(&operands_[i]);
  if (!term || !system_.sort(*term).is_word())
    fail_sort(i, "a bit-vector");
  return *term;
}

Term Applying::word(size_t i, size_t first) const {
  const Term term = word(i);
  if (width(term) != width(word(first)))
    fail(fmt::format("operands {} and {} have {} and {} bits", first + 1, i + 1, width(word(first)), width(term)));
  return term;
}

void Applying::check_width(int width) const {
  if (width < 1 || width > most_word_bits)
    fail(fmt::format("a bit-vector of {} bits", width), fmt::format("1 to {} bits are supported", most_word_bits));
}

Term Applying::negated(Term word) {
  return system_.word(WordOp::difference, system_.word_constant(0, width(word)), word);
}

Term Applying::is_negative(Term word) { return system_.word_less(word, system_.word_constant(0, width(word)), true); }

Term Applying::chained() {
  Term result = word(0);
  if (function_.word == WordOp::complement)
    return system_.word(WordOp::complement, result);
  for (size_t i = 1; i < operands_.size(); ++i)
    result = system_.word(function_.word, result, word(i, 0));
  return result;
}

Term Applying::word_comparison() {
  const Term a = word(0), b = word(1, 0);
  const Term less =
      function_.swapped ? system_.word_less(b, a, function_.is_signed) : system_.word_less(a, b, function_.is_signed);
  return function_.negated ? system_.negate(less) : less;
}

// By way of magnitudes, as the standard defines them: the quotient is negative if the signs differ, the rest of bvsrem
// has the dividend's sign, and that of bvsmod, unless it is zero, the divisor's.
Term Applying::signed_division() {
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

Term Applying::concatenation() {
  Term result = word(0);
  for (size_t i = 1; i < operands_.size(); ++i) {
    check_width(width(result) + width(word(i)));
    result = system_.concatenate(result, word(i));
  }
  return result;
}

Term Applying::extraction() {
  const Term whole = word(0);
  const auto [high, low] = application_.indices;
  if (high >= width(whole) || low > high)
    fail(fmt::format("there are no bits {} to {} of {}", high, low, width(whole)));
  return system_.extract(whole, low, high - low + 1);
}

Term Applying::extension() {
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

Term Applying::rotation() {
  const Term a = word(0);
  const int all = width(a), count = application_.indices[0] % all;
  const int left = function_.is_signed ? (all - count) % all : count;
  if (left == 0)
    return a;
  return system_.concatenate(system_.extract(a, 0, all - left), system_.extract(a, all - left, left));
}

Term Applying::repetition() {
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

Value Applying::words() {
  switch (function_.does) {
  case Does::word:
    return chained();
  case Does::word_inverse:
    return system_.word(WordOp::complement, chained());
  case Does::word_negation:
    return negated(word(0));
  case Does::word_comparison:
    return word_comparison();
  case Does::word_equality:
    return system_.choose(system_.same(word(0), word(1, 0)), system_.word_constant(1, 1), system_.word_constant(0, 1));
  case Does::signed_division:
    return signed_division();
  case Does::concatenation:
    return concatenation();
  case Does::extraction:
    return extraction();
  case Does::extension:
    return extension();
  case Does::rotation:
    return rotation();
  default:
    return repetition();
  }
}

} // namespace faultline::constraint
