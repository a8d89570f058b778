// Relations between floats, and operations that choose rather than compute.
#include "ops/order.h"
#include "solve/bits/bits_float.h"

#include <algorithm>

namespace faultline::solve {
namespace {

using constraint::Class;
using ops::Op;

Gate less(Gates& gates, const BitsFloat& a, const BitsFloat& b) {
  const Gate across = gates.all({a.sign, !b.sign, !gates.both(a.zero, b.zero)});
  const Gate above = gates.all({!a.sign, !b.sign, less_magnitude(gates, a, b)});
  const Gate below = gates.all({a.sign, b.sign, less_magnitude(gates, b, a)});
  return gates.any({across, above, below});
}

Gate equal_magnitude(Gates& gates, const BitsFloat& a, const BitsFloat& b) {
  return gates.both(equal(gates, a.exponent, b.exponent), equal(gates, a.significand, b.significand));
}

Gate equal(Gates& gates, const BitsFloat& a, const BitsFloat& b) {
  const Gate signs = gates.either(gates.equal(a.sign, b.sign), gates.both(a.zero, b.zero));
  return gates.both(signs, equal_magnitude(gates, a, b));
}

// Of numbers, no NaN.
Gate holds_of_numbers(Gates& gates, Op comparison, const BitsFloat& a, const BitsFloat& b) {
  const bool below = ops::holds(comparison, ops::trait::less), above = ops::holds(comparison, ops::trait::greater),
             same = ops::holds(comparison, ops::trait::equal);
  if (below == above && below == same) // cmp_ord, cmp_uno
    return same;
  if (below == above)
    return same ? equal(gates, a, b) : !equal(gates, a, b);
  if (same)
    return below ? !less(gates, b, a) : !less(gates, a, b);
  return below ? less(gates, a, b) : less(gates, b, a);
}

bool of_the_machine(BinaryFormat format) {
  return format == numeric::binary32 || format == numeric::binary64 || format == numeric::extended80;
}

// The first if `first`; a NaN loses. Of zeros that differ in sign, the sign is `zero_sign`, or open.
BitsFloat selected(Gates& gates, Gate first, const BitsFloat& a, const BitsFloat& b, bool zero_sign) {
  BitsFloat result = choose(gates, gates.either(b.nan, gates.both(!a.nan, first)), a, b);
  const Gate zeros = gates.all({a.zero, b.zero, !a.nan, !b.nan, gates.differ(a.sign, b.sign)});
  if (!zeros.is_false())
    result.sign = gates.choose(zeros, of_the_machine(a.format) ? gates.input() : Gate(zero_sign), result.sign);
  return result;
}

} // namespace

Gate holds(Gates& gates, Op comparison, const BitsFloat& a, const BitsFloat& b) {
  const Gate unordered = gates.either(a.nan, b.nan), relation = holds_of_numbers(gates, comparison, a, b);
  return is_unordered(comparison) ? gates.either(unordered, relation) : gates.both(!unordered, relation);
}

Gate same(Gates& gates, const BitsFloat& a, const BitsFloat& b) {
  const Gate numbers = gates.both(gates.equal(a.sign, b.sign), equal_magnitude(gates, a, b));
  return gates.choose(a.nan, b.nan, gates.both(!b.nan, numbers));
}

Gate is(Gates& gates, Class tested, const BitsFloat& a) {
  const Gate leading = a.significand.back();
  switch (tested) {
  case Class::normal:
    return gates.all({!a.nan, !a.infinite, leading});
  case Class::subnormal:
    return gates.all({!a.nan, !leading, !a.zero});
  case Class::zero:
    return gates.both(!a.nan, a.zero);
  case Class::infinite:
    return gates.both(!a.nan, a.infinite);
  case Class::nan:
    return a.nan;
  case Class::negative:
    return gates.both(!a.nan, a.sign);
  case Class::positive:
    break;
  }
  return gates.both(!a.nan, !a.sign);
}

BitsFloat negated(const BitsFloat& a) {
  BitsFloat result = a;
  result.sign = !a.sign;
  return result;
}

BitsFloat absolute(const BitsFloat& a) {
  BitsFloat result = a;
  result.sign = false;
  return result;
}

// The NaN is positive.
BitsFloat copy_sign(Gates& gates, const BitsFloat& a, const BitsFloat& b) {
  BitsFloat result = a;
  result.sign = gates.both(b.sign, !b.nan);
  return result;
}

BitsFloat minimum(Gates& gates, const BitsFloat& a, const BitsFloat& b) {
  return selected(gates, less(gates, a, b), a, b, true);
}

BitsFloat maximum(Gates& gates, const BitsFloat& a, const BitsFloat& b) {
  return selected(gates, less(gates, b, a), a, b, false);
}

BitsFloat choose(Gates& gates, Gate condition, const BitsFloat& then, const BitsFloat& otherwise) {
  if (condition.constant())
    return condition.is_true() ? then : otherwise;
  return {then.format,
          gates.choose(condition, then.nan, otherwise.nan),
          gates.choose(condition, then.infinite, otherwise.infinite),
          gates.choose(condition, then.zero, otherwise.zero),
          gates.choose(condition, then.sign, otherwise.sign),
          choose(gates, condition, then.exponent, otherwise.exponent),
          choose(gates, condition, then.significand, otherwise.significand)};
}

} // namespace faultline::solve
