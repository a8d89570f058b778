#include "numeric/range.h"

namespace faultline::numeric {
namespace {

using Operation = int (*)(arf_ptr, arf_srcptr, arf_srcptr, slong, arf_rnd_t);

int multiply(arf_ptr result, arf_srcptr a, arf_srcptr b, slong precision, arf_rnd_t direction) {
  return arf_mul(result, a, b, precision, direction);
}

template <Operation operation> Real rounded(const Real& a, const Real& b, slong precision, arf_rnd_t direction) {
  Real result;
  operation(result.raw(), a.raw(), b.raw(), precision, direction);
  return result;
}

slong precision_of(const Range& a, const Range& b) { return std::max(a.precision, b.precision); }

} // namespace

bool is_even(const Real& end) {
  Real half;
  arf_mul_2exp_si(half.raw(), end.raw(), -1);
  return is_whole(half);
}

Real sum_up(const Real& a, const Real& b, slong precision) { return rounded<arf_add>(a, b, precision, ARF_RND_CEIL); }
Real product_up(const Real& a, const Real& b, slong precision) {
  return rounded<multiply>(a, b, precision, ARF_RND_CEIL);
}
Real quotient_up(const Real& a, const Real& b, slong precision) {
  return rounded<arf_div>(a, b, precision, ARF_RND_CEIL);
}

Range Range::nothing_known() {
  Range unknown;
  arf_nan(unknown.low.raw());
  arf_nan(unknown.high.raw());
  return unknown;
}

Real Range::magnitude() const {
  if (!known())
    return nothing_known().low;
  Real size;
  arf_abs(size.raw(), arf_cmpabs(low.raw(), high.raw()) > 0 ? low.raw() : high.raw());
  return size;
}

Real Range::mignitude() const {
  Real size;
  if (!has(0))
    arf_abs(size.raw(), low.sign() > 0 ? low.raw() : high.raw());
  return size;
}

Range operator-(const Range& a) {
  Range result;
  arf_neg(result.low.raw(), a.high.raw());
  arf_neg(result.high.raw(), a.low.raw());
  result.precision = a.precision;
  return result;
}

Range operator+(const Range& a, const Range& b) {
  const slong precision = precision_of(a, b);
  return {rounded<arf_add>(a.low, b.low, precision, ARF_RND_FLOOR),
          rounded<arf_add>(a.high, b.high, precision, ARF_RND_CEIL), precision};
}

Range operator-(const Range& a, const Range& b) {
  const slong precision = precision_of(a, b);
  return {rounded<arf_sub>(a.low, b.high, precision, ARF_RND_FLOOR),
          rounded<arf_sub>(a.high, b.low, precision, ARF_RND_CEIL), precision};
}

// Selects by the signs the ends that determine the product; otherwise computes all four products.
Range operator*(const Range& a, const Range& b) {
  const slong precision = precision_of(a, b);
  const auto down = [&](const Real& x, const Real& y) { return rounded<multiply>(x, y, precision, ARF_RND_FLOOR); };
  const auto up = [&](const Real& x, const Real& y) { return rounded<multiply>(x, y, precision, ARF_RND_CEIL); };
  if (!a.known() || !b.known())
    return Range::nothing_known();
  if (a.single())
    return a.low.sign() >= 0 ? Range{down(a.low, b.low), up(a.low, b.high), precision}
                             : Range{down(a.low, b.high), up(a.low, b.low), precision};
  if (a.low.sign() >= 0)
    return {down(b.low.sign() >= 0 ? a.low : a.high, b.low), up(b.high.sign() >= 0 ? a.high : a.low, b.high),
            precision};
  if (a.high.sign() <= 0)
    return {down(b.high.sign() >= 0 ? a.low : a.high, b.high), up(b.low.sign() >= 0 ? a.high : a.low, b.low),
            precision};
  if (b.low.sign() >= 0)
    return {down(a.low, b.high), up(a.high, b.high), precision};
  if (b.high.sign() <= 0)
    return {down(a.high, b.low), up(a.low, b.low), precision};
  return {std::min(down(a.low, b.high), down(a.high, b.low)), std::max(up(a.low, b.low), up(a.high, b.high)),
          precision};
}

Range operator/(const Range& a, const Range& b) {
  if (!a.known() || !b.known() || b.has(0))
    return Range::nothing_known();
  if (b.high.sign() < 0)
    return -a / -b;
  const slong precision = precision_of(a, b);
  return {rounded<arf_div>(a.low, a.low.sign() >= 0 ? b.high : b.low, precision, ARF_RND_FLOOR),
          rounded<arf_div>(a.high, a.high.sign() >= 0 ? b.low : b.high, precision, ARF_RND_CEIL), precision};
}

Range square(const Range& a) {
  const Real least = a.mignitude(), most = a.magnitude();
  return {rounded<multiply>(least, least, a.precision, ARF_RND_FLOOR), product_up(most, most, a.precision),
          a.precision};
}

Range root(const Range& a) {
  if (!(a.low >= 0))
    return Range::nothing_known();
  Range result;
  arf_sqrt(result.low.raw(), a.low.raw(), a.precision, ARF_RND_FLOOR);
  arf_sqrt(result.high.raw(), a.high.raw(), a.precision, ARF_RND_CEIL);
  result.precision = a.precision;
  return result;
}

Range hull(const Range& a, const Range& b) {
  return a.known() && b.known() ? Range{std::min(a.low, b.low), std::max(a.high, b.high), precision_of(a, b)}
                                : Range::nothing_known();
}

Range meet(const Range& a, const Range& b) {
  return {std::max(a.low, b.low), std::min(a.high, b.high), precision_of(a, b)};
}

Range magnitudes(const Range& a) { return {a.mignitude(), a.magnitude(), a.precision}; }

Range widened(const Range& a, const Real& error) {
  if (error.sign() == 0)
    return a;
  return {rounded<arf_sub>(a.low, error, a.precision, ARF_RND_FLOOR),
          rounded<arf_add>(a.high, error, a.precision, ARF_RND_CEIL), a.precision};
}

} // namespace faultline::numeric
