// The slopes of certificate/functions.h.
#include "certificate/functions.h"

namespace faultline::certificate {

using ops::Op;

namespace {

const Range one(1.0), minus_one(-1.0), zero(0.0), up_or_down{Real(-1), Real(1)};

// Of the smaller of two: 1 where it is this one, 0 where not, and all between where nobody can tell.
Range share(const std::optional<int>& order, int wins) {
  if (!order || *order == 0)
    return {Real(0), Real(1)};
  return *order == wins ? one : zero;
}

Range kink(const Range& a) { return a.low.sign() >= 0 ? one : a.high.sign() <= 0 ? minus_one : up_or_down; }

MaybeRange negated_maybe(const MaybeRange& a) { return a ? MaybeRange(negated(*a)) : std::nullopt; }

} // namespace

MaybeRange Functions::reciprocal(const MaybeRange& a) const { return a ? rounding_.quotient(one, *a) : std::nullopt; }

// Without the cancellation at 1.
Range Functions::one_minus_square(const Range& a) const {
  const Range size = magnitudes(a);
  return rounding_.product(rounding_.difference(one, size), rounding_.sum(one, size));
}

// Of functions of one operand.
MaybeRange Functions::slope(Op op, const Range& a, const Range& result) const {
  const auto square = [&](const Range& x) { return rounding_.square(x); };
  switch (op) {
  case Op::exp:
    return result;
  case Op::exp2:
    return rounding_.product(result, ln2_);
  case Op::exp10:
    return rounding_.product(result, ln10_);
  case Op::expm1:
    return function(Op::exp, a);
  case Op::log:
    return reciprocal(a);
  case Op::log2:
    return reciprocal(rounding_.product(a, ln2_));
  case Op::log10:
    return reciprocal(rounding_.product(a, ln10_));
  case Op::log1p:
    return reciprocal(rounding_.sum(one, a));
  case Op::sin:
    return function(Op::cos, a);
  case Op::cos:
    return negated_maybe(function(Op::sin, a));
  case Op::tan:
    return rounding_.sum(one, square(result));
  case Op::asin:
    return reciprocal(rounding_.root(one_minus_square(a)));
  case Op::acos:
    return negated_maybe(reciprocal(rounding_.root(one_minus_square(a))));
  case Op::atan:
    return reciprocal(rounding_.sum(one, square(a)));
  case Op::sinh:
    return function(Op::cosh, a);
  case Op::cosh:
    return function(Op::sinh, a);
  case Op::tanh: {
    const MaybeRange cosh = function(Op::cosh, a);
    return cosh ? reciprocal(square(*cosh)) : std::nullopt;
  }
  case Op::asinh:
    return reciprocal(rounding_.root(rounding_.sum(one, square(a))));
  case Op::acosh: {
    const MaybeRange below = rounding_.root(rounding_.difference(a, one)),
                     above = rounding_.root(rounding_.sum(a, one));
    return below && above ? reciprocal(rounding_.product(*below, *above)) : std::nullopt;
  }
  case Op::atanh:
    return reciprocal(one_minus_square(a));
  case Op::cbrt:
    return reciprocal(rounding_.product(Range(3.0), square(result)));
  case Op::erf:
  case Op::erfc: {
    const MaybeRange bell = function(Op::exp, negated(square(a)));
    const MaybeRange up = bell ? MaybeRange(rounding_.product(gauss_, *bell)) : std::nullopt;
    return op == Op::erf ? up : negated_maybe(up);
  }
  default:
    return {};
  }
}

// In the base.
MaybeRange Functions::power_slope(const Range& a, const Range& b, const Range& result) const {
  if (b.is_single() && arf_is_int(b.low.raw())) {
    if (b.is_zero())
      return zero;
    const MaybeRange power = whole_power(a, rounding_.difference(b, one));
    return power ? MaybeRange(rounding_.product(b, *power)) : std::nullopt;
  }
  const MaybeRange share = rounding_.quotient(result, a);
  return share ? MaybeRange(rounding_.product(b, *share)) : std::nullopt;
}

std::array<MaybeRange, 3> Functions::slopes_of_two(Op op, const Range& a, const Range& b, const Range& result) const {
  switch (op) {
  case Op::pow: {
    // An exponent that is one number does not change, and needs no slope.
    if (b.is_single())
      return {power_slope(a, b, result), zero};
    const MaybeRange log = function(Op::log, a);
    return {power_slope(a, b, result), log ? MaybeRange(rounding_.product(result, *log)) : std::nullopt};
  }
  case Op::powi:
    return {power_slope(a, b, result), zero};
  case Op::ldexp:
    return {scaled(one, b), zero};
  case Op::hypot:
    return {rounding_.quotient(a, result), rounding_.quotient(b, result)};
  case Op::atan2: {
    const Range squares = rounding_.sum(rounding_.square(a), rounding_.square(b));
    return {rounding_.quotient(b, squares), negated_maybe(rounding_.quotient(a, squares))};
  }
  case Op::fmin:
    return {share(order_of(a, b), -1), share(order_of(b, a), -1)};
  case Op::fmax:
    return {share(order_of(a, b), 1), share(order_of(b, a), 1)};
  case Op::copysign: {
    if (b.has_zero())
      return {Range{Real(-1.0), Real(1.0)}, std::nullopt}; // by the sign it jumps
    const Range size = kink(a);
    return {b.low.sign() > 0 ? size : negated(size), zero};
  }
  default:
    return {};
  }
}

std::array<MaybeRange, 3> Functions::slopes(Op op, std::span<const Range* const> x, const Range& result) const {
  switch (op) {
  case Op::fadd:
    return {one, one};
  case Op::fsub:
    return {one, minus_one};
  case Op::fmul:
    return {*x[1], *x[0]};
  case Op::fma:
    return {*x[1], *x[0], one};
  case Op::fdiv:
    return {reciprocal(*x[1]), negated_maybe(rounding_.quotient(result, *x[1]))};
  case Op::sqrt:
    return {rounding_.quotient(Range(0.5), result)};
  case Op::fneg:
    return {minus_one};
  case Op::fabs:
    return {kink(*x[0])};
  case Op::fpext:
  case Op::fptrunc:
    return {one};
  default:
    break;
  }
  if (ops::rounding_of(op) != ops::Rounding::none)
    return {zero};
  return ops::arity(op) == 1 ? std::array<MaybeRange, 3>{slope(op, *x[0], result)}
                             : slopes_of_two(op, *x[0], *x[1], result);
}

} // namespace faultline::certificate
