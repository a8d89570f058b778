#include "solve/newton/distance.h"

#include "constraint/evaluate.h"
#include "numeric/ordered.h"
#include "ops/order.h"

#include <bit>
#include <cmath>

namespace faultline::solve {

using constraint::BinaryFormat;
using constraint::Bits;
using constraint::Class;
using numeric::Int128;
using numeric::Uint128;
using ops::Op;
using ops::trait::equal, ops::trait::greater, ops::trait::less;

namespace {

// More than the widest format has bits.
constexpr double far = 160;

// Of numbers: their order, and how many floats there are from one to the other.
double distance_of(Op comparison, ops::Traits order, double floats) {
  if (ops::holds(comparison, order))
    return 0;
  if (order == equal) // one float off, if any order of numbers is wanted at all
    return ops::holds(comparison, less | greater) ? logarithmic(1) : far;
  if (!ops::holds(comparison, less | equal | greater))
    return far;
  return logarithmic(ops::holds(comparison, equal) ? floats : floats + 1);
}

int64_t order64(double value) {
  const int64_t bits = std::bit_cast<int64_t>(value);
  return bits >= 0 ? bits : std::numeric_limits<int64_t>::min() - bits; // both zeros are 0
}
int64_t order32(double value) {
  const int32_t bits = std::bit_cast<int32_t>(float(value));
  return bits >= 0 ? bits : std::numeric_limits<int32_t>::min() - bits;
}

Int128 order_of(BinaryFormat format, Bits bits) {
  const Int128 rank = Int128(format.magnitude(bits));
  return format.is_negative(bits) ? -rank : rank;
}

double apart(Int128 a, Int128 b) { return double(a < b ? Uint128(b) - Uint128(a) : Uint128(a) - Uint128(b)); }

double between(Int128 low, Int128 value, Int128 high) {
  return double(value < low ? low - value : value > high ? value - high : 0);
}

} // namespace

double logarithmic(double floats) {
  return double(std::bit_cast<int64_t>(1 + floats) - std::bit_cast<int64_t>(1.0)) * 0x1p-52;
}

double comparison_distance(Op op, double a, double b, bool single) {
  if (a != a || b != b)
    return ops::is_unordered(op) ? 0 : far;
  const uint64_t x = uint64_t(single ? order32(a) : order64(a)), y = uint64_t(single ? order32(b) : order64(b));
  return distance_of(op, ops::order_between(a, b), double(a < b ? y - x : x - y));
}

double comparison_distance(Op op, BinaryFormat format, Bits a, Bits b) {
  if (format.is_nan(a) || format.is_nan(b))
    return ops::is_unordered(op) ? 0 : far;
  const Int128 x = order_of(format, a), y = order_of(format, b);
  return distance_of(op, ops::order_between(x, y), apart(x, y));
}

double same_distance(bool wanted, BinaryFormat format, Bits a, Bits b) {
  const bool equal = a == b || (format.is_nan(a) && format.is_nan(b));
  if (equal == wanted)
    return 0;
  if (!wanted)
    return logarithmic(1);
  if (format.is_nan(a) || format.is_nan(b))
    return far;
  return logarithmic(apart(format.order(a), format.order(b)));
}

double class_distance(bool wanted, Class tested, BinaryFormat format, Bits a) {
  if (constraint::is(tested, format, a) == wanted)
    return 0;
  if (format.is_nan(a) || tested == Class::nan)
    return far;
  const Int128 magnitude = Int128(format.magnitude(a)), normal = Int128(format.smallest_normal()),
               infinity = Int128(format.infinity());
  switch (tested) {
  case Class::normal:
    return wanted ? logarithmic(between(normal, magnitude, infinity - 1))
                  : logarithmic(double(std::min(magnitude - normal + 1, infinity - magnitude)));
  case Class::subnormal:
    return wanted ? logarithmic(between(1, magnitude, normal - 1))
                  : logarithmic(double(std::min(magnitude, normal - magnitude)));
  case Class::zero:
    return wanted ? logarithmic(double(magnitude)) : logarithmic(1);
  case Class::infinite:
    return wanted ? logarithmic(double(infinity - magnitude)) : logarithmic(1);
  default: // the sign
    return logarithmic(double(magnitude) + 1);
  }
}

} // namespace faultline::solve
