#include "ops/enclosures.h"

#include "numeric/ball.h"
#include "ops/bessel.h"
#include "ops/complex.h"
#include "ops/exponential.h"
#include "ops/rounding.h"
#include "ops/special.h"
#include "ops/trigonometric.h"

#include <algorithm>
#include <gnu/libc-version.h>
#include <numbers>
#include <string_view>

namespace faultline::ops {

using numeric::Ball;
using numeric::Interval;
using numeric::Range;
using numeric::Real;

namespace {

struct LibmColumns {
  Ulps ulps = no_bound;
  BallFunction ball = nullptr;
};

constexpr LibmColumns libm_columns[] = {
#define FAULTLINE_COLUMNS_NONE(name, arity, traits) {},
#define FAULTLINE_COLUMNS(name, arity, traits) {Formulas<Op::name>::ulps, Formulas<Op::name>::ball},
    FAULTLINE_SOURCES(FAULTLINE_COLUMNS_NONE) FAULTLINE_ARITHMETIC(FAULTLINE_COLUMNS_NONE)
        FAULTLINE_ROUNDINGS(FAULTLINE_COLUMNS_NONE) FAULTLINE_FUNCTIONS(FAULTLINE_COLUMNS)
            FAULTLINE_COMPARISONS(FAULTLINE_COLUMNS_NONE)
#undef FAULTLINE_COLUMNS
#undef FAULTLINE_COLUMNS_NONE
};

constexpr long double pi = std::numbers::pi_v<long double>;
constexpr double largest_angle = 0x1p20; // beyond this, `meets` would need more digits of pi

// Arb's own limit is memory: exponents beyond those of all formats are not evaluated.
constexpr slong largest_exponent = 20'000;

Range ends_of(const Ball& ball, slong precision) {
  if (!ball.is_finite())
    return Range::nothing_known();
  Range range;
  arb_get_interval_arf(range.low.raw(), range.high.raw(), ball.raw(), precision);
  range.precision = precision;
  return range;
}

// a / pi
Range half_turns(const Range& a) {
  const slong precision = a.precision + std::max<slong>(exponent_of(a.magnitude()), 0) + 8;
  Ball pi, turns;
  arb_const_pi(pi.raw(), precision);
  const auto quotient = [&](const Real& end) {
    arb_set_arf(turns.raw(), end.raw());
    arb_div(turns.raw(), turns.raw(), pi.raw(), precision);
    return ends_of(turns, precision);
  };
  return {quotient(a.low).low, quotient(a.high).high};
}

Interval rounded(Rounding direction, const Interval& a) {
  const Op op = integer_rounding(direction);
  return {evaluate(op, a.low), evaluate(op, a.high)};
}

Real rounded(Rounding direction, const Real& a) {
  Real below, above, fraction;
  arf_floor(below.raw(), a.raw());
  arf_ceil(above.raw(), a.raw());
  arf_sub(fraction.raw(), a.raw(), below.raw(), ARF_PREC_EXACT, ARF_RND_DOWN);
  const std::partial_ordering side = fraction <=> 0.5;
  const auto nearest = [&](bool tie_below) { return side < 0 || (side == 0 && tie_below) ? below : above; };
  switch (direction) {
  case Rounding::down:
    return below;
  case Rounding::up:
    return above;
  case Rounding::to_zero:
    return a.sign() < 0 ? above : below;
  case Rounding::nearest_even:
    return nearest(is_even(below));
  case Rounding::nearest_away:
    return nearest(a.sign() < 0);
  }
  return a;
}

Range rounded(Rounding direction, const Range& a) {
  return a.spanning(rounded(direction, a.low), rounded(direction, a.high));
}

template <Enclosure T> T smaller(const T& a, const T& b) {
  return a.spanning(std::min(a.low, b.low), std::min(a.high, b.high));
}

template <Enclosure T> T with_sign(const T& a, const T& sign) {
  const T size = magnitudes(a);
  if (sign.low > 0)
    return size;
  return sign.high < 0 ? -size : hull(-size, size); // 0 has two signs
}

template <Enclosure T> T arithmetic_range(Arithmetic op, const OperandRanges<T>& x, bool same) {
  switch (op) {
  case Arithmetic::fadd:
    return *x[0] + *x[1];
  case Arithmetic::fsub:
    return same ? T::of(0) : *x[0] - *x[1];
  case Arithmetic::fmul:
    return same ? square(*x[0]) : *x[0] * *x[1];
  case Arithmetic::fdiv:
    return *x[0] / *x[1];
  case Arithmetic::sqrt:
    return root(*x[0]);
  case Arithmetic::fma:
    return (same ? square(*x[0]) : *x[0] * *x[1]) + *x[2];
  case Arithmetic::fneg:
    return -*x[0];
  case Arithmetic::fabs:
    return magnitudes(*x[0]);
  case Arithmetic::fmin:
    return smaller(*x[0], *x[1]);
  case Arithmetic::fmax:
    return -smaller(-*x[0], -*x[1]);
  case Arithmetic::copysign:
    return with_sign(*x[0], *x[1]);
  case Arithmetic::fpext:
  case Arithmetic::fptrunc:
    return *x[0];
  case Arithmetic::fdim:
    return same ? T::of(0) : -smaller(*x[1] - *x[0], T::of(0));
  case Arithmetic::remainder:
  case Arithmetic::round_add:
  case Arithmetic::round_sub:
  case Arithmetic::round_fma:
    break;
  }
  return T::nothing_known();
}

// Returns the share of an operand, 0 <= share <= 1, in a choice between two.
template <Enclosure T> T share(bool surely, bool surely_not) { return {surely ? 1.0 : 0.0, surely_not ? 0.0 : 1.0}; }

template <Enclosure T> T kink(const T& a) { return {a.low >= 0 ? 1.0 : -1.0, a.low < 0 && a.high <= 0 ? -1.0 : 1.0}; }

template <Enclosure T> std::array<T, 3> arithmetic_slopes(Arithmetic op, const OperandRanges<T>& x, const T& result) {
  const T one = T::of(1);
  switch (op) {
  case Arithmetic::fadd:
    return {one, one};
  case Arithmetic::fsub:
    return {one, -one};
  case Arithmetic::fmul:
    return {*x[1], *x[0]};
  case Arithmetic::fdiv:
    return {1 / *x[1], -(result / *x[1])};
  case Arithmetic::sqrt:
    return {0.5 / result};
  case Arithmetic::fma:
    return {*x[1], *x[0], one};
  case Arithmetic::fneg:
    return {-one};
  case Arithmetic::fabs:
    return {kink(*x[0])};
  case Arithmetic::fmin: {
    const bool first = x[0]->high < x[1]->low, second = x[1]->high < x[0]->low;
    return {share<T>(first, second), share<T>(second, first)};
  }
  case Arithmetic::fmax: {
    const bool first = x[0]->low > x[1]->high, second = x[1]->low > x[0]->high;
    return {share<T>(first, second), share<T>(second, first)};
  }
  case Arithmetic::copysign: // jumps with the sign
    return {x[1]->has(0) ? T{-1, 1} : x[1]->low > 0 ? kink(*x[0]) : -kink(*x[0])};
  case Arithmetic::fpext:
  case Arithmetic::fptrunc:
    return {one};
  case Arithmetic::fdim: {
    const T taken = share<T>(x[0]->low > x[1]->high, x[0]->high < x[1]->low);
    return {taken, -taken};
  }
  case Arithmetic::remainder:
  case Arithmetic::round_add:
  case Arithmetic::round_sub:
  case Arithmetic::round_fma:
    break;
  }
  return {T::nothing_known(), T::nothing_known(), T::nothing_known()};
}

template <Op op, int arity, Enclosure T> T function_range(const OperandRanges<T>& x) {
  if constexpr (arity == 1)
    return Formulas<op>::range(*x[0]);
  else
    return Formulas<op>::range(*x[0], *x[1]);
}

template <Op op, int arity, Enclosure T> std::array<T, 3> function_slopes(const OperandRanges<T>& x, const T& result) {
  if constexpr (arity == 1)
    return {Formulas<op>::slope(*x[0], result)};
  else {
    auto [first, second] = Formulas<op>::slopes(*x[0], *x[1], result);
    return {std::move(first), std::move(second)};
  }
}

} // namespace

// Returns libm's result widened by its error. A unit in the last place is at most 2^-52 of a number, or the smallest
// subnormal; one more unit covers the rounding here.
Interval at(Op op, const Interval& a, const Interval& b) {
  const double value = evaluate(op, a.low, b.low), units = libm_ulps(op, numeric::Format::binary64) + 1;
  if (!std::isfinite(value) || !std::isfinite(units))
    return Interval::nothing_known();
  return widened(Interval::of(value),
                 numeric::sum_up(numeric::product_up(std::fabs(value), units * 0x1p-52), units * 0x1p-1074));
}

Range at(Op op, const Range& a, const Range& b) {
  const BallFunction function = libm_columns[size_t(op)].ball;
  const slong precision = std::max(a.precision, b.precision);
  if (!function || !a.known() || exponent_of(a.low) > largest_exponent)
    return Range::nothing_known();
  Ball first, second, result;
  arb_set_arf(first.raw(), a.low.raw());
  arb_set_arf(second.raw(), b.low.raw());
  function(result.raw(), first.raw(), second.raw(), precision + 8); // so that only the final rounding matters
  return ends_of(result, precision);
}

// Also true if the range is too close to decide.
bool meets(const Interval& a, double offset, double period) {
  if (!(a.magnitude() <= largest_angle))
    return true;
  constexpr long double doubt = 0x1p-50L; // of a number of periods: x87's 64 bits make 2^-62 of it
  const long double first = (a.low - offset * pi) / (period * pi), last = (a.high - offset * pi) / (period * pi);
  return std::floor(last + doubt * (1 + std::fabs(last))) >= std::ceil(first - doubt * (1 + std::fabs(first)));
}

// Offset and period are halves of integers, so all after the division by pi is exact.
bool meets(const Range& a, double offset, double period) {
  if (!a.known() || exponent_of(a.magnitude()) > largest_exponent)
    return true;
  const Range turns = half_turns(a);
  const auto periods = [&](const Real& end, Rounding direction) {
    Real count;
    arf_sub(count.raw(), end.raw(), Real(offset).raw(), ARF_PREC_EXACT, ARF_RND_DOWN);
    arf_mul_2exp_si(count.raw(), count.raw(), -numeric::exponent_of(period));
    return rounded(direction, count);
  };
  return periods(turns.low, Rounding::up) <= periods(turns.high, Rounding::down);
}

Interval scaled(const Interval& a, const Interval& exponent) {
  if (!is_one_integer(exponent) || std::fabs(exponent.low) > 1000)
    return Interval::nothing_known();
  return a * Interval::of(std::ldexp(1.0, int(exponent.low)));
}

Range scaled(const Range& a, const Range& exponent) {
  if (!is_one_integer(exponent) || arf_cmpabs_2exp_si(exponent.low.raw(), 15) > 0)
    return Range::nothing_known();
  const Real power = Real::power_of_two(numeric::integer_of(exponent.low));
  return a * Range::of(power);
}

Interval truncated_ends(const Interval& a) { return rounded(Rounding::to_zero, a); }
Range truncated_ends(const Range& a) { return rounded(Rounding::to_zero, a); }

Range digamma_at(const Range& a) {
  if (exponent_of(a.low) > largest_exponent)
    return Range::nothing_known();
  Ball point, result;
  arb_set_arf(point.raw(), a.low.raw());
  arb_digamma(result.raw(), point.raw(), a.precision + 8);
  return ends_of(result, a.precision);
}

Interval digamma_at(const Interval& a) {
  Range point = Range::of(a.low);
  point.precision = 64;
  const Range result = digamma_at(point);
  return result.known()
             ? Interval{arf_get_d(result.low.raw(), ARF_RND_FLOOR), arf_get_d(result.high.raw(), ARF_RND_CEIL)}
             : Interval::nothing_known();
}

Interval around(Irrational number, const Interval&) {
  switch (number) {
  case Irrational::log_2:
    return {0x1.62e42fefa39efp-1, 0x1.62e42fefa39f0p-1};
  case Irrational::log_10:
    return {0x1.26bb1bbb55515p+1, 0x1.26bb1bbb55516p+1};
  case Irrational::two_over_root_pi:
    return {0x1.20dd750429b6dp+0, 0x1.20dd750429b6ep+0};
  }
  return Interval::nothing_known();
}

Range around(Irrational number, const Range& like) {
  const slong precision = like.precision + 8;
  Ball ball;
  switch (number) {
  case Irrational::log_2:
    arb_const_log2(ball.raw(), precision);
    break;
  case Irrational::log_10:
    arb_const_log10(ball.raw(), precision);
    break;
  case Irrational::two_over_root_pi:
    arb_const_sqrt_pi(ball.raw(), precision);
    arb_ui_div(ball.raw(), 2, ball.raw(), precision);
    break;
  }
  return ends_of(ball, like.precision);
}

template <class T> T range_of(Op op, const OperandRanges<T>& x, bool same) {
  switch (op) {
#define FAULTLINE_ARITHMETIC_RANGE(name, arity, traits) case Op::name:
    FAULTLINE_ARITHMETIC(FAULTLINE_ARITHMETIC_RANGE)
    return arithmetic_range(Arithmetic(op), x, same);
#define FAULTLINE_ROUNDING_RANGE(name, arity, traits) case Op::name:
    FAULTLINE_ROUNDINGS(FAULTLINE_ROUNDING_RANGE)
    return rounded(*rounding_of(op), *x[0]);
#define FAULTLINE_FUNCTION_RANGE(name, arity, traits)                                                                  \
  case Op::name:                                                                                                       \
    return function_range<Op::name, arity>(x);
    FAULTLINE_FUNCTIONS(FAULTLINE_FUNCTION_RANGE)
#define FAULTLINE_NO_RANGE(name, arity, traits) case Op::name:
    FAULTLINE_SOURCES(FAULTLINE_NO_RANGE) FAULTLINE_COMPARISONS(FAULTLINE_NO_RANGE) break;
  }
  return T::nothing_known();
}

template <class T> std::array<T, 3> slopes_of(Op op, const OperandRanges<T>& x, const T& result) {
  switch (op) {
    FAULTLINE_ARITHMETIC(FAULTLINE_ARITHMETIC_RANGE)
    return arithmetic_slopes(Arithmetic(op), x, result);
    FAULTLINE_ROUNDINGS(FAULTLINE_ROUNDING_RANGE)
    return {};
#define FAULTLINE_FUNCTION_SLOPES(name, arity, traits)                                                                 \
  case Op::name:                                                                                                       \
    return function_slopes<Op::name, arity>(x, result);
    FAULTLINE_FUNCTIONS(FAULTLINE_FUNCTION_SLOPES)
    FAULTLINE_SOURCES(FAULTLINE_NO_RANGE) FAULTLINE_COMPARISONS(FAULTLINE_NO_RANGE) break;
  }
  return {T::nothing_known(), T::nothing_known(), T::nothing_known()};
}

template Interval range_of(Op, const OperandRanges<Interval>&, bool);
template Range range_of(Op, const OperandRanges<Range>&, bool);
template std::array<Interval, 3> slopes_of(Op, const OperandRanges<Interval>&, const Interval&);
template std::array<Range, 3> slopes_of(Op, const OperandRanges<Range>&, const Range&);

bool has_formulas(Op op) {
  switch (op) {
#define FAULTLINE_HAS_FORMULAS(name, arity, traits)                                                                    \
  case Op::name:                                                                                                       \
    return !std::derived_from<Formulas<Op::name>, Unbounded>;
    FAULTLINE_FUNCTIONS(FAULTLINE_HAS_FORMULAS)
#undef FAULTLINE_HAS_FORMULAS
  default:
    return op != Op::remainder;
  }
}

namespace {

// The errors in the columns are those of glibc 2.36. For another version, twice as much is an assumption, which
// docs/bounds.md states: nothing here proves it.
double for_this_version(double ulps) {
  static const bool is_known = std::string_view(gnu_get_libc_version()) == "2.36";
  return is_known ? ulps : 2 * std::max(ulps, 1.0);
}

} // namespace

BallFunction ball_of(Op op) { return libm_columns[size_t(op)].ball; }

double libm_ulps(Op op, numeric::Format format) {
  const Ulps& ulps = libm_columns[size_t(op)].ulps;
  // Functions of narrower formats are computed as floats; a few units of a float are a fraction of a narrower unit.
  if (format < numeric::carrier(format))
    return ulps.binary32 == unknown_error ? unknown_error : 1;
  switch (format) {
  case numeric::Format::binary32:
    return for_this_version(ulps.binary32);
  case numeric::Format::binary64:
    return for_this_version(ulps.binary64);
  default:
    return for_this_version(ulps.extended80);
  }
}

} // namespace faultline::ops
