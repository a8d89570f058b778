// Both arithmetics behind one face, for tests of what they share.
#pragma once

#include "domains.h"
#include "numeric/bigfloat.h"
#include "ops/enclosures.h"

#include <algorithm>
#include <limits>

namespace faultline::ops {

using numeric::BigFloat;
using numeric::Interval;
using numeric::Range;
using numeric::Real;

inline Interval spanned(const Interval&, double low, double high) { return {low, high}; }
inline Range spanned(const Range&, double low, double high) { return {low, high}; }

// Does it lie between the ends, or within the slack of them?
inline bool holds(const Interval& range, const BigFloat& value, double slack = 0) {
  const Interval wider = widened(range, slack);
  return mpfr_cmp_d(value.raw(), wider.low) >= 0 && mpfr_cmp_d(value.raw(), wider.high) <= 0;
}
inline bool holds(const Range& range, const BigFloat& value, double slack = 0) {
  Real real;
  arf_set_mpfr(real.raw(), value.raw());
  const Range wider = widened(range, slack);
  return wider.low <= real && real <= wider.high;
}

inline double double_above(double end) { return end; }
inline double double_above(const Real& end) { return arf_get_d(end.raw(), ARF_RND_CEIL); }

// The exact result, to so many bits.
inline BigFloat exact(Op op, const Operands& x, mpfr_prec_t bits = 400) {
  const BigFloat a(x[0], 64), b(x[1], 64), c(x[2], 64);
  BigFloat result(bits);
  mpfr_clear_flags();
  evaluate(op, result.raw(), a.raw(), b.raw(), c.raw());
  return result;
}
// Of the last exact result: beyond MPFR's own exponents, so that it says nothing.
inline bool is_beyond_mpfr() { return mpfr_overflow_p() || mpfr_underflow_p(); }

// A box of operands, and two points in it.
struct OperandBox {
  Operands low, high;
  std::array<Operands, 2> points;
};

// Zeros, poles, turning points, ends of domains, subnormal numbers, and the largest ones.
inline double special_operand(numeric::Rng& rng) {
  using Limits = std::numeric_limits<double>;
  constexpr double of_all[] = {0,
                               0.5,
                               1,
                               2,
                               3,
                               1.5707963267948966,
                               3.141592653589793,
                               0x1p-60,
                               Limits::min(),
                               0x1p60,
                               0x1p25,
                               709.75,
                               0x1.fffffffffffffp-1,
                               Limits::denorm_min(),
                               Limits::max()};
  const double chosen = of_all[rng.below(std::size(of_all))];
  return rng.coin() ? chosen : -chosen;
}

// `rounded` makes a value of the format; often the box is narrow or a point, and a point lies at its end. Every fourth
// begins or ends at a special operand.
template <class Round> OperandBox operand_box(Op op, numeric::Rng& rng, Round rounded) {
  OperandBox box;
  const double width = rng.below(4) == 0 ? 0 : std::exp2(-double(rng.below(45)));
  const bool is_special = rng.below(4) == 0;
  const Operands from = sample(op, rng), to = sample(op, rng);
  for (size_t i = 0; i < 3; ++i) {
    const double begin = rounded(is_special && rng.coin() ? special_operand(rng) : from[i]);
    double end = rounded(is_special && rng.coin() ? special_operand(rng) : begin + (to[i] - begin) * width);
    if (!std::isfinite(end) || (has_integer_operand(op) && i == 1))
      end = begin;
    box.low[i] = std::min(begin, end);
    box.high[i] = std::max(begin, end);
    for (Operands& point : box.points) {
      const double share = rng.below(4) == 0 ? double(rng.below(2)) : rng.uniform();
      point[i] = std::clamp(rounded(box.low[i] * (1 - share) + box.high[i] * share), box.low[i], box.high[i]);
    }
  }
  if (has_integer_operand(op)) {
    box.low[1] = std::clamp(std::floor(box.low[1]), -1000.0, 1000.0);
    box.high[1] = box.points[0][1] = box.points[1][1] = box.low[1];
  }
  return box;
}

template <class T> std::array<T, 3> ranges_of(const OperandBox& box) {
  std::array<T, 3> ranges;
  for (size_t i = 0; i < 3; ++i)
    ranges[i] = spanned(T(), box.low[i], box.high[i]);
  return ranges;
}
template <class T> OperandRanges<T> pointers_to(const std::array<T, 3>& ranges) {
  return {&ranges[0], &ranges[1], &ranges[2]};
}

} // namespace faultline::ops
