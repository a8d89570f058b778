#include "certificate/functions.h"

#include "certificate/integers.h"
#include "numeric/ball.h"
#include "ops/balls.h"

namespace faultline::certificate {

using numeric::Ball;
using ops::Op;

namespace {

// Arb's own limit is memory: beyond the exponents of all formats nothing is asked.
constexpr slong largest_exponent = 20'000;

MaybeRange ends_of(const Ball& ball, slong precision) {
  if (!ball.is_finite())
    return {};
  Range range;
  arb_get_interval_arf(range.low.raw(), range.high.raw(), ball.raw(), precision);
  return range;
}

template <class Constant>
Range constant(slong precision, Constant constant) {
  Ball ball;
  constant(ball.raw());
  return *ends_of(ball, precision);
}

MaybeRange hull_of(const MaybeRange& a, const MaybeRange& b) {
  return a && b ? MaybeRange(hull(*a, *b)) : std::nullopt;
}

MaybeRange within(MaybeRange a, const MaybeRange& all) {
  if (a && a->low < all->low)
    a->low = all->low;
  if (a && all->high < a->high)
    a->high = all->high;
  return a;
}
MaybeRange at_least(MaybeRange a, double least) {
  if (a && a->low < Real(least))
    a->low = Real(least);
  return a;
}

bool is_whole(const Range& a) { return a.is_single() && arf_is_int(a.low.raw()); }

const Range unit{Real(-1), Real(1)};

// Is offset + k * period in the range, for some integer k? Both are halves of integers, so all of this is exact.
bool meets(const Range& a, double offset, double period) {
  const Real shift(offset), divisor(period);
  Real first, last;
  const auto periods = [&](Real& count, const Real& end) {
    arf_sub(count.raw(), end.raw(), shift.raw(), ARF_PREC_EXACT, ARF_RND_DOWN);
    arf_mul_2exp_si(count.raw(), count.raw(), -divisor.exponent()); // a period is a power of two
  };
  periods(first, a.low);
  periods(last, a.high);
  arf_ceil(first.raw(), first.raw());
  arf_floor(last.raw(), last.raw());
  return first <= last;
}

} // namespace

Functions::Functions(slong precision)
    : rounding_(precision), ln2_(constant(precision, [&](arb_ptr ball) { arb_const_log2(ball, precision + 8); })),
      ln10_(constant(precision, [&](arb_ptr ball) { arb_const_log10(ball, precision + 8); })),
      gauss_(constant(precision, [&](arb_ptr ball) {
        arb_const_sqrt_pi(ball, precision + 8);
        arb_ui_div(ball, 2, ball, precision + 8);
      })) {}

std::optional<int> order_of(const Range& a, const Range& b) {
  if (a.high < b.low)
    return -1;
  if (b.high < a.low)
    return 1;
  return a.is_single() && b.is_single() ? std::optional(0) : std::nullopt;
}

MaybeRange Functions::at(Op op, const Real& a, const Real& b) const {
  const ops::BallFunction function = ops::ball_function(op);
  if (!function || a.exponent() > largest_exponent)
    return {};
  Ball first, second, result;
  arb_set_arf(first.raw(), a.raw());
  arb_set_arf(second.raw(), b.raw());
  function(result.raw(), first.raw(), second.raw(), rounding_.precision() + 8); // so that rounding is what is lost
  return ends_of(result, rounding_.precision());
}

MaybeRange Functions::between_ends(Op op, const Range& a) const {
  return a.is_single() ? at(op, a.low) : hull_of(at(op, a.low), at(op, a.high));
}

MaybeRange Functions::at_corners(Op op, const Range& a, const Range& b) const {
  return hull_of(hull_of(at(op, a.low, b.low), at(op, a.low, b.high)),
                 hull_of(at(op, a.high, b.low), at(op, a.high, b.high)));
}

Range Functions::half_turns(const Range& a) const {
  const slong precision = rounding_.precision() + std::max<slong>(a.most().exponent(), 0) + 8;
  Ball pi, turns;
  arb_const_pi(pi.raw(), precision);
  const auto quotient = [&](const Real& end) {
    arb_set_arf(turns.raw(), end.raw());
    arb_div(turns.raw(), turns.raw(), pi.raw(), precision);
    return *ends_of(turns, precision);
  };
  return {quotient(a.low).low, quotient(a.high).high};
}

// sin or cos, which has its maxima at (`top` + 2 k) pi.
MaybeRange Functions::wave(Op op, const Range& a, double top) const {
  if (a.most().exponent() > largest_exponent)
    return unit;
  MaybeRange range = between_ends(op, a);
  if (!range)
    return unit;
  if (!a.is_single()) {
    const Range turns = half_turns(a);
    if (meets(turns, top, 2))
      range->high = unit.high;
    if (meets(turns, top + 1, 2))
      range->low = unit.low;
  }
  return within(std::move(range), unit);
}

// x^n for an integer n that is not negative: even ones go by the magnitude.
MaybeRange Functions::whole_power(const Range& a, const Range& exponent) const {
  const Real& n = exponent.low;
  if (n.sign() < 0)
    return reciprocal(whole_power(a, negated(exponent)));
  Real half;
  arf_mul_2exp_si(half.raw(), n.raw(), -1);
  const Range base = arf_is_int(half.raw()) ? magnitudes(a) : a;
  return hull_of(at(Op::pow, base.low, n), at(Op::pow, base.high, n));
}

// One way in each operand for a positive base.
MaybeRange Functions::power(const Range& a, const Range& b) const {
  if (is_whole(b))
    return whole_power(a, b);
  return a.low.sign() > 0 ? at_corners(Op::pow, a, b) : std::nullopt;
}

// Away from the origin, and from the jump on the negative half of the second operand's axis, it goes one way along each
// side of a box.
MaybeRange Functions::angle(const Range& y, const Range& x) const {
  if (x.low.sign() <= 0 && y.has_zero())
    return {};
  return at_corners(Op::atan2, y, x);
}

MaybeRange Functions::scaled(const Range& a, const Range& exponent) const {
  if (!is_whole(exponent) || arf_cmpabs_2exp_si(exponent.low.raw(), 15) > 0)
    return {};
  const slong shift = arf_get_si(exponent.low.raw(), ARF_RND_DOWN);
  Range result;
  arf_mul_2exp_si(result.low.raw(), a.low.raw(), shift);
  arf_mul_2exp_si(result.high.raw(), a.high.raw(), shift);
  return result;
}

MaybeRange Functions::function(Op op, const Range& a) const {
  switch (op) {
  case Op::sin:
    return wave(op, a, 0.5);
  case Op::cos:
    return wave(op, a, 0);
  case Op::tan:
    return a.most().exponent() > largest_exponent || meets(half_turns(a), 0.5, 1) ? std::nullopt : between_ends(op, a);
  case Op::cosh:
    return at_least(between_ends(op, magnitudes(a)), 1);
  case Op::exp:
  case Op::exp2:
  case Op::exp10:
  case Op::erfc:
    return at_least(between_ends(op, a), 0);
  case Op::tanh:
  case Op::erf:
    return within(between_ends(op, a), unit);
  case Op::log:
  case Op::log2:
  case Op::log10:
    return a.low.sign() > 0 ? between_ends(op, a) : std::nullopt;
  case Op::log1p:
    return Real(-1) < a.low ? between_ends(op, a) : std::nullopt;
  case Op::asin:
  case Op::acos:
    return a.most() <= Real(1) ? between_ends(op, a) : std::nullopt;
  case Op::acosh:
    return Real(1) <= a.low ? between_ends(op, a) : std::nullopt;
  case Op::atanh:
    return a.most() < Real(1) ? between_ends(op, a) : std::nullopt;
  case Op::expm1:
  case Op::atan:
  case Op::sinh:
  case Op::asinh:
  case Op::cbrt:
    return between_ends(op, a);
  default:
    return {};
  }
}

MaybeRange Functions::value(Op op, std::span<const Range* const> x, bool same) const {
  const auto smaller = [](const Real& a, const Real& b) { return a < b ? a : b; };
  switch (op) {
  case Op::fadd:
    return rounding_.sum(*x[0], *x[1]);
  case Op::fsub:
    return same ? Range() : rounding_.difference(*x[0], *x[1]);
  case Op::fmul:
    return same ? rounding_.square(*x[0]) : rounding_.product(*x[0], *x[1]);
  case Op::fdiv:
    return rounding_.quotient(*x[0], *x[1]);
  case Op::sqrt:
    return rounding_.root(*x[0]);
  case Op::fma:
    return rounding_.sum(same ? rounding_.square(*x[0]) : rounding_.product(*x[0], *x[1]), *x[2]);
  case Op::fneg:
    return negated(*x[0]);
  case Op::fabs:
    return magnitudes(*x[0]);
  case Op::fmin:
    return Range{smaller(x[0]->low, x[1]->low), smaller(x[0]->high, x[1]->high)};
  case Op::fmax: {
    const Range a = negated(*x[0]), b = negated(*x[1]);
    return negated({smaller(a.low, b.low), smaller(a.high, b.high)});
  }
  case Op::copysign:
    if (x[1]->has_zero()) { // which has two signs
      const Range size = magnitudes(*x[0]);
      return Range{negated(size).low, size.high};
    }
    return x[1]->low.sign() > 0 ? magnitudes(*x[0]) : negated(magnitudes(*x[0]));
  case Op::fpext:
  case Op::fptrunc:
    return *x[0];
  case Op::pow:
    return power(*x[0], *x[1]);
  case Op::powi:
    return is_whole(*x[1]) ? whole_power(*x[0], *x[1]) : std::nullopt;
  case Op::hypot:
    return rounding_.root(rounding_.sum(rounding_.square(*x[0]), rounding_.square(*x[1])));
  case Op::atan2:
    return angle(*x[0], *x[1]);
  case Op::ldexp:
    return scaled(*x[0], *x[1]);
  default:
    return ops::rounding_of(op) != ops::Rounding::none ? integers_of(ops::rounding_of(op), *x[0]) : function(op, *x[0]);
  }
}

} // namespace faultline::certificate
