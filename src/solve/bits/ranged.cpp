#include "solve/bits/ranged.h"

#include <algorithm>

namespace faultline::solve {
namespace {

int width_of(int low, int high) { return bit_count(Uint128(high - low)); }

// Both over the same low end.
std::pair<Word, Word> aligned(Gates& gates, const Ranged& a, const Ranged& b) {
  const int low = std::min(a.low, b.low), high = std::max(a.high, b.high);
  return {within(gates, a, low, high).word, within(gates, b, low, high).word};
}

} // namespace

Ranged ranged(int value) { return {value, value, {}}; }

Ranged sum(Gates& gates, const Ranged& a, const Ranged& b) {
  const int low = a.low + b.low, high = a.high + b.high;
  return {low, high, slice(add(gates, a.word, b.word), 0, width_of(low, high))};
}

// b counted from its high end, downwards, is the number to add.
Ranged difference(Gates& gates, const Ranged& a, const Ranged& b) {
  const int span = b.high - b.low;
  const Word down = subtract(gates, word_of(Uint128(span), width_of(0, span)), b.word, width_of(0, span));
  return sum(gates, a, {-b.high, -b.low, down});
}

Ranged shifted(const Ranged& a, int constant) { return {a.low + constant, a.high + constant, a.word}; }

Ranged plus(Gates& gates, const Ranged& a, Gate carry) {
  if (carry.is_false())
    return a;
  return {a.low, a.high + 1, slice(increment(gates, a.word, carry), 0, width_of(a.low, a.high + 1))};
}

Ranged halved(Gates& gates, const Ranged& a, Gate& odd) {
  const bool low_odd = a.low & 1;
  const Ranged even = low_odd ? within(gates, a, a.low - 1, a.high) : a;
  odd = even.word.empty() ? Gate(false) : even.word[0];
  const int low = even.low >> 1, high = even.high >> 1;
  return {low, high, slice(even.word, 1, width_of(low, high))};
}

Ranged within(Gates& gates, const Ranged& a, int low, int high) {
  const int width = width_of(low, high);
  if (low == a.low)
    return {low, high, slice(a.word, 0, width)};
  if (low < a.low)
    return {low, high, slice(add(gates, a.word, word_of(Uint128(a.low - low), width)), 0, width)};
  return {low, high, subtract(gates, a.word, word_of(Uint128(low - a.low), width), width)};
}

Ranged at_least(Gates& gates, const Ranged& a, int bound) {
  if (a.low >= bound)
    return a;
  if (a.high <= bound)
    return ranged(bound);
  const Ranged rest = within(gates, a, bound, a.high);
  return {bound, a.high, masked(gates, rest.word, !less(gates, a, bound))};
}

Ranged at_most(Gates& gates, const Ranged& a, int bound) {
  if (a.high <= bound)
    return a;
  if (a.low >= bound)
    return ranged(bound);
  const Ranged rest = within(gates, a, a.low, bound);
  const Word top = word_of(Uint128(bound - a.low), int(rest.word.size()));
  return {a.low, bound, choose(gates, less(gates, a, bound), rest.word, top)};
}

Ranged choose(Gates& gates, Gate condition, const Ranged& then, const Ranged& otherwise) {
  if (condition.constant())
    return condition.is_true() ? then : otherwise;
  const auto [a, b] = aligned(gates, then, otherwise);
  return {std::min(then.low, otherwise.low), std::max(then.high, otherwise.high), choose(gates, condition, a, b)};
}

Gate less(Gates& gates, const Ranged& a, int bound) {
  if (a.high < bound)
    return true;
  if (a.low >= bound)
    return false;
  return less(gates, a.word, word_of(Uint128(bound - a.low), int(a.word.size())));
}

Gate less(Gates& gates, const Ranged& a, const Ranged& b) {
  const auto [x, y] = aligned(gates, a, b);
  return less(gates, x, y);
}

Gate equal(Gates& gates, const Ranged& a, const Ranged& b) {
  const auto [x, y] = aligned(gates, a, b);
  return equal(gates, x, y);
}

} // namespace faultline::solve
