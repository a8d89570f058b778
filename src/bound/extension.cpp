#include "bound/extension.h"

#include "bound/elementary.h"
#include "ops/table.h"

namespace faultline::bound {
namespace {

using ops::Op;

Interval constant(double low, double high) { return {low, high}; }

// max: -min(-a, -b).
Interval smaller(const Interval& a, const Interval& b) { return {std::min(a.low, b.low), std::min(a.high, b.high)}; }

// To an integer: all between those of the ends.
Interval rounded(Op op, const Interval& a) {
  const Op rounding = ops::integer_rounding(ops::rounding_of(op));
  return {ops::evaluate(rounding, a.low), ops::evaluate(rounding, a.high)};
}

// 0 <= share <= 1 of the first operand: which of two is taken.
Interval share(bool surely, bool surely_not) { return surely ? Interval::of(1) : constant(0, surely_not ? 0 : 1); }

Interval with_sign(const Interval& of, const Interval& sign) {
  const Interval size = magnitudes(of);
  if (sign.low > 0)
    return size;
  return sign.high < 0 ? -size : Interval{-size.high, size.high}; // 0 has two signs
}

Interval arithmetic(ops::Arithmetic op, const Operands& x, bool same) {
  using ops::Arithmetic;
  switch (op) {
  case Arithmetic::fadd:
    return x[0] + x[1];
  case Arithmetic::fsub:
    return same ? Interval::of(0) : x[0] - x[1];
  case Arithmetic::fmul:
    return same ? square(x[0]) : x[0] * x[1];
  case Arithmetic::fdiv:
    return x[0] / x[1];
  case Arithmetic::sqrt:
    return root(x[0]);
  case Arithmetic::fma:
    return (same ? square(x[0]) : x[0] * x[1]) + x[2];
  case Arithmetic::fneg:
    return -x[0];
  case Arithmetic::fabs:
    return magnitudes(x[0]);
  case Arithmetic::fmin:
    return smaller(x[0], x[1]);
  case Arithmetic::fmax:
    return -smaller(-x[0], -x[1]);
  case Arithmetic::copysign:
    return with_sign(x[0], x[1]);
  case Arithmetic::fpext:
  case Arithmetic::fptrunc:
    return x[0];
  case Arithmetic::remainder:
  case Arithmetic::fdim:
  case Arithmetic::round_add:
  case Arithmetic::round_sub:
  case Arithmetic::round_fma:
    break;
  }
  return Interval::nothing_known();
}

std::array<Interval, 3> arithmetic_slopes(ops::Arithmetic op, const Operands& x, const Interval& result) {
  using ops::Arithmetic;
  const Interval one = Interval::of(1);
  switch (op) {
  case Arithmetic::fadd:
    return {one, one};
  case Arithmetic::fsub:
    return {one, -one};
  case Arithmetic::fmul:
    return {x[1], x[0]};
  case Arithmetic::fdiv:
    return {one / x[1], -(result / x[1])};
  case Arithmetic::sqrt:
    return {Interval::of(0.5) / result};
  case Arithmetic::fma:
    return {x[1], x[0], one};
  case Arithmetic::fneg:
    return {-one};
  case Arithmetic::fabs:
    return {x[0].low >= 0 ? one : x[0].high <= 0 ? -one : constant(-1, 1)};
  case Arithmetic::fmin:
    return {share(x[0].high<x[1].low, x[0].low> x[1].high), share(x[1].high<x[0].low, x[1].low> x[0].high)};
  case Arithmetic::fmax:
    return {share(x[0].low > x[1].high, x[0].high < x[1].low), share(x[1].low > x[0].high, x[1].high < x[0].low)};
  case Arithmetic::copysign: {
    const bool keeps = (x[0].low >= 0) == (x[1].low > 0);
    return {x[1].has(0) || (x[0].low < 0 && x[0].high > 0) ? constant(-1, 1) : keeps ? one : -one};
  }
  case Arithmetic::fpext:
  case Arithmetic::fptrunc:
    return {one};
  case Arithmetic::remainder:
  case Arithmetic::fdim:
  case Arithmetic::round_add:
  case Arithmetic::round_sub:
  case Arithmetic::round_fma:
    break;
  }
  return {Interval::nothing_known(), Interval::nothing_known(), Interval::nothing_known()};
}

} // namespace

Interval extension(Op op, const Operands& operands, bool same) {
  if (ops::is_arithmetic(op))
    return arithmetic(ops::Arithmetic(op), operands, same);
  if (ops::rounding_of(op) != ops::Rounding::none)
    return rounded(op, operands[0]);
  return elementary(op, operands);
}

std::array<Interval, 3> slopes(Op op, const Operands& operands, const Interval& result) {
  if (ops::is_arithmetic(op))
    return arithmetic_slopes(ops::Arithmetic(op), operands, result);
  if (ops::rounding_of(op) != ops::Rounding::none)
    return {};
  return elementary_slopes(op, operands, result);
}

} // namespace faultline::bound
