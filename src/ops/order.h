// Comparisons as data: the set of orders of the operands for which each holds.
#pragma once

#include "ops/op.h"

namespace faultline::ops {

constexpr Traits orders_of(Op comparison) { return traits_of(comparison) & trait::any_order; }

template <class Number>
constexpr Traits order_between(Number a, Number b) {
  return a < b ? trait::less : a > b ? trait::greater : a == b ? trait::equal : trait::unordered;
}

constexpr bool holds(Op comparison, Traits order) { return (traits_of(comparison) & order) != 0; }
// Does it hold if an operand is NaN?
constexpr bool is_unordered(Op comparison) { return has(comparison, trait::unordered); }

// The comparison that holds for these orders; there is none for none and for all, which compare nothing.
constexpr Op comparison_for(Traits orders) {
#define FAULTLINE_COMPARISON_FOUND(name, arity, traits)                                                                \
  if (orders_of(Op::name) == orders)                                                                                   \
    return Op::name;
  FAULTLINE_COMPARISONS(FAULTLINE_COMPARISON_FOUND)
#undef FAULTLINE_COMPARISON_FOUND
  return Op::none;
}

// The comparison that holds exactly where this one does not.
constexpr Op opposite(Op comparison) { return comparison_for(trait::any_order & ~traits_of(comparison)); }

// The comparison of b with a that says the same as this one of a with b.
constexpr Op swapped(Op comparison) {
  const Traits orders = orders_of(comparison);
  return comparison_for((orders & (trait::equal | trait::unordered)) | (orders & trait::less ? trait::greater : 0) |
                        (orders & trait::greater ? trait::less : 0));
}
// The one that differs from it at NaN alone, and does not hold there. (Of cmp_uno there is none.)
constexpr Op ordered(Op comparison) { return comparison_for(orders_of(comparison) & ~trait::unordered); }

#define FAULTLINE_COMPARISON_CHECK(name, arity, traits)                                                                \
  static_assert(opposite(opposite(Op::name)) == Op::name && swapped(swapped(Op::name)) == Op::name, #name);
FAULTLINE_COMPARISONS(FAULTLINE_COMPARISON_CHECK)
#undef FAULTLINE_COMPARISON_CHECK

} // namespace faultline::ops
