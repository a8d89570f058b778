// Projections of comparisons (the slides' "handling comparisons"), `same`, classifications and Boolean structure.
#include "solve/interval/monotone.h"

#include "constraint/evaluate.h"
#include "ops/op.h"

namespace faultline::solve {

using ops::Traits;
namespace trait = ops::trait;

namespace {

// Comparison with == treats -0 and +0 as one value.
constexpr Int128 lower_zero(Int128 order) { return order == 0 ? -1 : order; }
constexpr Int128 upper_zero(Int128 order) { return order == -1 ? 0 : order; }
constexpr Int128 just_below(Int128 order) { return lower_zero(order) - 1; }
constexpr Int128 just_above(Int128 order) { return upper_zero(order) + 1; }
constexpr bool one_value(const Range& range) { return lower_zero(range.low) == lower_zero(range.high); }

// Returns the possible orders of two values.
Traits possible(const Domain& a, const Domain& b) {
  Traits orders = a.nan || b.nan ? trait::unordered : 0;
  if (a.numbers.empty() || b.numbers.empty())
    return orders;
  const Range x{lower_zero(a.numbers.low), lower_zero(a.numbers.high)};
  const Range y{lower_zero(b.numbers.low), lower_zero(b.numbers.high)};
  if (x.low < y.high)
    orders |= trait::less;
  if (x.high > y.low)
    orders |= trait::greater;
  if (!meet(x, y).empty())
    orders |= trait::equal;
  return orders;
}

// Narrows a and b to values with a < b or, if `equal`, a <= b.
void bound(Range& a, Range& b, bool equal) {
  a.high = std::min(a.high, equal ? upper_zero(b.high) : just_below(b.high));
  if (a.empty())
    return;
  b.low = std::max(b.low, equal ? lower_zero(a.low) : just_above(a.low));
}

void differ(Range& a, const Range& b) {
  if (a.empty() || b.empty() || !one_value(b))
    return;
  if (lower_zero(a.low) == lower_zero(b.low))
    a.low = just_above(a.low);
  if (!a.empty() && lower_zero(a.high) == lower_zero(b.low))
    a.high = just_below(a.high);
}

void narrow_to(Traits wanted, Domain& a, Domain& b) {
  const bool less = wanted & trait::less, equal = wanted & trait::equal, greater = wanted & trait::greater;
  if (!(wanted & trait::unordered)) {
    a.nan = b.nan = false;
  } else if (less || equal || greater) {
    return;
  } else {
    // One operand must be NaN: this one, if the other cannot be.
    if (!b.nan)
      a.numbers = {};
    if (!a.nan)
      b.numbers = {};
    return;
  }
  if (less && greater && !equal) {
    differ(a.numbers, b.numbers);
    differ(b.numbers, a.numbers);
    return;
  }
  if (!greater)
    bound(a.numbers, b.numbers, equal);
  if (!less && !a.numbers.empty() && !b.numbers.empty())
    bound(b.numbers, a.numbers, equal);
}

void project_comparison(Op op, Scope& scope) {
  Domain &a = scope.operands[0], &b = scope.operands[1];
  const Traits can = possible(a, b), yes = can & ops::orders_of(op), no = can & ~ops::orders_of(op);
  if (!yes)
    scope.result = meet(scope.result, false_domain);
  if (!no)
    scope.result = meet(scope.result, true_domain);
  if (scope.result.empty())
    return;
  if (is_true(scope.result))
    narrow_to(yes, a, b);
  else if (is_false(scope.result))
    narrow_to(no, a, b);
}

void exclude(Domain& a, const Domain& b) {
  if (!b.single())
    return;
  if (b.nan) {
    a.nan = false;
    return;
  }
  if (a.numbers.low == b.numbers.low)
    ++a.numbers.low;
  if (!a.numbers.empty() && a.numbers.high == b.numbers.low)
    --a.numbers.high;
}

void project_same(Scope& scope) {
  Domain &a = scope.operands[0], &b = scope.operands[1];
  const Domain common = meet(a, b);
  if (common.empty())
    scope.result = meet(scope.result, false_domain);
  if (a.single() && b.single() && a == b)
    scope.result = meet(scope.result, true_domain);
  if (scope.result.empty())
    return;
  if (is_true(scope.result)) {
    a = b = common;
  } else if (is_false(scope.result)) {
    exclude(a, b);
    exclude(b, a);
  }
}

// Returns the numbers of a class on the positive side; the negative ones mirror them.
Range positive_side(Class tested, BinaryFormat format) {
  const Int128 normal = Int128(format.smallest_normal());
  switch (tested) {
  case Class::normal:
    return {normal, format.highest() - 1};
  case Class::subnormal:
    return {1, normal - 1};
  case Class::zero:
    return {0, 0};
  case Class::infinite:
    return {format.highest(), format.highest()};
  case Class::positive:
    return {0, format.highest()};
  default:
    return {};
  }
}

Range negative_side(Class tested, BinaryFormat format) {
  if (tested == Class::negative)
    return {format.lowest(), -1};
  const Range side = tested == Class::positive ? Range{} : positive_side(tested, format);
  return side.empty() ? side : Range{-1 - side.high, -1 - side.low};
}

void project_classification(Class tested, BinaryFormat format, Scope& scope) {
  Domain& a = scope.operands[0];
  const Range above = positive_side(tested, format), below = negative_side(tested, format);
  const Domain members{join(meet(a.numbers, below), meet(a.numbers, above)), a.nan && tested == Class::nan};
  if (members.empty())
    scope.result = meet(scope.result, false_domain);
  // All, if one side contains all numbers.
  const bool numbers_inside = a.numbers.empty() || meet(a.numbers, above) == a.numbers ||
                              meet(a.numbers, below) == a.numbers ||
                              (tested == Class::zero && meet(a.numbers, {-1, 0}) == a.numbers);
  if (numbers_inside && members.numbers == a.numbers && members.nan == a.nan)
    scope.result = meet(scope.result, true_domain);
  if (scope.result.empty())
    return;
  if (is_true(scope.result)) {
    a = members;
  } else if (is_false(scope.result)) {
    if (tested == Class::nan)
      a.nan = false;
    // Cuts off a side that covers an end of the domain.
    for (const Range& side : {below, above, tested == Class::zero ? Range{-1, 0} : Range{}}) {
      if (side.empty() || a.numbers.empty())
        continue;
      if (side.has(a.numbers.low))
        a.numbers.low = side.high + 1;
      if (!a.numbers.empty() && side.has(a.numbers.high))
        a.numbers.high = side.low - 1;
    }
  }
}

// Projects a and b, or by negation a or b.
void project_junction(Scope& scope, const Domain& neutral, const Domain& deciding) {
  Domain &a = scope.operands[0], &b = scope.operands[1], &result = scope.result;
  if (a == deciding || b == deciding)
    result = meet(result, deciding);
  if (a == neutral)
    result = meet(result, b), b = meet(b, result);
  if (b == neutral)
    result = meet(result, a), a = meet(a, result);
  if (result == neutral)
    a = meet(a, neutral), b = meet(b, neutral);
}

void project_choice(Scope& scope) {
  auto& [condition, then, otherwise] = scope.operands;
  if (meet(scope.result, then).empty())
    condition = meet(condition, false_domain);
  if (meet(scope.result, otherwise).empty())
    condition = meet(condition, true_domain);
  if (condition.empty())
    return;
  if (is_true(condition))
    scope.result = then = meet(scope.result, then);
  else if (is_false(condition))
    scope.result = otherwise = meet(scope.result, otherwise);
  else
    scope.result = meet(scope.result, join(then, otherwise));
}

} // namespace

void project_relation(const Node& node, const Sort& operand, Scope& scope) {
  switch (node.form) {
  case Form::comparison:
    return project_comparison(node.op, scope);
  case Form::same:
    return project_same(scope);
  case Form::classification:
    return project_classification(node.tested, operand.format, scope);
  case Form::conjunction:
    return project_junction(scope, true_domain, false_domain);
  case Form::disjunction:
    return project_junction(scope, false_domain, true_domain);
  case Form::negation: {
    const auto opposite = [](const Domain& domain) {
      return domain.empty() ? domain : Domain{{1 - domain.numbers.high, 1 - domain.numbers.low}, false};
    };
    scope.result = meet(scope.result, opposite(scope.operands[0]));
    scope.operands[0] = meet(scope.operands[0], opposite(scope.result));
    return;
  }
  case Form::choice:
    return project_choice(scope);
  default:
    return;
  }
}

} // namespace faultline::solve
