#include "certificate/range.h"

namespace faultline::certificate {
namespace {

using Operation = int (*)(arf_ptr, arf_srcptr, arf_srcptr, slong, arf_rnd_t);

int multiply(arf_ptr result, arf_srcptr a, arf_srcptr b, slong precision, arf_rnd_t direction) {
  return arf_mul(result, a, b, precision, direction);
}

template <Operation operation>
Real rounded(const Real& a, const Real& b, slong precision, arf_rnd_t direction) {
  Real result;
  operation(result.raw(), a.raw(), b.raw(), precision, direction);
  return result;
}

const Real& smaller(const Real& a, const Real& b) { return b < a ? b : a; }
const Real& larger(const Real& a, const Real& b) { return a < b ? b : a; }

} // namespace

Real Range::most() const {
  Real magnitude;
  arf_abs(magnitude.raw(), arf_cmpabs(low.raw(), high.raw()) > 0 ? low.raw() : high.raw());
  return magnitude;
}

Real Range::least() const {
  Real magnitude;
  if (!has_zero())
    arf_abs(magnitude.raw(), low.sign() > 0 ? low.raw() : high.raw());
  return magnitude;
}

Real Rounding::sum_up(const Real& a, const Real& b) const { return rounded<arf_add>(a, b, precision_, ARF_RND_CEIL); }
Real Rounding::product_up(const Real& a, const Real& b) const {
  return rounded<multiply>(a, b, precision_, ARF_RND_CEIL);
}
Real Rounding::quotient_up(const Real& a, const Real& b) const {
  return rounded<arf_div>(a, b, precision_, ARF_RND_CEIL);
}

Range Rounding::sum(const Range& a, const Range& b) const {
  return {rounded<arf_add>(a.low, b.low, precision_, ARF_RND_FLOOR),
          rounded<arf_add>(a.high, b.high, precision_, ARF_RND_CEIL)};
}

Range Rounding::difference(const Range& a, const Range& b) const {
  return {rounded<arf_sub>(a.low, b.high, precision_, ARF_RND_FLOOR),
          rounded<arf_sub>(a.high, b.low, precision_, ARF_RND_CEIL)};
}

// The ends of the first operand from which the ends of the product come, where the signs tell; else all four products.
Range Rounding::product(const Range& a, const Range& b) const {
  const auto down = [&](const Real& x, const Real& y) { return rounded<multiply>(x, y, precision_, ARF_RND_FLOOR); };
  const auto up = [&](const Real& x, const Real& y) { return rounded<multiply>(x, y, precision_, ARF_RND_CEIL); };
  if (a.is_single())
    return a.low.sign() >= 0 ? Range{down(a.low, b.low), up(a.low, b.high)}
                             : Range{down(a.low, b.high), up(a.low, b.low)};
  if (a.low.sign() >= 0)
    return {down(b.low.sign() >= 0 ? a.low : a.high, b.low), up(b.high.sign() >= 0 ? a.high : a.low, b.high)};
  if (a.high.sign() <= 0)
    return {down(b.high.sign() >= 0 ? a.low : a.high, b.high), up(b.low.sign() >= 0 ? a.high : a.low, b.low)};
  if (b.low.sign() >= 0)
    return {down(a.low, b.high), up(a.high, b.high)};
  if (b.high.sign() <= 0)
    return {down(a.high, b.low), up(a.low, b.low)};
  return {smaller(down(a.low, b.high), down(a.high, b.low)), larger(up(a.low, b.low), up(a.high, b.high))};
}

Range Rounding::square(const Range& a) const {
  const Real least = a.least(), most = a.most();
  return {rounded<multiply>(least, least, precision_, ARF_RND_FLOOR), product_up(most, most)};
}

std::optional<Range> Rounding::quotient(const Range& a, const Range& b) const {
  if (b.has_zero())
    return {};
  if (b.high.sign() < 0)
    return quotient(negated(a), negated(b));
  return Range{rounded<arf_div>(a.low, a.low.sign() >= 0 ? b.high : b.low, precision_, ARF_RND_FLOOR),
               rounded<arf_div>(a.high, a.high.sign() >= 0 ? b.low : b.high, precision_, ARF_RND_CEIL)};
}

std::optional<Range> Rounding::root(const Range& a) const {
  if (a.low.sign() < 0)
    return {};
  Range result;
  arf_sqrt(result.low.raw(), a.low.raw(), precision_, ARF_RND_FLOOR);
  arf_sqrt(result.high.raw(), a.high.raw(), precision_, ARF_RND_CEIL);
  return result;
}

Range Rounding::widened(const Range& a, const Real& by) const {
  if (by.sign() == 0)
    return a;
  return {rounded<arf_sub>(a.low, by, precision_, ARF_RND_FLOOR),
          rounded<arf_add>(a.high, by, precision_, ARF_RND_CEIL)};
}

Range negated(const Range& a) {
  Range result;
  arf_neg(result.low.raw(), a.high.raw());
  arf_neg(result.high.raw(), a.low.raw());
  return result;
}

Range magnitudes(const Range& a) { return {a.least(), a.most()}; }

Range hull(const Range& a, const Range& b) { return {smaller(a.low, b.low), larger(a.high, b.high)}; }

} // namespace faultline::certificate
