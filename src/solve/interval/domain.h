// The possible values of a term: an interval of numbers, and whether it may be NaN.
//
// Numbers are those of numeric/format.h, so -0 (-1), +0 (0), the infinities and every subnormal are separate values,
// and an interval has exact ends. A Boolean is an interval within 0 and 1. Two separate intervals are represented by
// the smallest interval that contains both; splitting separates them.
#pragma once

#include "solve/solver.h"

#include <algorithm>

namespace faultline::solve {

using numeric::Int128;

struct Range {
  Int128 low = 0, high = -1; // none if low > high

  bool empty() const { return low > high; }
  bool single() const { return low == high; }
  bool has(Int128 order) const { return low <= order && order <= high; }
  bool operator==(const Range&) const = default;
};

inline Range meet(const Range& a, const Range& b) { return {std::max(a.low, b.low), std::min(a.high, b.high)}; }
inline Range join(const Range& a, const Range& b) {
  return a.empty() ? b : b.empty() ? a : Range{std::min(a.low, b.low), std::max(a.high, b.high)};
}

struct Domain {
  Range numbers;
  bool nan = false;

  bool empty() const { return numbers.empty() && !nan; }
  bool single() const { return nan ? numbers.empty() : numbers.single(); }
  bool operator==(const Domain&) const = default;
};

inline constexpr Domain true_domain{{1, 1}, false}, false_domain{{0, 0}, false}, either_domain{{0, 1}, false};
inline bool is_true(const Domain& domain) { return domain.numbers.low == 1; }
inline bool is_false(const Domain& domain) { return domain.numbers.high == 0; }

// Words are numbers up to this width; nothing is known of wider ones.
inline constexpr int most_known_bits = 120;

// Returns all values of the sort.
inline Domain whole(const Sort& sort) {
  if (sort.is_word())
    return {{0, (Int128(1) << std::min(sort.width, most_known_bits + 1)) - 1}, false};
  return sort.boolean ? either_domain : Domain{{sort.format.lowest(), sort.format.highest()}, true};
}

inline Domain only(const Sort& sort, Bits bits) {
  if (sort.boolean)
    return bits ? true_domain : false_domain;
  if (sort.is_word())
    return sort.width > most_known_bits ? whole(sort) : Domain{{Int128(bits), Int128(bits)}, false};
  if (sort.format.is_nan(bits))
    return {{}, true};
  const Int128 order = sort.format.order(bits);
  return {{order, order}, false};
}

// Returns the value of a domain with one value.
inline Bits value_of(const Sort& sort, const Domain& domain) {
  if (sort.boolean || sort.is_word())
    return Bits(domain.numbers.low);
  return domain.nan && domain.numbers.empty() ? sort.format.nan() : sort.format.at(domain.numbers.low);
}

inline Domain meet(const Domain& a, const Domain& b) { return {meet(a.numbers, b.numbers), a.nan && b.nan}; }
inline Domain join(const Domain& a, const Domain& b) { return {join(a.numbers, b.numbers), a.nan || b.nan}; }

} // namespace faultline::solve
