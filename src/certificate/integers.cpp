#include "certificate/integers.h"

namespace faultline::certificate {
namespace {

Real floor_of(const Real& a) {
  Real result;
  arf_floor(result.raw(), a.raw());
  return result;
}

bool is_even(const Real& whole) {
  Real half;
  arf_mul_2exp_si(half.raw(), whole.raw(), -1);
  return arf_is_int(half.raw());
}

// Of two integers as near as each other the even one, or that away from 0.
Real nearest(const Real& a, bool even) {
  Real below = floor_of(a), fraction, above;
  arf_sub(fraction.raw(), a.raw(), below.raw(), ARF_PREC_EXACT, ARF_RND_DOWN);
  arf_add_ui(above.raw(), below.raw(), 1, ARF_PREC_EXACT, ARF_RND_DOWN);
  const int side = arf_cmp_2exp_si(fraction.raw(), -1);
  if (side != 0)
    return side < 0 ? below : above;
  return (even ? is_even(below) : a.sign() < 0) ? below : above;
}

Real rounded(ops::Rounding direction, const Real& a) {
  Real result;
  switch (direction) {
  case ops::Rounding::down:
    return floor_of(a);
  case ops::Rounding::up:
    arf_ceil(result.raw(), a.raw());
    return result;
  case ops::Rounding::toward_zero:
    if (a.sign() < 0)
      arf_ceil(result.raw(), a.raw());
    else
      arf_floor(result.raw(), a.raw());
    return result;
  case ops::Rounding::to_even:
    return nearest(a, true);
  case ops::Rounding::away:
    return nearest(a, false);
  case ops::Rounding::none:
    break;
  }
  return a;
}

} // namespace

// Rounding keeps the order, so the ends tell.
Range integers_of(ops::Rounding direction, const Range& a) {
  return {rounded(direction, a.low), rounded(direction, a.high)};
}

} // namespace faultline::certificate
