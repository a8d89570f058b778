#include "bound/elementary.h"

#include "ops/libm_error.h"
#include "ops/table.h"

#include <cmath>
#include <numbers>

namespace faultline::bound {
namespace {

using ops::Op;

// What libm gives, widened by its error. A unit in the last place is at most 2^-52 of a number, or the smallest
// subnormal; one more covers the rounding of this here.
Interval around(Op op, double value) {
  const double units = ops::libm_ulps(op, numeric::Format::binary64) + 1;
  if (!std::isfinite(value) || !std::isfinite(units))
    return Interval::nothing_known();
  return widened(Interval::of(value), sum_up(product_up(std::fabs(value), units * 0x1p-52), units * 0x1p-1074));
}
Interval at(Op op, double a, double b = 0) { return around(op, ops::evaluate(op, a, b)); }

// Is offset + k * period in the interval for some integer k, or so near that nobody can tell?
bool meets(const Interval& a, long double offset, long double period) {
  constexpr long double doubt = 0x1p-50L; // of a number of periods: x87's 64 bits make 2^-62 of it
  const long double first = (a.low - offset) / period, last = (a.high - offset) / period;
  return std::floor(last + doubt * (1 + std::fabs(last))) >= std::ceil(first - doubt * (1 + std::fabs(first)));
}

constexpr long double pi = std::numbers::pi_v<long double>;
constexpr double largest_angle = 0x1p20; // beyond that `meets` would have to know more digits of pi

Interval within(const Interval& a, const Interval& all) { return a.known() ? meet(a, all) : a; }

// sin or cos, which has its maxima at `top` + 2 k pi.
Interval wave(Op op, const Interval& a, long double top) {
  const Interval all{-1, 1};
  if (a.magnitude() > largest_angle || a.high - a.low > 6.3)
    return all;
  Interval range = hull(at(op, a.low), at(op, a.high));
  if (meets(a, top, 2 * pi))
    range.high = 1;
  if (meets(a, top + pi, 2 * pi))
    range.low = -1;
  return within(range, all);
}

Interval tangent(const Interval& a) {
  if (a.magnitude() > largest_angle || meets(a, pi / 2, pi))
    return Interval::nothing_known();
  return hull(at(Op::tan, a.low), at(Op::tan, a.high));
}

Interval monotone(Op op, const Interval& a) {
  const ops::Monotone& way = ops::entry(op).monotone;
  if (!way || a.low < way.low || a.high > way.high)
    return Interval::nothing_known();
  return hull(at(op, a.low), at(op, a.high));
}

// x^n for an integer n: even ones go by the magnitude.
Interval whole_power(const Interval& a, double n) {
  if (n < 0)
    return Interval::of(1) / whole_power(a, -n);
  if (std::fmod(n, 2) == 0) {
    const Interval size = magnitudes(a);
    return within(hull(at(Op::pow, size.low, n), at(Op::pow, size.high, n)),
                  {0, std::numeric_limits<double>::infinity()});
  }
  return hull(at(Op::pow, a.low, n), at(Op::pow, a.high, n));
}

// Monotone in each operand for a positive base: the ends are at corners.
Interval power(const Interval& a, const Interval& b) {
  if (b.single() && b.low == std::floor(b.low))
    return whole_power(a, b.low);
  if (!(a.low > 0))
    return Interval::nothing_known();
  return hull(hull(at(Op::pow, a.low, b.low), at(Op::pow, a.low, b.high)),
              hull(at(Op::pow, a.high, b.low), at(Op::pow, a.high, b.high)));
}

// Away from the origin and from its jump, on the negative half of the second operand's axis, the angle has its ends at
// corners.
Interval angle(const Interval& y, const Interval& x) {
  if (!(x.low > 0 || y.low > 0 || y.high < 0))
    return Interval::nothing_known();
  return hull(hull(at(Op::atan2, y.low, x.low), at(Op::atan2, y.low, x.high)),
              hull(at(Op::atan2, y.high, x.low), at(Op::atan2, y.high, x.high)));
}

Interval scaled(const Interval& a, const Interval& exponent) {
  if (!exponent.single() || std::fabs(exponent.low) > 1000)
    return Interval::nothing_known();
  return a * Interval::of(std::ldexp(1.0, int(exponent.low)));
}

// 1 - a * a, without its cancellation.
Interval one_minus_square(const Interval& a) {
  const Interval one = Interval::of(1), size = magnitudes(a);
  return (one - size) * (one + size);
}

const Interval ln2{0x1.62e42fefa39efp-1, 0x1.62e42fefa39f0p-1};   // around log(2)
const Interval ln10{0x1.26bb1bbb55515p+1, 0x1.26bb1bbb55516p+1};  // around log(10)
const Interval gauss{0x1.20dd750429b6dp+0, 0x1.20dd750429b6ep+0}; // around 2 / sqrt(pi)

Interval bell(const Interval& a) { return gauss * elementary(Op::exp, {-square(a)}); }

// Of functions of one operand.
Interval slope(Op op, const Interval& a, const Interval& result) {
  const Interval one = Interval::of(1);
  switch (op) {
  case Op::exp:
    return result;
  case Op::exp2:
    return result * ln2;
  case Op::exp10:
    return result * ln10;
  case Op::expm1:
    return elementary(Op::exp, {a});
  case Op::log:
    return one / a;
  case Op::log2:
    return one / (a * ln2);
  case Op::log10:
    return one / (a * ln10);
  case Op::log1p:
    return one / (one + a);
  case Op::sin:
    return wave(Op::cos, a, 0);
  case Op::cos:
    return -wave(Op::sin, a, pi / 2);
  case Op::tan:
    return one + square(result);
  case Op::asin:
    return one / root(one_minus_square(a));
  case Op::acos:
    return -(one / root(one_minus_square(a)));
  case Op::atan:
    return one / (one + square(a));
  case Op::sinh:
    return elementary(Op::cosh, {a});
  case Op::cosh:
    return elementary(Op::sinh, {a});
  case Op::tanh:
    return one / square(elementary(Op::cosh, {a}));
  case Op::asinh:
    return one / root(one + square(a));
  case Op::acosh:
    return one / (root(a - one) * root(a + one));
  case Op::atanh:
    return one / one_minus_square(a);
  case Op::cbrt:
    return one / (Interval::of(3) * square(result));
  case Op::erf:
    return bell(a);
  case Op::erfc:
    return -bell(a);
  default:
    return Interval::nothing_known();
  }
}

// In the base.
Interval power_slope(const Interval& a, const Interval& b, const Interval& result) {
  if (b.single() && b.low == std::floor(b.low))
    return b.low == 0 ? Interval::of(0) : b * whole_power(a, b.low - 1);
  return b * (result / a);
}

} // namespace

Interval elementary(Op op, const Operands& x) {
  switch (op) {
  case Op::sin:
    return wave(op, x[0], pi / 2);
  case Op::cos:
    return wave(op, x[0], 0);
  case Op::tan:
    return tangent(x[0]);
  case Op::cosh: {
    const Interval size = magnitudes(x[0]);
    return within(hull(at(op, size.low), at(op, size.high)), {1, std::numeric_limits<double>::infinity()});
  }
  case Op::exp:
  case Op::exp2:
  case Op::exp10:
  case Op::erfc:
    return within(monotone(op, x[0]), {0, std::numeric_limits<double>::infinity()});
  case Op::tanh:
  case Op::erf:
    return within(monotone(op, x[0]), {-1, 1});
  case Op::pow:
    return power(x[0], x[1]);
  case Op::powi:
    return x[1].single() ? whole_power(x[0], x[1].low) : Interval::nothing_known();
  case Op::hypot:
    return root(square(x[0]) + square(x[1]));
  case Op::atan2:
    return angle(x[0], x[1]);
  case Op::ldexp:
    return scaled(x[0], x[1]);
  default:
    return ops::arity(op) == 1 ? monotone(op, x[0]) : Interval::nothing_known();
  }
}

std::array<Interval, 3> elementary_slopes(Op op, const Operands& x, const Interval& result) {
  switch (op) {
  case Op::pow:
    // An exponent that is a constant needs no slope, and log of a negative base has none.
    return {power_slope(x[0], x[1], result), x[1].single() ? Interval::of(0) : result * elementary(Op::log, {x[0]})};
  case Op::powi:
    return {power_slope(x[0], x[1], result), Interval::of(0)};
  case Op::hypot:
    return {x[0] / result, x[1] / result};
  case Op::atan2: {
    const Interval squares = square(x[0]) + square(x[1]);
    return {x[1] / squares, -(x[0] / squares)};
  }
  case Op::ldexp:
    return {scaled(Interval::of(1), x[1]), Interval::of(0)};
  default:
    return {slope(op, x[0], result)};
  }
}

} // namespace faultline::bound
