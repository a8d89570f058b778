// Operations on ranges: all results within a range of operands, and all slopes. Functions of libm are Arb's
// (ops/balls.h), at the ends of the pieces in which they go one way.
//
// None where nothing can be said: a divisor that may be 0, an operation that is not here.
#pragma once

#include "certificate/range.h"
#include "ops/op.h"

#include <array>
#include <optional>
#include <span>

namespace faultline::certificate {

using MaybeRange = std::optional<Range>;

class Functions {
public:
  explicit Functions(slong precision);

  const Rounding& rounding() const { return rounding_; }

  // The exact results. Of what jumps (floor, conversions to integers): only where it does not within the range. `same`:
  // the first two operands are one value.
  MaybeRange value(ops::Op op, std::span<const Range* const> operands, bool same) const;

  // In each operand, at all of these operands; `result` holds the results there. At a kink all slopes between those on
  // its sides.
  std::array<MaybeRange, 3> slopes(ops::Op op, std::span<const Range* const> operands, const Range& result) const;

private:
  MaybeRange at(ops::Op op, const Real& a, const Real& b = {}) const;
  MaybeRange function(ops::Op op, const Range& a) const;
  MaybeRange between_ends(ops::Op op, const Range& a) const;
  MaybeRange at_corners(ops::Op op, const Range& a, const Range& b) const;
  MaybeRange wave(ops::Op op, const Range& a, double top) const;
  // In half turns: a / pi. The sine has its maxima at 1/2, 5/2, ...
  Range half_turns(const Range& a) const;
  MaybeRange whole_power(const Range& a, const Range& exponent) const;
  MaybeRange power(const Range& a, const Range& b) const;
  MaybeRange angle(const Range& y, const Range& x) const;
  MaybeRange scaled(const Range& a, const Range& exponent) const;

  MaybeRange slope(ops::Op op, const Range& a, const Range& result) const;
  std::array<MaybeRange, 3> slopes_of_two(ops::Op op, const Range& a, const Range& b, const Range& result) const;
  MaybeRange power_slope(const Range& a, const Range& b, const Range& result) const;
  MaybeRange reciprocal(const MaybeRange& a) const;
  Range one_minus_square(const Range& a) const;

  Rounding rounding_;
  Range ln2_, ln10_, gauss_; // log(2), log(10), 2 / sqrt(pi)
};

// -1, 0 or 1: the order of all of these numbers is this; none: it is not the same throughout.
std::optional<int> order_of(const Range& a, const Range& b);

} // namespace faultline::certificate
